/** Requests to the network's GraphQL service. Each one names a query that the network knows by a number. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../schemas/errors.js'
import { NETWORK_QUERIES, type NetworkQuery, type NetworkQueryName } from '../../../schemas/network-queries.js'

// Bound: 65,536, 20,000 values, checked before.

/** Maximum length of an answer. Most take some hundred characters; the list of categories is the longest. */
const ANSWER_MAX = 1024 * 1024

/** Numbers that the operator gives in place of those of the table, and what is called for each number that the network does not know. */
export interface QuerySettings {
  readonly ids: Readonly<Partial<Record<NetworkQueryName, string>>>
  readonly onRefused: (name: NetworkQueryName) => void
}

/** Code with which the network answers a number that it has retired, and wrong variables. */
const BAD_REQUEST = 400

/**
 * Asks a query. One that the network does not know is asked once more under its older number, unless it is a change.
 * @throws GatewayError NETWORK_REFUSED with the network's code, if the answer names errors or cannot be read
 */
export async function queryMex(
  query: (request: BinaryNode, isChange: boolean) => Promise<BinaryNode>,
  name: NetworkQueryName,
  variables: Readonly<Record<string, unknown>>,
  { ids, onRefused }: QuerySettings,
): Promise<Readonly<Record<string, unknown>>> {
  const known: NetworkQuery = NETWORK_QUERIES[name]
  const isChange = known.isChange === true
  const ask = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
    askOnce((request) => query(request, isChange), id, { ...variables, ...more }, isChange)
  try {
    return await ask(ids[name] ?? known.id, known.variables)
  } catch (error) {
    const isUnknown =
      error instanceof GatewayError && error.code === 'NETWORK_REFUSED' && error.fields.provider_code === BAD_REQUEST
    if (!isUnknown) throw error
    onRefused(name)
    if (known.fallback === undefined || isChange) throw error
    return await ask(known.fallback.id, known.fallback.variables)
  }
}

async function askOnce(
  query: (request: BinaryNode) => Promise<BinaryNode>,
  query_id: string,
  variables: Readonly<Record<string, unknown>>,
  isChange: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await query({
    tag: 'iq',
    attrs: { type: 'get', to: 's.whatsapp.net', xmlns: 'w:mex' },
    content: [{ tag: 'query', attrs: { query_id }, content: Buffer.from(JSON.stringify({ variables }), 'utf8') }],
  })
  const result = Array.isArray(answer.content) ? answer.content.find(({ tag }) => tag === 'result') : undefined
  const { data, errors } = parsed(result?.content, isChange)
  const [first] = Array.isArray(errors) ? (errors as readonly GraphError[]) : []
  if (first !== undefined) throw refused(Number(first.extensions?.error_code) || BAD_REQUEST, first.message)
  return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}
}

interface GraphError {
  readonly message?: unknown
  readonly extensions?: { readonly error_code?: unknown }
}

/** @throws GatewayError OUTCOME_UNKNOWN for an unreadable answer to a change, which may have happened */
function parsed(
  content: BinaryNode['content'],
  isChange: boolean,
): { readonly data?: unknown; readonly errors?: unknown } {
  const text = Buffer.isBuffer(content) || content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : ''
  if (text.length <= ANSWER_MAX)
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null) return value
    } catch {}
  if (isChange) throw new GatewayError('OUTCOME_UNKNOWN')
  throw refused(BAD_REQUEST, 'The answer could not be read.')
}

function refused(code: number, said: unknown): GatewayError {
  const provider_message = typeof said === 'string' ? said.slice(0, 200) : ''
  return new GatewayError('NETWORK_REFUSED', {
    message: `WhatsApp refused the request (${code}).`,
    fields: { provider: 'whatsapp', provider_code: code, provider_message },
  })
}
