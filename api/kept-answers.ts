/** Lets a caller repeat a call that creates something without creating it twice: the first answer is kept, and given again. */
import { setTimeout as pause } from 'node:timers/promises'
import { errors, GatewayError } from '../schemas/errors.js'
import type { FirstCall, KeptAnswer, KeptAnswers, KeyedCall } from '../schemas/ports/requests.js'
import { toGatewayError } from './middleware/error-boundary.js'
import { Accepted, Created } from './route.js'

const WAIT_MS = 30_000
const LOOK_MS = 200

/**
 * Carries out a call, or returns the answer that it had the first time. A call that did nothing may be repeated under its key.
 * @param waitMs time for which a repeated call waits for the first one
 * @throws GatewayError IDEMPOTENCY_CONFLICT; OUTCOME_UNKNOWN when nobody knows the end of the first call; and what `work` throws
 */
export async function withKeptAnswer(
  answers: KeptAnswers,
  call: KeyedCall,
  work: () => Promise<unknown>,
  waitMs = WAIT_MS,
): Promise<unknown> {
  const first = await beginOrWait(answers, call, waitMs)
  if (first !== null) return given(first)
  let reply: unknown
  try {
    reply = await work()
  } catch (error) {
    // After any other error it may have happened, and a repeated call must not do it again.
    if (errors[toGatewayError(error).code].retry !== 'check') await answers.release(call).catch(() => {})
    throw error
  }
  // Without the store the answer is still right. A repeated call is then told that the outcome is not known.
  await answers.keep(call, kept(reply)).catch(() => {})
  return reply
}

/** Begins the call, or waits for the answer of the first one. */
async function beginOrWait(answers: KeptAnswers, call: KeyedCall, waitMs: number): Promise<KeptAnswer | null> {
  const endsMs = performance.now() + waitMs
  for (;;) {
    const first: FirstCall | null = await answers.begin(call)
    if (first === null) return null
    if (first.requestHash !== call.requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
    if (first.answer !== null) return first.answer
    if (performance.now() > endsMs)
      throw new GatewayError('OUTCOME_UNKNOWN', {
        message: 'The first call with this Idempotency-Key has no answer: it may or may not have happened.',
      })
    await pause(LOOK_MS)
  }
}

function kept(reply: unknown): KeptAnswer {
  if (reply instanceof Created) return { status: 201, reply: reply.reply }
  if (reply instanceof Accepted) return { status: 202, reply: reply.reply }
  return { status: 200, reply }
}

function given({ status, reply }: KeptAnswer): unknown {
  if (status === 201) return new Created(reply)
  return status === 202 ? new Accepted(reply) : reply
}
