import type { MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Change } from '../ports.js'

// Bound: 100, an address.

/** Why a queued message cannot be sent. */
export interface Unsendable {
  /** A sentence. */
  readonly why: string
  /** A word for programs. */
  readonly reason?: 'expired' | 'other_account'
}

/**
 * Returns why a queued message cannot be sent; null if it can be sent.
 * @param oldestMs messages that wait since an earlier time are too old
 */
export function unsendableReason(
  { waitsSinceMs, sender, record }: MessageForActor,
  { own, oldestMs }: { own: ChatAddress | null; oldestMs: number },
): Unsendable | null {
  if (waitsSinceMs < oldestMs) return { why: 'It was not sent within SEND_MAX_AGE_MS.', reason: 'expired' }
  // Another account accepted it: the instance was paired again since. An account that changed its number keeps its LID.
  const isOfOther = sender !== '' && own !== null && sender !== own.pn && ![sender, record.sender_lid].includes(own.lid)
  return isOfOther
    ? {
        why: `The account ${sender.split('@')[0]} was to send it, and is no longer paired with the instance.`,
        reason: 'other_account',
      }
    : null
}

/** Returns the change that marks a message of ours as failed, with its event. */
export function failedUpdate(messageid: MessageId, { why, reason }: Unsendable) {
  return {
    type: 'message.update' as const,
    messageids: [messageid],
    fromMe: true,
    set: { status: 'failed' as const, error: why, queuedRequest: null },
    announce: {
      type: 'Status',
      state: 'Failed',
      event: { IsFromMe: true, error: why, ...(reason === undefined ? {} : { reason }) },
    },
  }
}

/** Returns the change that cancels queued sends, with its events. */
export function canceledUpdate(messageids: readonly MessageId[]): Change {
  return {
    type: 'message.update',
    messageids,
    fromMe: true,
    set: { status: 'canceled', queuedRequest: null },
    announce: { type: 'Status', state: 'Canceled', event: { IsFromMe: true } },
  }
}
