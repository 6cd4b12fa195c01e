/** Queries of the GraphQL service, by the number under which the network knows each. */
import { bytes, child, type Node, node } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Session } from './model.js'
import type { Network } from './network.js'

type Variables = Readonly<Record<string, unknown>>
type Query = (network: Network, session: Session, variables: Variables) => Readonly<Record<string, unknown>>

const ABOUT_MAX = 139

const queries: Readonly<Record<string, Query>> = {
  '9152604461510864': updateTextStatus,
}

/** A refusal is an answer too: JSON with `errors` in place of `data`. An unknown number is refused as the real network does, without a reason. */
export function handleMex(network: Network, session: Session, iq: Node): Node[] {
  const asked = child(iq, 'query')
  const number = asked?.attrs.query_id ?? ''
  const answer = (value: unknown) => [node('result', {}, Buffer.from(JSON.stringify(value)))]
  try {
    const code = network.faults.mexRefusal(session.device, number)
    if (code !== undefined) throw new IqError(code, 'refused')
    const { variables } = JSON.parse(bytes(asked).toString('utf8')) as { variables?: Variables }
    const query = queries[number]
    if (query === undefined || variables === undefined) throw new IqError(400, 'Bad Request')
    return answer({ data: query(network, session, variables) })
  } catch (error) {
    const { code, text } = error instanceof IqError ? error : new IqError(400, 'Bad Request')
    const extensions = { error_code: code, is_retryable: false, severity: 'CRITICAL' }
    return answer({ data: null, errors: [{ message: text, extensions }] })
  }
}

function updateTextStatus(_network: Network, { device }: Session, { input }: Variables) {
  const { text, emoji, ephemeral_duration_sec: seconds } = (input ?? {}) as Variables
  const isText = text === null || (typeof text === 'string' && text.length > 0 && text.length <= ABOUT_MAX)
  if (!isText || typeof emoji !== 'object' || typeof seconds !== 'number') throw new IqError(400, 'Bad Request')
  device.account.about = text ?? ''
  return { xwa2_update_text_status: { text } }
}
