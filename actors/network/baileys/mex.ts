/** Requests to the network's GraphQL service. Each one names a query that the network knows by a number. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { GatewayError } from '../../../schemas/errors.js'

// Bound: 65,536, 20,000 values, checked before.

/**
 * Numbers of the queries of WhatsApp Web 2.3000. A number may be retired: the network then answers 400 and gives no reason.
 * Sources: `Types/Mex.js` of Baileys 7.0.0-rc14, `user.go` of whatsmeow, `spec/mex` of zapo, `WAWebMexGetUsernameJobQuery` of WhatsApp Web.
 */
const QUERIES = {
  businessCategories: '26266473919627648',
  messageCapping: '24503548349331633',
  ownUsername: '25347099718279209',
  reachoutTimelock: '23983697327930364',
  updateTextStatus: '9152604461510864',
} as const

/** Maximum length of an answer. Most take some hundred characters; the list of categories is the longest. */
const ANSWER_MAX = 1024 * 1024

/** @throws GatewayError NETWORK_REFUSED with the network's code, if the answer names errors or cannot be read */
export async function queryMex(
  query: (request: BinaryNode) => Promise<BinaryNode>,
  name: keyof typeof QUERIES,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await query({
    tag: 'iq',
    attrs: { type: 'get', to: 's.whatsapp.net', xmlns: 'w:mex' },
    content: [
      { tag: 'query', attrs: { query_id: QUERIES[name] }, content: Buffer.from(JSON.stringify({ variables }), 'utf8') },
    ],
  })
  const result = Array.isArray(answer.content) ? answer.content.find(({ tag }) => tag === 'result') : undefined
  const { data, errors } = parsed(result?.content)
  const [first] = Array.isArray(errors) ? (errors as readonly GraphError[]) : []
  if (first !== undefined) throw refused(Number(first.extensions?.error_code) || 400, first.message)
  return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}
}

interface GraphError {
  readonly message?: unknown
  readonly extensions?: { readonly error_code?: unknown }
}

function parsed(content: BinaryNode['content']): { readonly data?: unknown; readonly errors?: unknown } {
  const text = Buffer.isBuffer(content) || content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : ''
  if (text.length <= ANSWER_MAX)
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null) return value
    } catch {}
  throw refused(400, 'The answer could not be read.')
}

function refused(code: number, said: unknown): GatewayError {
  const provider_message = typeof said === 'string' ? said.slice(0, 200) : ''
  return new GatewayError('NETWORK_REFUSED', {
    message: `WhatsApp refused the request (${code}).`,
    fields: { provider: 'whatsapp', provider_code: code, provider_message },
  })
}
