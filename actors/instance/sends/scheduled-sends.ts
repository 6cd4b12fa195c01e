import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { ScheduledContent, ScheduledSend } from '../../../schemas/scheduled-send.js'
import { listContentFiles } from '../../../schemas/send-content.js'
import type { ScheduleCommand, SendCommand, SendReply } from '../../../schemas/send-request.js'
import type { Change } from '../ports.js'
import type { SendsContext } from './context.js'
import { laterRow, placeholderWarnings, recordWithLeaving } from './later-row.js'
import { Lanes } from './relays.js'
import { storedAddresses } from './resolve.js'
import { createAgentPause } from './rows.js'
import { scheduleEvent } from './schedule-event.js'
import { readToday } from './today.js'

/** A send that is due sooner is sent now. */
const AHEAD_MIN_MS = 2_000
/** Maximum of sends that are queued in one write. */
const PAGE = 100
/** Time until the next look while the queue has no room. */
const FULL_MS = 1_000
/** An Idempotency-Key is valid for so long. */
const KEY_VALID_MS = 24 * 60 * 60_000

/**
 * Sends with a time of their own. Until it comes they are rows of a table of their own; then one write queues the message and ends the
 * row, so that a crash leaves one of both. PostgreSQL's clock alone says what is due. All work on these rows runs one after the other.
 */
export class ScheduledSends {
  readonly #context: SendsContext
  readonly #lanes = new Lanes()
  /** Number of sends that wait; null when it is not known. Only the owner writes these rows. */
  #count: number | null = null

  constructor(context: SendsContext) {
    this.#context = context
  }

  /** Runs work on the rows, after all such work before it. `added`: number of sends by which it changes those that wait. */
  async alone<T>(work: () => Promise<{ readonly result: T; readonly added: number }>): Promise<T> {
    return await this.#lanes.run('scheduled', async () => {
      try {
        const { result, added } = await work()
        if (this.#count !== null) this.#count += added
        return result
      } catch (error) {
        this.#count = null
        throw error
      }
    })
  }

  /**
   * Stores a send that leaves at its time. Returns null if that is now.
   * @throws GatewayError SCHEDULE_FULL, INSTANCE_NOT_PAIRED and the errors of `laterRow`
   */
  async accept(command: ScheduleCommand, asked: ChatAddress): Promise<SendReply | null> {
    const { id, reader, account, timing } = this.#context
    const { atMs, expireAfterMs = timing.sendMaxAgeMs } = command.schedule
    const nowMs = await reader.timeMs()
    if (atMs - nowMs < AHEAD_MIN_MS) return null
    if ((account.own ?? (await reader.owner(id))) === null)
      throw new GatewayError('INSTANCE_NOT_PAIRED', {
        message: 'The instance is not paired: no account could send the message at its time.',
      })
    const both = (await storedAddresses(this.#context, asked)) ?? asked
    const { warnings: ofReply, ...content } = await laterRow(this.#context, toSend(command), asked, both)
    const warnings = [...ofReply, ...(await placeholderWarnings(this.#context, command.content, asked))]
    const schedule = { ...command.schedule, expireAfterMs }
    const record = await this.alone(async () => {
      await this.#checkRoom()
      return { result: await this.#keep(content, schedule), added: 1 }
    })
    const startsInMs = atMs - nowMs
    const today = await readToday(this.#context, { kind: 'scheduled', count: 1, startsInMs, chat: both })
    return { record: { ...record, today }, warnings }
  }

  /** Queues the sends that are due, as far as the queue has room, and asks to be called at the next time. */
  async runDue(): Promise<void> {
    await this.alone(async () => {
      let queued = 0
      // Each message of a campaign runs this too, mostly of an instance without scheduled sends.
      if (this.#count === 0) return { result: undefined, added: 0 }
      for (;;) {
        const left = await this.#queueSome()
        queued += left.queued
        if (left.isEmpty === true) {
          this.#count = 0
          return { result: undefined, added: 0 }
        }
        if (!left.hasMore) return { result: undefined, added: -queued }
      }
    })
  }

  async #keep(content: ScheduledContent, schedule: ScheduledSend['schedule']) {
    const { id, reader, journal, wakeDueIn } = this.#context
    const { messageid } = content.request
    const hasFile = listContentFiles(content.request.content).length > 0
    const send = { ...content, messageid, schedule }
    await journal.write([
      { type: 'scheduled', kind: 'keep', send: { ...send, hasFile } },
      scheduleEvent('Scheduled', send),
    ])
    const [stored] = await reader.scheduledSends(id, [messageid])
    if (stored === undefined) throw new Error('A scheduled send was not stored.')
    wakeDueIn(-stored.lateMs)
    return await recordWithLeaving(this.#context, stored)
  }

  /** @throws GatewayError SCHEDULE_FULL */
  async #checkRoom(): Promise<void> {
    const { id, reader, timing } = this.#context
    this.#count ??= await reader.scheduledCount(id)
    if (this.#count >= timing.scheduleMax) throw new GatewayError('SCHEDULE_FULL')
  }

  async #queueSome(): Promise<{ readonly queued: number; readonly hasMore: boolean; readonly isEmpty?: boolean }> {
    const { id, reader, journal, timing, session, count, wakeQueue, wakeDueIn } = this.#context
    await journal.settled()?.catch(() => {})
    const room = Math.min(PAGE, timing.queueMax - (await reader.queuedCount(id)))
    // Without a connection nothing makes room: the sweep looks again.
    if (room <= 0 && session.isConnected) wakeDueIn(FULL_MS)
    if (room <= 0) return { queued: 0, hasMore: false }
    const { due, unreadable } = await reader.dueSends(id, room)
    if (due.length + unreadable.length > 0) {
      await journal.write([...due.flatMap(toQueue), ...ended(due, unreadable)])
      for (const { lateMs } of due) count({ what: 'scheduledDue', lateMs })
      wakeQueue()
      return { queued: due.length + unreadable.length, hasMore: true }
    }
    const nextMs = await reader.nextDueMs(id)
    if (nextMs !== null) wakeDueIn(nextMs)
    return { queued: 0, hasMore: false, isEmpty: nextMs === null }
  }
}

/** Returns the command of an ordinary send. */
export function toSend({ schedule: _, ...request }: ScheduleCommand): SendCommand {
  return { ...request, type: 'send' }
}

/** Returns the changes that queue a send as a message under its id, with the event. */
function toQueue(send: ScheduledSend): Change[] {
  const { row, request, schedule, lateMs, ageMs, recordId } = send
  const { idempotencyKey, requestHash, ...bare } = row
  // The key may be used again by then, and its new message must not stand in the place of this one.
  const key = ageMs < KEY_VALID_MS && idempotencyKey !== undefined ? { idempotencyKey } : {}
  const hash = ageMs < KEY_VALID_MS && requestHash !== undefined ? { requestHash } : {}
  const scheduled = { lateMs: Math.max(0, lateMs), expireAfterMs: schedule.expireAfterMs }
  const queuedRequest = { ...request, scheduled }
  const promised = recordId === '' ? {} : { recordId }
  const message = { ...bare, ...promised, ...key, ...hash, messageTimestampMs: Date.now(), queuedRequest }
  return [
    { type: 'message', message, announce: false },
    ...createAgentPause(request, message.chat),
    scheduleEvent('Queued', send),
  ]
}

function ended(due: readonly ScheduledSend[], unreadable: readonly ScheduledSend['messageid'][]): Change[] {
  const error = 'The stored message cannot be read.'
  return [
    { type: 'scheduled', kind: 'remove', messageids: due.map(({ messageid }) => messageid) },
    ...(unreadable.length === 0
      ? []
      : [{ type: 'scheduled', kind: 'end', messageids: unreadable, status: 'failed', error } as const]),
  ]
}
