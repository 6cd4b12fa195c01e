/** HTTP calls of the functions of agents: through the guard, bounded in time, size and number for each instance, without redirects. */
import { TextDecoder } from 'node:util'
import { cut } from '../../lib/cut.js'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import type { FunctionAnswer, FunctionHttp, FunctionRequest } from '../../schemas/agents/tools.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { Outgoing, RequestOutcome } from '../outgoing/client.js'

// Bound: 65,536, an answer, and 16,384 of its headers.

export interface FunctionHttpOptions {
  readonly outgoing: Pick<Outgoing, 'request'>
  /** For the whole call. */
  readonly timeoutMs?: number
  /** Calls of one instance at once. */
  readonly perInstanceMax?: number
}

const TIMEOUT_MS = 15_000
const ANSWER_MAX_BYTES = 65_536
const AT_ONCE_MAX = 8
const WAITING_MAX = 100

/** Errors before a connection stood. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'DNS_TIMEOUT',
  'DNS_QUEUE_FULL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
])

export function createFunctionHttp(options: FunctionHttpOptions): FunctionHttp {
  const { outgoing, timeoutMs = TIMEOUT_MS, perInstanceMax = AT_ONCE_MAX } = options
  const turns = createOwnerSlots({ max: perInstanceMax, waitingMax: WAITING_MAX }, () => new Busy())
  return {
    async call(instance, request, signal) {
      try {
        return await turns.run(instance, () => send(instance, request, signal))
      } catch (error) {
        if (error instanceof Busy) return { isAnswered: false, isNotSent: true, reason: 'busy' }
        throw error
      }
    },
  }

  async function send(instance: InstanceId, request: FunctionRequest, signal: AbortSignal): Promise<FunctionAnswer> {
    signal.throwIfAborted()
    const { url, method, headers, body } = request
    const outcome = await outgoing.request({
      url,
      method,
      headers,
      ...(body === null ? {} : { body }),
      timeoutMs,
      answerMaxBytes: ANSWER_MAX_BYTES,
      signal,
      owner: instance,
    })
    signal.throwIfAborted()
    return readOutcome(outcome)
  }
}

class Busy extends Error {}

function readOutcome(outcome: RequestOutcome): FunctionAnswer {
  if (!outcome.answered) return toFailedAnswer(outcome.error)
  const { statusCode, headers, body, isCut } = outcome
  const given = headers['content-type']
  const contentType = (Array.isArray(given) ? given[0] : given) ?? ''
  const text = findDecoder(contentType).decode(body)
  // A cut may leave a half character.
  return { isAnswered: true, statusCode, contentType, text: isCut ? text.replace(/\ufffd$/, '') : text, isCut }
}

function toFailedAnswer(error: string): FunctionAnswer {
  if (error === 'ADDRESS_REFUSED' || error === 'URL_NOT_ALLOWED')
    return { isAnswered: false, isNotSent: true, reason: 'address' }
  if (NOT_SENT.has(error)) return { isAnswered: false, isNotSent: true, reason: 'unreachable' }
  return { isAnswered: false, isNotSent: false, reason: error === 'TIMEOUT' ? 'timeout' : 'broken' }
}

function findDecoder(contentType: string): TextDecoder {
  const label = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(cut(label, 40))
  } catch {
    return new TextDecoder('utf-8')
  }
}
