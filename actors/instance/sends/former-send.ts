/** Answers a send that was asked for before from its row. */
import { GatewayError } from '../../../schemas/errors.js'
import type { SendReply, SendRequest } from '../../../schemas/send-request.js'
import type { SendsContext } from './context.js'
import type { Delivery } from './delivery.js'
import { recordWithLeaving } from './leaving-time.js'
import { sendRefused, storedRefusal } from './refusals.js'
import type { Relays } from './relays.js'

interface FormerSendParts {
  readonly relays: Relays
  readonly delivery: Delivery
}

/**
 * Answers a repeated command, or one with an idempotency key that was used. Returns null if the message has not left and will not.
 * @throws GatewayError IDEMPOTENCY_CONFLICT, SEND_REFUSED
 */
export async function answerFromRow(
  context: SendsContext,
  parts: FormerSendParts,
  command: SendRequest,
): Promise<SendReply | null> {
  const { reader, id } = context
  // Before each look at the messages: a scheduled send may become one meanwhile.
  const scheduled = await scheduledBefore(context, command)
  if (scheduled !== null) return scheduled
  if (command.idempotencyKey === undefined) return command.isRepeat ? await askedBefore(context, parts, command) : null
  // Not by the message id, which another request under the same key has too.
  const first = await reader.messageByIdempotencyKey(id, command.idempotencyKey)
  if (first === null) return null
  if (first.requestHash !== command.requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
  const former = await askedBefore(context, parts, { ...command, messageid: first.messageid })
  return former === null ? null : { ...former, ...formerOf(command.isRepeat) }
}

/** @throws GatewayError IDEMPOTENCY_CONFLICT */
async function scheduledBefore(
  context: SendsContext,
  { isRepeat, messageid, idempotencyKey, requestHash }: SendRequest,
): Promise<SendReply | null> {
  const { reader, journal, id } = context
  if (isRepeat) await journal.settled()?.catch(() => {})
  if (idempotencyKey === undefined) {
    const [same] = isRepeat ? await reader.scheduledSends(id, [messageid]) : []
    return same === undefined ? null : { record: await recordWithLeaving(context, same), warnings: [] }
  }
  const first = await reader.scheduledByIdempotencyKey(id, idempotencyKey)
  if (first === null) return null
  if (first.requestHash !== requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
  return { record: await recordWithLeaving(context, first), warnings: [], ...formerOf(isRepeat) }
}

/** A repeated command may be the one that has made the row. */
function formerOf(isRepeat: boolean | undefined): Pick<SendReply, 'isFormer'> {
  return isRepeat ? {} : { isFormer: true }
}

/**
 * Answers a send from its row: throws a refusal as it was thrown the first time, and waits for a message without an answer. Returns null
 * if there is no row: then the message has not left and will not. A former owner writes no more, and our own writes are awaited.
 */
async function askedBefore(
  context: SendsContext,
  { relays, delivery }: FormerSendParts,
  command: SendRequest,
): Promise<SendReply | null> {
  const { journal, reader, id } = context
  // Waits before it reads the row, so that an answer in between is not missed.
  const answer = relays.answers.wait(command.messageid)
  await journal.settled()?.catch(() => {})
  const rows = await reader.messagesById(id, [command.messageid]).catch((error: unknown) => {
    answer.stop()
    throw error
  })
  const row = rows.find(({ fromMe }) => fromMe)
  if (row?.status !== 'pending' || command.options.async) answer.stop()
  if (row === undefined) return null
  if (row.status === 'failed') throw storedRefusal(command.messageid, row)
  if (row.status !== 'pending' || command.options.async) return { record: row.record, warnings: [] }
  // The open connection relays the message, or has relayed it.
  const outcome = await answer.outcome
  if (outcome.status === 'failed') throw sendRefused(command.messageid, outcome.code, outcome.why)
  delivery.markReadAfter(command, row.chat)
  return { record: { ...row.record, status: outcome.status }, warnings: [] }
}
