import type { Logger } from 'pino'
import { toChatAddress } from '../../schemas/jid.js'
import { NOTE } from '../../schemas/message-note.js'
import { asFrequentWork } from '../../schemas/work.js'
import type { HistoryBatch, NetworkEvent } from '../network/port/events.js'
import type { AutomaticReading } from './automatic-reading.js'
import type { CallRejections } from './call-rejections.js'
import type { ChannelUpdates } from './channel-updates.js'
import type { Feature } from './feature.js'
import type { HistoryRequests } from './history-requests.js'
import type { Limits } from './limits.js'
import type { LiveConnection } from './live-connection.js'
import type { InstanceEvent } from './machine-events.js'
import { sourceChanges } from './message-changes.js'
import type { OutgoingCalls } from './outgoing-calls.js'
import type { Pacer } from './pacer.js'
import type { Change, InstanceJournal, InstanceMetric, WriteDelay } from './ports.js'
import type { PresenceWatch } from './presence-watch.js'
import { translateEvent } from './recorder.js'
import type { SendsContext } from './sends/context.js'
import { forgetChat } from './sends/resolve.js'
import type { Sends } from './sends/sends.js'

/** Facts that a history sync holds too. */
const IN_HISTORY: ReadonlySet<NetworkEvent['type']> = new Set(['chats', 'contacts', 'chatLabel', 'label', 'quickReply'])

/** Features of events, as the time of the main thread is shown by them. */
const FEATURES: Readonly<Partial<Record<NetworkEvent['type'], string>>> = {
  ...{ message: 'message', note: 'message', revised: 'message', tallied: 'message', receipt: 'message' },
  ...{ unreadable: 'message', undecryptable: 'message', contentLost: 'message', absentContent: 'message' },
  ...{ channelCounts: 'channel' },
  ...{ chats: 'chat', presence: 'chat', contacts: 'contact', blocklist: 'contact', blocked: 'contact' },
  ...{ group: 'group', groups: 'group', groupGone: 'group', groupDoubt: 'group', groupNotice: 'group' },
  ...{ chatLabel: 'label', label: 'label', quickReply: 'quick reply', history: 'history', ack: 'send' },
}

/** The network's codes for a message that a restriction of the account forbids (`NACK_REASONS` of rc14), and for too many messages. */
const RESTRICTED = 463
const TOO_MANY = 429

/** Kinds that this process has logged. As many as the metric has labels at most. */
const loggedKinds = new Set<string>()

function isFirstOfKind(kind: string): boolean {
  const { size } = loggedKinds
  return loggedKinds.add(kind).size > size
}

export interface InboxParts {
  readonly context: SendsContext
  readonly connection: LiveConnection
  readonly sends: Sends
  readonly callRejections: Pick<CallRejections, 'onCall'>
  readonly automaticReading: Pick<AutomaticReading, 'onMessage'>
  readonly features: readonly Feature[]
  readonly limits: Pick<Limits, 'opened' | 'closed' | 'refused' | 'onNotice' | 'forget'>
  readonly pacer: Pick<Pacer, 'rateRefused' | 'paired'>
  readonly presenceWatch: Pick<PresenceWatch, 'take' | 'announce' | 'forget'>
  readonly channelUpdates: Pick<ChannelUpdates, 'opened' | 'closed' | 'forget'>
  readonly historyRequests: Pick<HistoryRequests, 'named' | 'answered'>
  readonly outgoingCalls: Pick<OutgoingCalls, 'take'>
  readonly count: (metric: InstanceMetric) => void
}

/** Takes the events of the network, in order. All that an event makes durable is written before `take` returns. */
export class Inbox {
  readonly #parts: InboxParts
  readonly #logger: Logger
  #historyWrites: Promise<void> = Promise.resolve()
  /** Number of parts of the history that are not stored yet. */
  #historyParts = 0

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#logger = parts.context.logger
  }

  /** Resolves when all parts of the history have been written, or could not be. */
  settled(): Promise<void> {
    return this.#historyWrites
  }

  /** @param tell passes the event to the machine */
  take(event: NetworkEvent, tell: (event: InstanceEvent) => void): void {
    const feature = FEATURES[event.type] ?? 'network'
    const work = { kind: 'event', operation: event.type, feature, instance: this.#parts.context.id, id: '' } as const
    asFrequentWork(work, () => this.#take(event, tell))
  }

  #take(event: NetworkEvent, tell: (event: InstanceEvent) => void): void {
    const { count, sends } = this.#parts
    switch (event.type) {
      case 'qr':
        tell({ type: 'network.qr', text: event.text, lastsMs: event.lastsMs })
        break
      case 'code':
        tell({ type: 'network.code', code: event.code })
        break
      case 'passkey':
        tell({ type: 'network.passkey', publicKey: event.publicKey, lastsMs: event.lastsMs })
        break
      case 'passkeyCode':
        tell({ type: 'network.passkeyCode', code: event.code })
        break
      case 'paired':
        this.#paired(event)
        break
      case 'opened':
        this.#opened(event, tell)
        break
      case 'closed':
        this.#closed(event, tell)
        break
      case 'ack':
        count({ what: 'ack', isTaken: event.error === null })
        if (event.error === RESTRICTED) this.#parts.limits.refused()
        if (event.error === TOO_MANY) this.#parts.pacer.rateRefused()
        sends.acknowledged(event.messageid, event.error)
        if (event.post !== undefined)
          this.#parts.connection.write([{ type: 'channel.post', ...event.post, messageid: event.messageid }])
        break
      case 'limits':
        this.#parts.limits.onNotice(event)
        break
      case 'history':
        this.#recordHistory(event)
        break
      case 'call':
        this.#record(this.#parts.outgoingCalls.take(event))
        this.#parts.callRejections.onCall(event)
        break
      case 'presence':
        if (this.#parts.presenceWatch.take(event)) this.#record(event)
        break
      case 'notUnderstood':
        for (const kind of event.kinds) {
          count({ what: 'notUnderstood', kind })
          if (isFirstOfKind(kind)) this.#logger.warn({ kind }, 'A message has a field that is not known; it is stored.')
        }
        break
      case 'absentContent':
        count({ what: 'absentContent', outcome: event.outcome })
        break
      case 'undecryptable':
        count({ what: 'undecryptable' })
        this.#logger.warn(
          { messageid: event.messageid, reason: event.reason },
          'A message could not be decrypted; it is requested again.',
        )
        break
      default:
        this.#note(event)
        this.#record(event)
        if (event.type === 'message') this.#parts.automaticReading.onMessage(event.message)
    }
  }

  #paired({ jid, lid, platform, isBusiness }: Extract<NetworkEvent, { type: 'paired' }>): void {
    this.#parts.context.account.own = toChatAddress(jid, lid)
    // The picture and the username that are stored may be another account's.
    const former = { profilePicUrl: '', profileUsername: '' }
    const set = { ownerJid: jid, ownerLid: lid, platform, isBusiness, desiredConnected: true, ...former }
    this.#parts.connection.write([{ type: 'instance', set }])
    this.#parts.limits.forget()
    this.#parts.pacer.paired()
    this.#parts.presenceWatch.forget()
    this.#parts.channelUpdates.forget()
  }

  #opened(
    { jid, lid, profileName }: Extract<NetworkEvent, { type: 'opened' }>,
    tell: (event: InstanceEvent) => void,
  ): void {
    const { context, connection, sends, count } = this.#parts
    const own = toChatAddress(jid, lid)
    context.account.own = own
    context.account.profileName = profileName
    count({ what: 'opened' })
    const set = {
      ...(own.pn === undefined ? {} : { ownerJid: own.pn }),
      ...(own.lid === undefined ? {} : { ownerLid: own.lid }),
      ...(profileName === null ? {} : { profileName }),
    }
    connection.write([{ type: 'instance', set }])
    tell({ type: 'network.opened', jid })
    sends.opened()
    this.#parts.limits.opened()
    this.#parts.presenceWatch.announce()
    this.#parts.channelUpdates.opened()
  }

  #closed(event: Extract<NetworkEvent, { type: 'closed' }>, tell: (event: InstanceEvent) => void): void {
    const { connection, count } = this.#parts
    count({ what: 'closed', cause: event.cause })
    this.#parts.limits.closed()
    this.#parts.channelUpdates.closed()
    connection.lastError = event.error
    tell({ ...event, type: 'network.closed' })
  }

  #recordHistory({ batch: part, recorded }: Extract<NetworkEvent, { type: 'history' }>): void {
    const { context, historyRequests } = this.#parts
    const batch = historyRequests.named(part)
    this.#historyParts += 1
    this.#historyWrites = this.#historyWrites
      .then(() => recordHistory(context.journal, batch))
      .then(() => {
        historyRequests.answered(batch)
        recorded()
      })
      .catch(recorded)
      .finally(() => {
        this.#historyParts -= 1
      })
  }

  /** Updates what this node holds in memory. */
  #note(event: NetworkEvent): void {
    const { context, count, sends } = this.#parts
    if (event.type === 'message') {
      const { fromMe, chat } = event.message
      count({ what: 'inbound', isOwn: fromMe })
      if (!fromMe && chat.group === undefined) sends.heard(chat)
    }
    if (event.type === 'profileName') {
      context.account.profileName = event.name
      this.#parts.presenceWatch.announce()
    }
    if (event.type === 'chats') for (const { chat } of event.chats) forgetChat(context, chat)
  }

  /** Writes a fact. One that is newer than the history is written after it, so that it is not overwritten. */
  #record(event: NetworkEvent): void {
    const { connection, features } = this.#parts
    if (this.#historyParts > 0 && IN_HISTORY.has(event.type))
      this.#historyWrites = this.#historyWrites.then(() => connection.write(translateEvent(event)))
    else if (event.type === 'message' && event.message.isQuiet !== true)
      connection.write([
        ...translateEvent(event),
        ...features.flatMap((feature) => feature.listChanges?.(event.message) ?? []),
      ])
    else connection.write(translateEvent(event), this.#chooseDelay(event))
  }

  /** Nobody waits for a receipt, and the network delivers it again until it is acknowledged. An actor that is about to move leaves none behind. */
  #chooseDelay({ type }: NetworkEvent): WriteDelay | undefined {
    return type === 'receipt' && !this.#parts.context.session.isFinishing ? 'later' : undefined
  }
}

const HISTORY_CHUNK = 200

/**
 * Writes a history in bounded batches, so that the events of other instances do not wait behind it. Each batch becomes one event
 * `history` with its new messages.
 */
async function recordHistory(journal: InstanceJournal, batch: HistoryBatch): Promise<void> {
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
