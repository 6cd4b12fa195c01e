import { NOTE } from '../../schemas/message-note.js'
import type { HistoryBatch } from '../network/port/events.js'
import { sourceChanges } from './message-changes.js'
import type { Change, InstanceJournal } from './ports.js'

const HISTORY_CHUNK = 200

/**
 * Writes a history in bounded batches, so that the events of other instances do not wait behind it. Each batch becomes one event
 * `history` with its new messages.
 */
export async function recordHistory(journal: InstanceJournal, batch: HistoryBatch): Promise<void> {
  await journal.write(batch.mappings.map(({ lid, pn }) => ({ type: 'mapping' as const, lid, pn })))
  for (const contacts of chunks(batch.contacts))
    await journal.write(contacts.map((contact) => ({ type: 'contact' as const, contact, history: true })))
  for (const chats of chunks(batch.chats))
    await journal.write(chats.map(({ chat, set }) => ({ type: 'chat' as const, chat, set, history: true })))
  const { request } = batch
  const parts = request === undefined || batch.messages.length > 0 ? chunks(batch.messages) : [[]]
  for (const [index, messages] of parts.entries()) {
    const { messages: stored } = await journal.write(
      messages.flatMap((message): Change[] => [
        { type: 'message', message, announce: false, history: true },
        ...sourceChanges(message),
      ]),
    )
    const told = [...stored.values()].filter(
      ({ inserted, record }) =>
        record.messageType !== NOTE &&
        (inserted || batch.isAgain || (request !== undefined && request.isRepeat !== true)),
    )
    if (request?.isRepeat === true && told.length === 0) continue
    const records = told.map(({ record }) => record)
    const progress =
      request !== undefined
        ? { requestId: request.id, status: 'answered', isComplete: request.isEnd }
        : batch.progressPercent === null
          ? {}
          : { progress: batch.progressPercent }
    await journal.write([
      {
        type: 'event',
        kind: 'history',
        body: { messages: records, batchNumber: index + 1, batchTotal: parts.length, ...progress },
      },
    ])
  }
}

function chunks<T>(list: readonly T[]): T[][] {
  const result: T[][] = []
  for (let start = 0; start < list.length; start += HISTORY_CHUNK) result.push(list.slice(start, start + HISTORY_CHUNK))
  return result
}
