/** The row of a send that leaves later than its caller waits. Errors are reported while the caller is there. */
import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { BEFORE_MAX, estimateLeavings, withLeaving } from '../../../schemas/leaving-today.js'
import type { ScheduledSend } from '../../../schemas/scheduled-send.js'
import type { SendContent } from '../../../schemas/send-content.js'
import type { SendCommand } from '../../../schemas/send-request.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { SendsContext } from './context.js'
import { reactedMessage, withMessageIds } from './named-messages.js'
import { newRow } from './rows.js'
import { fillContent } from './send-content.js'

export interface LaterRow {
  readonly row: NewMessage
  /** Command that is sent later. */
  readonly request: SendCommand
  readonly warnings: readonly string[]
}

/**
 * Makes the row of a send that leaves later. The message that it reacts to may be gone when it leaves.
 * @param both the chat with all addresses that are known of it
 * @throws GatewayError MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD
 */
export async function laterRow(
  context: SendsContext,
  command: SendCommand,
  chat: ChatAddress,
  both: ChatAddress,
): Promise<LaterRow> {
  const { id, reader, account } = context
  const { command: named, warnings } = await withMessageIds(context, command)
  if (named.content.kind === 'reaction') await reactedMessage(context, named.content.id, both)
  const row = newRow(named, chat, 'queued', account.own ?? (await reader.owner(id)))
  return { row, request: { ...named, options: { ...named.options, async: false } }, warnings }
}

/** Returns warnings about unknown placeholders, while the caller can still read them. The texts are filled when the message leaves. */
export async function placeholderWarnings(
  { reader, id }: Pick<SendsContext, 'id' | 'reader'>,
  content: SendContent,
  chat: ChatAddress,
): Promise<readonly string[]> {
  if (content.kind === 'reaction' || content.kind === 'forward' || content.kind === 'vote') return []
  try {
    return (await fillContent(content, () => reader.placeholderValues(id, chat))).warnings
  } catch (error) {
    // The present values make the menu invalid. They may have changed when it leaves.
    if (error instanceof GatewayError) return []
    throw error
  }
}

/** Tells when a scheduled send leaves. */

/** Returns the record of a send; while it is scheduled, with the estimate. */
export async function recordWithLeaving(
  { id, reader, pacer }: Pick<SendsContext, 'id' | 'reader' | 'pacer'>,
  { messageid, status, record }: ScheduledSend,
): Promise<ScheduledSend['record']> {
  if (status !== 'scheduled') return record
  const [nowMs, { nextSendAtMs }, queuedMs, intervalMs] = await Promise.all([
    pacer.nowMs(),
    pacer.report(),
    pacer.meanIntervalMs('queued'),
    pacer.meanIntervalMs('scheduled'),
  ])
  const [queued, duesMs] = await Promise.all([
    reader.queuedCount(id),
    reader.duesUpTo(id, messageid, BEFORE_MAX + 1, BEFORE_MAX * intervalMs),
  ])
  // Returns no estimate for a send that has left the schedule meanwhile.
  if (duesMs.length === 0) return record
  const busyUntilMs = Math.max(nowMs, nextSendAtMs ?? 0) + queued * queuedMs
  const leavesMs = estimateLeavings({ duesMs, busyUntilMs, intervalMs }).at(-1) ?? busyUntilMs
  return withLeaving(record, leavesMs)
}
