import type { BinaryNode } from '@whiskeysockets/baileys'
import { errorText } from '../../../lib/error-text.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import type { AccountPresence } from '../../../schemas/presence-kind.js'
import type { FileKind } from '../../../schemas/send-content.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { OpenOptions } from '../port/connection.js'
import type { FetchedLimits, LimitsNetwork } from '../port/limits.js'
import type { MediaNetwork, RenewedMedia, UploadedMedia } from '../port/media.js'
import type { PresenceNetwork } from '../port/presence.js'
import { BaileysBusiness } from './abilities/business.js'
import { BaileysCalls } from './abilities/calls.js'
import { BaileysChannels } from './abilities/channels.js'
import { BaileysContacts } from './abilities/contacts.js'
import { BaileysGroups } from './abilities/groups.js'
import { BaileysMessages } from './abilities/messages.js'
import { BaileysPasskey, type PasskeyParts } from './abilities/passkey.js'
import { BaileysSettings } from './abilities/settings.js'
import { readCap, readReachout } from './account-limits.js'
import { Acknowledgements } from './acknowledgements/acknowledgements.js'
import { AddressForms } from './address-forms.js'
import { type SyncAction, translateSyncAction } from './app-state.js'
import { AppStateWriter } from './app-state-writes.js'
import type { NodeCaches } from './caches.js'
import { ChannelPosts } from './channel-inbound.js'
import { noteHistorySalt, noteSyncedSalt } from './contact-token.js'
import { GroupNames } from './group-names.js'
import { translateHistory } from './history.js'
import { HistoryOnDemand } from './history-on-demand.js'
import { HistoryParts } from './history-parts.js'
import { Inbound } from './inbound.js'
import { EarlyCopies } from './kinds/early-copies.js'
import { LidRefresh } from './lid-refresh.js'
import type { LiveSocket } from './live-socket.js'
import type { MediaHosts } from './media/hosts.js'
import { renewMedia } from './media/renewal.js'
import { uploadForChannel, uploadMedia } from './media/upload.js'
import { queryMex } from './mex.js'
import type { BaileysNetworkOptions, NodeParts } from './options.js'
import { chooseBrowser } from './pairing.js'
import { Placeholders } from './placeholders/placeholders.js'
import { NetworkRelays } from './relays.js'
import { sendRetryReceipt } from './retries/retry-receipt.js'
import { RetryRequests } from './retries/retry-requests.js'
import { WaitingNotes } from './secrets/waiting-notes.js'
import { SentMessages } from './sent-messages.js'
import { TrafficLog } from './traffic-log.js'
import { readOwnUsername } from './usernames.js'

export interface ConnectionPartsOptions {
  readonly options: BaileysNetworkOptions
  readonly open: OpenOptions
  readonly live: LiveSocket
  readonly node: NodeParts
  readonly caches: ReturnType<NodeCaches['forInstance']>
  /** Ends the connection during a pairing. */
  readonly endPairing: PasskeyParts['end']
}

export type ConnectionParts = ReturnType<typeof createConnectionParts>

/** Makes the parts of one connection. They work once the library's socket is made. */
export function createConnectionParts(scope: ConnectionPartsOptions) {
  const { options, live, caches } = scope
  const onSyncAction = (action: SyncAction, isFirst: boolean): void => {
    if (live.credentials !== undefined && noteSyncedSalt(live.credentials, action))
      live.writeCredentials(live.credentials)
    const event = translateSyncAction(action, isFirst)
    if (event !== null) live.emit(event)
  }
  const appState = new AppStateWriter({
    socket: () => live.live(),
    whileOpen: (work, isChange) => live.whileOpen(work, isChange),
    logger: live.logger,
    onAction: (action) => onSyncAction(action, true),
  })
  const groups = createGroups(scope)
  const contacts = new BaileysContacts(live, appState)
  const forms = new AddressForms({
    group: (group) => groups.get(group),
    own: () => live.own(),
    mapping: (jid) => live.reader.mapping(live.instance, jid),
    lookUp: (numbers) => contacts.lookUpAll(numbers),
  })
  const notes = createNotes(scope)
  const copies = createCopies(scope, notes)
  const history = createHistoryParts(scope, notes, copies)
  const placeholders = createPlaceholders(scope)
  const retries = createRetryRequests(live)
  const relays = new NetworkRelays({ devices: caches.userDevicesCache, group: (jid) => groups.metadata(jid) })
  const [sent, traffic] = [new SentMessages(live), new TrafficLog()]
  const onDemand = new HistoryOnDemand(live)
  const acknowledgements = createAcknowledgements(live, options.onUnknownStanza)
  const { mediaHosts: hosts, tempDir, secretEdits } = options
  const group = (jid: Jid): Promise<GroupInfo> => groups.get(jid)
  return {
    appState,
    onSyncAction,
    history,
    notes,
    copies,
    inbound: createInbound(scope, { groups, history, notes, copies, appState, placeholders, onDemand, retries }),
    placeholders,
    retries,
    acknowledgements,
    posts: createPosts(live, acknowledgements),
    relays,
    sent,
    traffic,
    messages: new BaileysMessages({ live, forms, relays, sent, traffic, onDemand, group, secretEdits }),
    contacts,
    lids: createLidRefresh(live, contacts),
    settings: new BaileysSettings(live, { appState, forms, history }),
    media: new BaileysMedia({ live, forms, hosts, tempDir }),
    calls: new BaileysCalls(live, relays),
    business: new BaileysBusiness(live, hosts),
    channels: new BaileysChannels(live),
    groups,
    passkey: createPasskey(scope),
    limits: new BaileysLimits(live),
    presence: new BaileysPresence(live),
  }
}

function createPosts(live: LiveSocket, acknowledgements: Pick<Acknowledgements, 'acknowledge'>): ChannelPosts {
  return new ChannelPosts({
    own: () => live.own(),
    emit: (event) => live.emit(event),
    journal: live.journal,
    acknowledge: (node) => acknowledgements.acknowledge(node),
    fail: (error) => live.fail(error),
    isClosed: () => live.isClosed,
  })
}

function createLidRefresh(live: LiveSocket, contacts: BaileysContacts): LidRefresh {
  return new LidRefresh({
    findNumber: (lid) => live.reader.mapping(live.instance, lid),
    lookUp: async (number) => (await contacts.lookUpAll([number])).get(number),
    learned: (mapping) => live.emit({ type: 'mappings', mappings: [mapping] }),
    failed: (error) => {
      if (!live.isClosed)
        live.logger.warn({ error: errorText(error) }, 'The LID of a person could not be looked up again.')
    },
  })
}

function createPasskey({ options, open: { pairing }, live, endPairing }: ConnectionPartsOptions): BaileysPasskey {
  const browser = pairing === null ? null : chooseBrowser(pairing)[1]
  return new BaileysPasskey({ live, browser, isEnabled: options.passkeyPairing, end: endPairing })
}

function createGroups({ open, live, node }: ConnectionPartsOptions): BaileysGroups {
  return new BaileysGroups({
    instance: live.instance,
    life: `${live.instance}@${open.epoch}`,
    memory: node.groups,
    stored: (group) => live.reader.group(live.instance, group),
    query: (request) => live.query(request),
    emit: (event) => live.emit(event),
    own: () => live.own(),
  })
}

function createNotes({ open, live }: ConnectionPartsOptions): WaitingNotes {
  return new WaitingNotes({
    instance: live.instance,
    journal: open.journal,
    reader: live.reader,
    own: () => live.own(),
    emit: (event) => live.emit(event),
    isClosed: () => live.isClosed,
    logger: live.logger,
  })
}

function createCopies({ open, live }: ConnectionPartsOptions, notes: WaitingNotes): EarlyCopies {
  const copies = new EarlyCopies({
    instance: live.instance,
    journal: open.journal,
    reader: live.reader,
    own: () => live.own(),
    emit: (event) => live.emit(event),
    came: (messageids) => notes.came(messageids),
    isClosed: () => live.isClosed,
    logger: live.logger,
  })
  live.onClose(() => copies.stop())
  return copies
}

function createHistoryParts(
  { open, live }: ConnectionPartsOptions,
  notes: WaitingNotes,
  copies: EarlyCopies,
): HistoryParts {
  return new HistoryParts({
    instance: live.instance,
    journal: open.journal,
    reader: live.reader,
    logger: live.logger,
    onUnpacked: (bytes) => {
      if (live.credentials !== undefined && noteHistorySalt(live.credentials, bytes))
        live.writeCredentials(live.credentials)
    },
    live: () => {
      const { socket, credentials } = live
      if (live.isClosed || socket === undefined || credentials === undefined) return undefined
      return { socket, credentials, dispatcher: live.route.dispatcher }
    },
    store: (set, isAgain, contents) =>
      new Promise((resolve, reject) => {
        const batch = translateHistory(set, live.own(), isAgain, contents)
        const recorded = (error?: unknown): void => {
          if (error === undefined) {
            notes.recorded(batch.messages)
            copies.cameFor(batch.messages.map(({ messageid }) => messageid))
            resolve()
          } else reject(error)
        }
        // Also after the end of the connection: `live.emit` would never call `recorded` then.
        open.on({ type: 'history', batch, recorded })
      }),
  })
}

function createPlaceholders({ options, live }: ConnectionPartsOptions): Placeholders {
  const placeholders = new Placeholders({
    instance: live.instance,
    journal: live.journal,
    reader: live.reader,
    logger: live.logger,
    timing: options.phoneRequests,
    socket: () => (live.isOpen && !live.isClosed ? live.socket : undefined),
    own: () => live.own(),
    pairing: () => Buffer.from(live.credentials?.signedIdentityKey.public ?? []).toString('base64'),
    emit: (event) => live.emit(event),
  })
  live.onClose(() => placeholders.stop())
  return placeholders
}

function createRetryRequests(live: LiveSocket): RetryRequests {
  const retries = new RetryRequests({
    send: (receipt) => sendRetryReceipt(live.live(), receipt),
    isOpen: () => live.isOpen && !live.isClosed,
    failed: (error) => {
      if (!live.isClosed) live.logger.warn({ error: errorText(error) }, 'A message was not requested again.')
    },
    onFull: () => live.logger.warn('Too many messages cannot be decrypted. The phone is asked for the further ones.'),
  })
  live.onClose(() => retries.stop())
  return retries
}

interface InboundSources {
  readonly groups: BaileysGroups
  readonly history: HistoryParts
  readonly notes: WaitingNotes
  readonly copies: EarlyCopies
  readonly appState: AppStateWriter
  readonly placeholders: Placeholders
  readonly onDemand: HistoryOnDemand
  readonly retries: RetryRequests
}

function createInbound(
  { options, open, live, node }: ConnectionPartsOptions,
  { groups, history, notes, copies, appState, placeholders, onDemand, retries }: InboundSources,
): Inbound {
  return new Inbound({
    instance: live.instance,
    journal: open.journal,
    reader: live.reader,
    me: () => live.credentials?.me,
    emit: (event) => live.emit(event),
    hasSenderKey: async (group, meId) => (await live.socket?.signalRepository.hasSenderKey({ group, meId })) ?? false,
    emitted: node.emitted,
    groupNames: new GroupNames({
      instance: live.instance,
      reader: live.reader,
      learn: (group) => groups.learn(group),
      named: node.emitted,
      logger: live.logger,
    }),
    fail: (error) => live.fail(error),
    history,
    notes,
    copies,
    placeholders,
    retries,
    blocked: options.blocked,
    onPhoneAnswer: (answer) => {
      appState.onPhoneAnswer(answer)
      onDemand.onPhoneAnswer(answer)
    },
  })
}

class BaileysPresence implements PresenceNetwork {
  readonly #live: LiveSocket

  constructor(live: LiveSocket) {
    this.#live = live
  }

  async show(presence: AccountPresence): Promise<void> {
    const socket = this.#live.live()
    // Without a name the library sends nothing and says nothing.
    if (!this.#live.credentials?.me?.name) throw new GatewayError('PROFILE_NAME_UNKNOWN')
    await this.#live.whileOpen(socket.sendPresenceUpdate(presence))
  }

  async subscribe(person: ChatAddress): Promise<void> {
    const socket = this.#live.live()
    await this.#live.whileOpen(socket.presenceSubscribe(person.lid ?? toChatId(person)))
  }
}

/** Maximum number of unknown kinds of stanzas that the log of one connection names, and of characters of each. */
const NAMED_MAX = 20
const NAME_MAX = 50

/** Creates the acknowledgements of one connection. */
function createAcknowledgements(live: LiveSocket, onUnknownStanza: () => void): Acknowledgements {
  const named = new Set<string>()
  return new Acknowledgements({
    socket: () => live.socket,
    ownDevice: () => live.credentials?.me?.id,
    isClosed: () => live.isClosed,
    isCongested: () => live.websocket?.isCongested ?? true,
    onUnknown: (tag) => {
      onUnknownStanza()
      const name = tag.slice(0, NAME_MAX)
      if (named.size >= NAMED_MAX || named.has(name)) return
      named.add(name)
      live.logger.warn({ tag: name }, 'WhatsApp sent a stanza of an unknown kind. It was refused.')
    },
    failed: (error) => {
      // After the end of this connection the network sends the stanza again, to the next one.
      if (!live.isClosed) live.logger.warn({ error: errorText(error) }, 'A stanza was not acknowledged.')
    },
  })
}

interface BaileysMediaOptions {
  readonly live: LiveSocket
  readonly forms: Pick<AddressForms, 'author'>
  readonly hosts: MediaHosts
  /** Folder for encrypted files during their upload. */
  readonly tempDir: string
}

class BaileysMedia implements MediaNetwork {
  readonly #options: BaileysMediaOptions

  constructor(options: BaileysMediaOptions) {
    this.#options = options
  }

  async upload(kind: FileKind, file: AsyncIterable<Uint8Array>, isForChannel = false): Promise<UploadedMedia> {
    const { live, hosts, tempDir } = this.#options
    return await (isForChannel ? uploadForChannel : uploadMedia)(kind, file, {
      hosts: { ...hosts, dispatcher: live.route.dispatcher },
      tempDir,
      place: (renewed) => live.whileOpen(live.live().refreshMediaConn(renewed)),
      onFailure: (error) => live.logger.warn({ error: errorText(error) }, 'A media host refused a file.'),
    })
  }

  async renew(message: MessageForActor): Promise<RenewedMedia> {
    const { live, forms } = this.#options
    const author = await forms.author(message)
    return await live.whileOpen(renewMedia(live.live(), message, { meId: live.own().jid, author }))
  }
}

/** Fields of the answers. */
const ANSWERS = {
  messageCapping: 'xwa2_message_capping_info',
  ownUsername: 'xwa2_username_get',
  reachoutTimelock: 'xwa2_fetch_account_reachout_timelock',
} as const

class BaileysLimits implements LimitsNetwork {
  readonly #live: LiveSocket

  constructor(live: LiveSocket) {
    this.#live = live
  }

  async fetch(): Promise<FetchedLimits> {
    const input = { type: 'INDIVIDUAL_NEW_CHAT_MSG' }
    const [reachout, cap] = await Promise.all([
      this.#lookUp(async () => readReachout((await this.#query('reachoutTimelock', {})) ?? null)),
      this.#lookUp(async () => readCap((await this.#query('messageCapping', { input })) ?? null)),
      this.#askForUsername(),
    ])
    const errors = {
      ...(reachout.error === undefined ? {} : { reachout: reachout.error }),
      ...(cap.error === undefined ? {} : { cap: cap.error }),
    }
    return { reachout: reachout.value, cap: cap.value, errors }
  }

  /** Emits the username of the account, which changes as seldom as the restrictions. The network answers 404 if there is none; another refusal changes nothing. */
  async #askForUsername(): Promise<void> {
    const { value, error } = await this.#lookUp(() => this.#query('ownUsername', {}))
    const username = error === '404' ? '' : readOwnUsername(value)
    if (username !== null) this.#live.emit({ type: 'ownUsername', username })
  }

  async #query(name: keyof typeof ANSWERS, variables: Readonly<Record<string, unknown>>) {
    const socket = this.#live.live()
    const ask = (request: BinaryNode) => this.#live.whileOpen(socket.query(request) as Promise<BinaryNode>)
    const data = await queryMex(ask, name, variables, this.#live.queries)
    return data[ANSWERS[name]]
  }

  /** Returns the code of a refusal in `error`. Throws if the connection is over. */
  async #lookUp<T>(work: () => Promise<T | null>): Promise<{ readonly value: T | null; readonly error?: string }> {
    try {
      return { value: await work() }
    } catch (error) {
      const isRefusal = error instanceof GatewayError && error.code === 'NETWORK_REFUSED'
      if (error instanceof GatewayError && !isRefusal) throw error
      const code = isRefusal ? error.fields.provider_code : (error as { data?: unknown }).data
      return { value: null, error: code === undefined ? 'no answer' : String(code) }
    }
  }
}
