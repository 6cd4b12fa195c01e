import { checkFilledMenu } from '../../../schemas/choices/limits.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import { parseAddress } from '../../../schemas/jid.js'
import type {
  CancelScheduledReply,
  CancelScheduledRequest,
  RescheduleRequest,
  ScheduledContent,
  ScheduledSend,
} from '../../../schemas/scheduled-send.js'
import type { MediaKind, SendContent } from '../../../schemas/send-content.js'
import type { ReviseCommand, ReviseReply, SendReply } from '../../../schemas/send-request.js'
import type { SendsContext } from './context.js'
import { placeholderWarnings, recordWithLeaving } from './later-row.js'
import { scheduleEvent } from './schedule-event.js'
import type { ScheduledSends } from './scheduled-sends.js'
import { bareMessageId, describeRow } from './send-content.js'

type RevisionsContext = Pick<SendsContext, 'id' | 'journal' | 'reader' | 'pacer' | 'wakeDueIn'>

interface FoundSend {
  readonly send: ScheduledSend | null
  readonly messageid: MessageId
}

const CANCELED_AT_ONCE = 200
const CAPTIONED: ReadonlySet<MediaKind> = new Set(['image', 'video', 'gif', 'document'])

/** Changes and cancels sends that are scheduled. */
export class ScheduleRevisions {
  readonly #context: RevisionsContext
  readonly #scheduled: Pick<ScheduledSends, 'alone'>

  constructor(context: RevisionsContext, scheduled: Pick<ScheduledSends, 'alone'>) {
    this.#context = context
    this.#scheduled = scheduled
  }

  /** @throws GatewayError MESSAGE_NOT_FOUND, SCHEDULE_TAKEN, SCHEDULE_CHANGED, INVALID_REQUEST */
  reschedule(command: RescheduleRequest): Promise<SendReply> {
    return this.#scheduled.alone(async () => ({ result: await this.#reschedule(command), added: 0 }))
  }

  /** Cancels one send, or all of a chat or with an id of the caller. @throws GatewayError MESSAGE_NOT_FOUND, SCHEDULE_TAKEN */
  async cancel({ id, chat, trackId }: CancelScheduledRequest): Promise<CancelScheduledReply> {
    if (id !== undefined) return await this.#cancelOne(id)
    const which = {
      ...(chat === undefined ? {} : { chat: parseAddress(chat, 'chat') }),
      ...(trackId === undefined ? {} : { trackId }),
    }
    let canceled = 0
    for (;;) {
      const { reader, id: instance } = this.#context
      const count = await this.#scheduled.alone(async () => {
        const sends = await reader.listScheduled(instance, which, CANCELED_AT_ONCE)
        await this.#end(sends)
        return { result: sends.length, added: -sends.length }
      })
      canceled += count
      if (count < CANCELED_AT_ONCE) return { canceled }
    }
  }

  /**
   * Cancels a scheduled send that its caller deletes. Returns null if there is none.
   * @throws GatewayError MESSAGE_NOT_SENT if its caller edits it as a message
   */
  async revise({ id, revision }: ReviseCommand): Promise<ReviseReply | null> {
    const { reader, id: instance } = this.#context
    const [send] = await reader.scheduledSends(instance, [bareMessageId(id)])
    if (send === undefined) return null
    if (revision.kind === 'edit')
      throw new GatewayError('MESSAGE_NOT_SENT', {
        message: 'The message has not been sent: POST /message/scheduled/edit changes one that is scheduled.',
      })
    const reply = { messageid: send.messageid, timestampMs: Date.now(), content: {} }
    try {
      await this.#cancelOne(id)
      return reply
    } catch (error) {
      // It was queued meanwhile, and is canceled or deleted as a message.
      if (error instanceof GatewayError && error.code === 'SCHEDULE_TAKEN') return null
      throw error
    }
  }

  #cancelOne(id: string): Promise<CancelScheduledReply> {
    return this.#scheduled.alone(async () => {
      const { send, messageid } = await this.#find(id, 'canceled')
      if (send !== null) await this.#end([send])
      const canceled = send === null ? 0 : 1
      return { result: { canceled, messageid }, added: -canceled }
    })
  }

  async #reschedule(command: RescheduleRequest): Promise<SendReply> {
    const { reader, id: instance, journal, wakeDueIn } = this.#context
    const { send } = await this.#find(command.id)
    if (send === null) throw taken('canceled')
    const isRepeat = send.lastChange === command.messageid
    if (!isRepeat && send.revision !== command.revision)
      throw new GatewayError('SCHEDULE_CHANGED', { fields: { revision: send.revision } })
    if (isRepeat) return { record: await recordWithLeaving(this.#context, send), warnings: [] }
    const { content, warnings } = await this.#changedContent(send, command)
    const expireAfterMs = command.expireAfterMs ?? send.schedule.expireAfterMs
    const wanted = { ...send.schedule, ...command.schedule, expireAfterMs }
    // A time that has passed is now; the age counts from it.
    const atMs = command.schedule === undefined ? wanted.atMs : Math.max(wanted.atMs, await reader.timeMs())
    const changed = { ...content, messageid: send.messageid, schedule: { ...wanted, atMs } }
    await journal.write([
      { type: 'scheduled', kind: 'change', send: changed, lastChange: command.messageid },
      scheduleEvent('Rescheduled', changed),
    ])
    const [stored] = await reader.scheduledSends(instance, [send.messageid])
    if (stored === undefined) throw new Error('A scheduled send was not stored.')
    wakeDueIn(Math.max(0, -stored.lateMs))
    return { record: await recordWithLeaving(this.#context, stored), warnings }
  }

  async #changedContent(
    { row, request }: ScheduledSend,
    { text, trackId }: RescheduleRequest,
  ): Promise<{ readonly content: ScheduledContent; readonly warnings: readonly string[] }> {
    const content = text === undefined ? request.content : withText(request.content, text)
    const warnings = text === undefined ? [] : await placeholderWarnings(this.#context, content, row.chat)
    const track = trackId === undefined ? {} : { trackId }
    return {
      content: {
        row: { ...row, ...describeRow(content), ...track },
        request: { ...request, content, options: { ...request.options, ...track } },
      },
      warnings,
    }
  }

  /**
   * Finds a send that is scheduled. Returns its message id alone if it has the status `isFine` already.
   * @throws GatewayError MESSAGE_NOT_FOUND, SCHEDULE_TAKEN
   */
  async #find(id: string, isFine?: string): Promise<FoundSend> {
    const { reader, id: instance, journal } = this.#context
    await journal.settled()?.catch(() => {})
    const [send] = await reader.scheduledSends(instance, [bareMessageId(id)])
    if (send?.status === 'scheduled') return { send, messageid: send.messageid }
    // Behind the look at the scheduled sends: one that was queued meanwhile is a message.
    const message = (await reader.messagesNamed(instance, [id])).find(({ fromMe }) => fromMe)
    const status = send?.status ?? message?.status
    if (status === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
    if (status === isFine) return { send: null, messageid: send?.messageid ?? message?.messageid ?? bareMessageId(id) }
    throw taken(status)
  }

  async #end(sends: readonly ScheduledSend[]): Promise<void> {
    if (sends.length === 0) return
    const messageids: readonly MessageId[] = sends.map(({ messageid }) => messageid)
    await this.#context.journal.write([
      { type: 'scheduled', kind: 'end', messageids, status: 'canceled' },
      ...sends.map((send) => scheduleEvent('Canceled', send)),
    ])
  }
}

/** @param status of the message by now */
function taken(status: string): GatewayError {
  return new GatewayError('SCHEDULE_TAKEN', {
    message: `The message is no longer scheduled: its status is ${status}.`,
    fields: { status },
  })
}

/** Returns the content with another text. @throws GatewayError INVALID_REQUEST if it has none, or its menu becomes invalid */
function withText(content: SendContent, text: string): SendContent {
  if (content.kind === 'text') {
    const { linkPreview, previewTitle, previewDescription, ...bare } = content
    const isOfLink = linkPreview !== undefined && text.includes(linkPreview.url)
    return isOfLink ? { ...content, text } : { ...bare, text }
  }
  if (content.kind === 'media' && CAPTIONED.has(content.media)) return { ...content, caption: text }
  if (content.kind === 'menu' || content.kind === 'carousel') {
    const menu = { ...content.menu, text }
    checkFilledMenu(menu)
    return { ...content, menu } as SendContent
  }
  throw new GatewayError('INVALID_REQUEST', {
    message: 'Invalid request: text: this kind of message has none.',
    details: [{ field: 'text', why: 'this kind of message has none' }],
  })
}
