/** Sends do not wait for ever for a commit that PostgreSQL does not answer, as when its synchronous standby is away. */

import { withTimeLimit } from '../../lib/time-limit.js'
import { GatewayError } from '../../schemas/errors.js'
import type { LocalInstances } from '../cluster/router-types.js'

/** A commit mostly takes milliseconds. */
export const UNANSWERED_MAX_MS = 4_000
/** Time between two looks at the journal, once a send has waited for long. */
const LOOK_MS = 500

const SENDS: ReadonlySet<string> = new Set(['send', 'schedule', 'revise'])

export interface StorePatience {
  /** Time for which the present commit of the journal has not been answered; 0 when there is none. */
  readonly unansweredMs: () => number
  /** SEND_ACK_TIMEOUT_MS. */
  readonly ackTimeoutMs: number
}

/**
 * Refuses a send at once while a commit is not answered, and one that was accepted before after `ackTimeoutMs`. The row of the latter may be
 * stored: then the message is sent, and a call with the same `Idempotency-Key` gets its answer.
 */
export function withStorePatience(
  ask: LocalInstances['ask'],
  { unansweredMs, ackTimeoutMs }: StorePatience,
): LocalInstances['ask'] {
  const isStuck = (): boolean => unansweredMs() >= UNANSWERED_MAX_MS

  return async (instance, command, context) => {
    if (!SENDS.has(command.type)) return await ask(instance, command, context)
    if (isStuck())
      throw new GatewayError('STORE_UNAVAILABLE', { message: 'PostgreSQL does not answer a commit; nothing was sent.' })
    const answered = ask(instance, command, context).then((reply) => ({ reply }))
    answered.catch(() => {})
    for (let waitMs = ackTimeoutMs; ; waitMs = LOOK_MS) {
      const result = await withTimeLimit(answered, waitMs, () => null)
      if (result !== null) return result.reply
      if (isStuck())
        throw new GatewayError('OUTCOME_UNKNOWN', {
          message:
            'PostgreSQL does not answer a commit, so the message may or may not be sent; repeat the call under its Idempotency-Key.',
        })
    }
  }
}
