import { rootCertificates } from 'node:tls'
import type { Boom } from '@hapi/boom'
import {
  type AuthenticationCreds,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  isPnUser,
  makeWASocket,
  proto,
  type WASocket,
  type WAVersion,
} from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { GatewayError } from '../../../schemas/errors.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { addressOf, bareJid, type ChatAddress, chatIdOf, isLidJid, userOf } from '../../../schemas/jid.js'
import type { PresenceKind } from '../../../schemas/presence-kind.js'
import type { FileKind } from '../../../schemas/send-content.js'
import type { AskedRevision } from '../../../schemas/send-request.js'
import type { ConnectionHealth } from '../../../schemas/session.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { InstanceJournal } from '../../instance/ports.js'
import { causeOf, causeOfFailure, reactions } from '../disconnects.js'
import type {
  Connection,
  DisconnectCause,
  MessageInput,
  Network,
  NetworkEvent,
  OpenOptions,
  OutgoingMessage,
  OutputGuard,
  PresenceState,
  RejectedCall,
  SharedChange,
  UploadedMedia,
} from '../port.js'
import { AddressForms } from './address-forms.js'
import { type SyncAction, translateSyncAction } from './app-state.js'
import { AppStateWriter, lastMessages, modificationOf } from './app-state-writes.js'
import {
  createKeyCache,
  createSignalKeys,
  decodeCredentials,
  encodeCredentials,
  freshCredentials,
  isPaired,
  type KeyCache,
  type SignalKeys,
} from './auth-state.js'
import { readBlockChanges, readBlocklist } from './blocklist.js'
import { createNodeCaches } from './caches.js'
import { rejection, tellCalls } from './calls.js'
import { connectionJournal } from './connection-journal.js'
import { Connector, reset } from './connector.js'
import { relayToGroup } from './direct/group-relay.js'
import { type DirectMessage, relayDirectly } from './direct/relay.js'
import { translateGroupChange } from './group-changes.js'
import { mendGroupEncryption } from './group-encryption.js'
import { GroupNames } from './group-names.js'
import { Groups } from './groups.js'
import { chatAddress, chatFields, translateHistory } from './history.js'
import { HistoryParts } from './history-parts.js'
import { Inbound } from './inbound.js'
import { extraNodes } from './interactive.js'
import { libraryLogger } from './library-logger.js'
import type { MediaHosts } from './media/hosts.js'
import { renewMedia } from './media/renewal.js'
import { uploadMedia } from './media/upload.js'
import { messageIdOf } from './message-id.js'
import { lookUpNumbers } from './number-look-up.js'
import { composeMessage, composeRevision, keyOf, mentionedBy, recallMessage, stanzaAttributes } from './outgoing.js'
import { type GatedSocket, gateOutput, type OutputGate } from './output-gate.js'
import { browserTriple, codeBrowser } from './pairing.js'
import { PairingOffer } from './pairing-offer.js'
import { pruneDaily, prunePrivacyTokens, withoutTokenIndex } from './privacy-tokens.js'
import { answerReceipts, type SentTo } from './receipt-answers.js'
import { translateReceipt } from './receipts.js'
import { mendSessionDecryption } from './session-decryption.js'
import { wrapSignalRepository } from './signal-repository.js'
import { signalTurns } from './signal-turns.js'
import { relaysInTurn, withSharedTransactions } from './transactions.js'
import { type ConnectionTraffic, createWatchdog, PendingMessages, type Watchdog, type Watched } from './watchdog.js'
import { useNativeX25519 } from './x25519.js'
import { useNativeXeddsa } from './xeddsa.js'

export interface BaileysNetworkOptions {
  readonly logger: Logger
  /** Undefined: the real network. */
  readonly websocketUrl: string | undefined
  readonly version: readonly [number, number, number] | undefined
  /** PEM, for a network whose certificate nobody else knows. */
  readonly certificateAuthority: string | undefined
  /** This node's name, told at the upgrade to a network that is not the real one, so that it can log who connected. */
  readonly nodeId: string
  /** Asked before each frame. */
  readonly guard: OutputGuard
  /** Told how long each frame waited for its causes, where it did; for metrics. */
  readonly onFrameHeld: (heldMs: number) => void
  readonly pairingCodeWindowMs: number
  /** Keys kept decoded in memory, for all instances together. */
  readonly keysCachedMax: number
  /** After so long without a frame, or without an answer to a message, a connection is taken for dead. */
  readonly silenceMaxMs: number
  readonly answerMaxMs: number
  readonly mediaHosts: MediaHosts
  /** For files on their way. */
  readonly tempDir: string
}

/** Baileys gives up the pending events of a fresh login only when told that the offline queue ended; sometimes it is not (issue 2810). */
const BUFFER_STUCK_MS = 30_000
/** As the library holds them after work of its own (`createBufferedFunction`). */
const EVENTS_HELD_MAX_MS = 100
/** Of all instances together; a group of a thousand members takes about 150 KiB, most take a few. */
const GROUPS_CACHED_MAX = 5_000
const LOGOUT_WAIT_MS = 3_000
const CHANGES_MAX = 100

export function createBaileysNetwork(options: BaileysNetworkOptions): Network {
  mendSessionDecryption()
  mendGroupEncryption()
  useNativeXeddsa()
  useNativeX25519()
  const { certificateAuthority } = options
  const connector = new Connector(
    certificateAuthority === undefined ? {} : { ca: [...rootCertificates, certificateAuthority] },
  )
  const keyCache: KeyCache = createKeyCache(options.keysCachedMax)
  const caches = createNodeCaches(20_000)
  const groups = new LRUCache<string, GroupInfo>({ max: GROUPS_CACHED_MAX })
  const told = new LRUCache<string, string>({ max: 20_000 })
  const resets = new LRUCache<string, true>({ max: 20_000 })
  const watchdog = createWatchdog({
    silenceMaxMs: options.silenceMaxMs,
    answerMaxMs: options.answerMaxMs,
    isFirst(messageId) {
      const isFirst = !resets.has(messageId)
      resets.set(messageId, true)
      return isFirst
    },
  })
  return {
    isPaired: (credentials) => isPaired(decodeCredentials(credentials)),
    open: (open) =>
      new BaileysConnection(options, open, {
        connector,
        keyCache,
        groups,
        told,
        watchdog,
        caches: caches.forInstance(open.instance, open.epoch),
      }),
  }
}

/** What the library has of `ws`. */
type Websocket = GatedSocket & NodeJS.EventEmitter & { close(): void; terminate(): void }

interface Shared {
  readonly connector: Connector
  readonly groups: LRUCache<string, GroupInfo>
  readonly keyCache: KeyCache
  readonly told: LRUCache<string, string>
  readonly watchdog: Watchdog
  readonly caches: ReturnType<ReturnType<typeof createNodeCaches>['forInstance']>
}

/** One Baileys socket and what stands around it; the only caller of the library. */
class BaileysConnection implements Connection, Watched {
  readonly #options: BaileysNetworkOptions
  readonly #open: OpenOptions
  readonly #journal: InstanceJournal
  /** Ends of calls that wait for the library. */
  readonly #waiting = new Set<() => void>()
  readonly #shared: Shared
  readonly #logger: Logger
  readonly #done: Promise<void>
  #resolveDone: () => void = () => {}
  #socket: WASocket | undefined
  #credentials: AuthenticationCreds | undefined
  #keys: SignalKeys | undefined
  #websocket: Websocket | undefined
  #gate: OutputGate | undefined
  #isClosed = false
  #isOpen = false
  /** The network's server took the connection, whatever came of the login. */
  #wasReached = false
  #offer: PairingOffer | undefined
  #bufferTimer: NodeJS.Timeout | undefined
  #releaseTimer: NodeJS.Timeout | undefined
  /** What waited for us at the network has come. */
  #isQueueRead = false
  /** The profile name that was told last. */
  #toldName: string | undefined
  readonly #inbound: Inbound
  readonly #history: HistoryParts
  readonly #appState: AppStateWriter
  readonly #forms: AddressForms
  readonly groups: Groups
  readonly #unacknowledged = new PendingMessages()
  #lastFrameAtMs = performance.now()
  #lastMessageAtMs: number | null = null
  #lastAckAtMs: number | null = null
  #unwatch: () => void = () => {}
  #prune: () => Promise<void> = async () => {}
  #endPruning: () => void = () => {}
  #relayInTurn: ReturnType<typeof relaysInTurn> = (relay) => relay()
  /** The last edits and deletions: who could not read one may ask for it again, and they have no row. */
  readonly #changes = new Map<string, { readonly chat: ChatAddress; readonly message: proto.IMessage }>()
  /** Messages in the library to people of whom only the number is known. */
  #byNumber = 0
  #relayDirectly: (message: DirectMessage) => Promise<boolean> = async () => false
  #relayToGroup: (message: DirectMessage) => Promise<void> = async () => {}

  constructor(options: BaileysNetworkOptions, open: OpenOptions, shared: Shared) {
    this.#options = options
    this.#open = open
    this.#journal = connectionJournal(open.journal, () => this.#isClosed)
    this.#shared = shared
    this.#logger = options.logger.child({ instanceId: open.instance })
    this.#done = new Promise((resolve) => {
      this.#resolveDone = resolve
    })
    this.#history = new HistoryParts({
      instance: open.instance,
      journal: open.journal,
      reader: open.reader,
      logger: this.#logger,
      live: () => {
        const [socket, credentials] = [this.#socket, this.#credentials]
        return this.#isClosed || socket === undefined || credentials === undefined ? undefined : { socket, credentials }
      },
      store: (set, isAgain) =>
        new Promise((resolve, reject) => {
          const batch = translateHistory(set, this.#own(), isAgain)
          const recorded = (error?: unknown): void => (error === undefined ? resolve() : reject(error))
          open.on({ type: 'history', batch, recorded })
        }),
    })
    this.#inbound = new Inbound({
      instance: open.instance,
      journal: open.journal,
      reader: open.reader,
      me: () => this.#credentials?.me,
      tell: (event) => this.#tell(event),
      hasSenderKey: async (group, meId) =>
        (await this.#socket?.signalRepository.hasSenderKey({ group, meId })) ?? false,
      told: shared.told,
      groupNames: new GroupNames({
        instance: open.instance,
        reader: open.reader,
        learn: (group) => this.groups.learn(group),
        named: shared.told,
        logger: this.#logger,
      }),
      fail: (error) => this.#fail(error),
      history: this.#history,
      answered: (answer) => this.#appState.answered(answer),
    })
    this.groups = new Groups({
      instance: open.instance,
      life: `${open.instance}@${open.epoch}`,
      memory: shared.groups,
      stored: (group) => open.reader.group(open.instance, group),
      query: (request) => this.#whileOpen(this.#live().query(request) as Promise<BinaryNode>),
      tell: (event) => this.#tell(event),
      own: () => this.#own(),
    })
    this.#forms = new AddressForms({
      group: (group) => this.groups.get(group),
      own: () => this.#own(),
      mapping: (jid) => open.reader.mapping(open.instance, jid),
      lookUp: (numbers) => this.lookUpAll(numbers),
    })
    this.#appState = new AppStateWriter({
      socket: () => this.#live(),
      whileOpen: (work) => this.#whileOpen(work),
      logger: this.#logger,
      tell: (action) => this.#tellAction(action, true),
    })
    this.#start().catch((error: unknown) => this.#fail(error))
  }

  #tellAction(action: SyncAction, isFirst: boolean): void {
    const event = translateSyncAction(action, isFirst)
    if (event === null) return
    this.#tell(event)
  }

  async #start(): Promise<void> {
    const { instance, reader, pairing, epoch } = this.#open
    const journal = this.#journal
    const stored = pairing === null ? await reader.credentials(instance) : null
    if (pairing === null && stored === null) {
      this.#finish('pairingExpired', 401, 'There are no credentials; pair the instance.')
      return
    }
    const credentials = stored === null ? freshCredentials() : decodeCredentials(stored)
    // A node that ended in the middle of a pairing leaves credentials that nobody signed.
    if (pairing === null && !isPaired(credentials)) {
      this.#finish('pairingExpired', 401, 'The pairing was not finished; pair the instance.')
      return
    }
    if (this.#isClosed) return
    // Of a former pairing nothing may stay: its keys belong to another device.
    if (pairing !== null)
      this.#write([
        { type: 'credentials', data: null },
        { type: 'credentials', data: encodeCredentials(credentials) },
      ])
    const keys = createSignalKeys({
      instance,
      journal,
      reader,
      cache: this.#shared.keyCache,
      onFailure: (error) => this.#fail(error),
    })
    const inTurn = signalTurns(keys, (entries, meaning) =>
      journal.together(() => {
        if (entries.length > 0) this.#write([{ type: 'keys', entries }])
        meaning?.()
      }),
    )
    this.#keys = keys
    this.#prune = () => prunePrivacyTokens({ instance, keys, reader, isClosed: () => this.#isClosed })
    this.#credentials = credentials
    const { websocketUrl, version, nodeId } = this.#options
    const socket = withSharedTransactions(makeWASocket, {
      ...(websocketUrl === undefined ? {} : { waWebSocketUrl: websocketUrl }),
      ...(websocketUrl?.startsWith('ws:') ? {} : { agent: this.#shared.connector }),
      ...(version === undefined ? {} : { version: [...version] as WAVersion }),
      auth: { creds: credentials, keys: withoutTokenIndex(keys) },
      browser: pairing?.by === 'qr' ? browserTriple(pairing.browser) : codeBrowser,
      logger: libraryLogger(this.#logger, (action, isFirst) => this.#tellAction(action, isFirst)),
      ...this.#shared.caches,
      // Its time limit costs two stack traces for each frame (`promiseTimeout`); the watchdog looks at the opening as well.
      connectTimeoutMs: 0,
      // An answer to each keep-alive comes well before a silent connection is given up.
      keepAliveIntervalMs: Math.max(250, Math.round(this.#options.silenceMaxMs / 2.25)),
      markOnlineOnConnect: false,
      syncFullHistory: false,
      emitOwnEvents: false,
      // During a pairing by code the refs of the QR must not run out: the library would end the socket and the code with it.
      ...(pairing?.by === 'code' ? { qrTimeout: this.#options.pairingCodeWindowMs } : {}),
      ...(websocketUrl === undefined
        ? {}
        : { options: { headers: { 'x-posthorn-node': nodeId, 'x-posthorn-epoch': String(epoch) } } }),
      // Our store does not lose a write between tries: it fails at once, and the connection with it.
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
      cachedGroupMetadata: async (jid) => await this.groups.metadata(jid),
      getMessage: async (key) => await this.#storedMessage(key.id),
      makeSignalRepository: (auth, logger, pnToLid) =>
        wrapSignalRepository(auth, logger, pnToLid, {
          keys,
          inTurn,
          beforeGroupMessage: (ciphertext) => this.#inbound.beforeGroupMessage(ciphertext),
          onDecrypted: (ciphertext, plaintext) => this.#inbound.decrypted(ciphertext, plaintext),
          recall: (ciphertext, type) => this.#orFail(this.#inbound.recall(ciphertext, type)),
          handOn: (ciphertext, plaintext) => this.#inbound.handOn(ciphertext, plaintext),
        }),
    })
    this.#socket = socket
    this.#relayInTurn = relaysInTurn(socket.authState.keys)
    const { userDevicesCache } = this.#shared.caches
    this.#relayDirectly = (message) =>
      relayDirectly(message, { socket, credentials, keys, inTurn, devices: (user) => userDevicesCache.get(user) })
    // In one line with the library's relays.
    this.#relayToGroup = (message) =>
      this.#relayInTurn(() =>
        socket.authState.keys.transaction(
          () => relayToGroup(message, { socket, credentials, keys, group: (jid) => this.groups.metadata(jid) }),
          'relay',
        ),
      )
    this.#lastFrameAtMs = performance.now()
    this.#unwatch = this.#shared.watchdog.watch(this)
    const raw = (socket.ws as unknown as { socket: Websocket }).socket
    this.#websocket = raw
    raw.once('open', () => {
      this.#wasReached = true
    })
    // The library listens to it and does nothing, and then the websocket does nothing either.
    raw.once('unexpected-response', (_request: unknown, response: { statusCode?: number }) =>
      this.#unreachable(`HTTP ${response.statusCode ?? 0}`),
    )
    // Whoever else ends it, the library or the network: once the frames that came before are understood, which say why.
    raw.close = () => void setImmediate(() => this.#cut())
    this.#gate = gateOutput(raw, journal, this.#options.guard, (error) => this.#fail(error), this.#options.onFrameHeld)
    raw.on('message', () => {
      // Until it is open its frames count for nothing: one whose login was swallowed still answers keep-alives.
      if (this.#isOpen || pairing !== null) this.#lastFrameAtMs = performance.now()
    })
    if (pairing !== null) {
      this.#admitFirst(socket)
      this.#offer = new PairingOffer({
        socket,
        credentials,
        pairing,
        logger: this.#logger,
        tell: (event) => this.#tell(event),
        write: () => this.#write([{ type: 'credentials', data: encodeCredentials(credentials) }]),
        onRefused: (status, sentence) => {
          this.#finish('pairingRefused', status, sentence)
          this.destroy()
        },
      })
    }
    answerReceipts({
      socket,
      counts: this.#shared.caches.msgRetryCounterCache,
      own: () => this.#own(),
      sent: (id, chat) => this.#sentTo(id, chat),
      failed: (error) => {
        // After its end the network sends it again, to the next connection.
        if (!this.#isClosed) this.#logger.warn({ error: messageOf(error) }, 'A receipt was not answered.')
      },
    })
    this.#listenToStanzas(socket)
    this.#listenToEvents(socket)
  }

  /**
   * Holds back what the phone says after the scan until there is a place among the connected instances. Only the library's answer to it links
   * the device: without one the phone tells its owner that it failed, and lists no device.
   */
  #admitFirst(socket: WASocket): void {
    const ws = socket.ws as unknown as NodeJS.EventEmitter
    const [event, goOn] = ['CB:iq,,pair-success', ws.listeners('CB:iq,,pair-success')]
    ws.removeAllListeners(event)
    ws.on(event, (node: BinaryNode) => {
      this.#open.admit().then(
        (isAdmitted) => {
          if (this.#isClosed) return
          if (isAdmitted) for (const listener of goOn) listener.call(ws, node)
          else this.destroy('instanceLimit')
        },
        (error: unknown) => this.#fail(error),
      )
    })
  }

  /** Our listeners stand before the library's: what they write is in the journal before the library can acknowledge. */
  #listenToStanzas(socket: WASocket): void {
    const ws = socket.ws as unknown as NodeJS.EventEmitter
    const misunderstood = (error: unknown): void =>
      this.#logger.warn({ error: messageOf(error) }, 'A stanza was not understood.')
    const first = (event: string, listener: (node: BinaryNode) => void): void => {
      ws.prependListener(event, (node: BinaryNode) => {
        try {
          if (!this.#isClosed) listener(node)
        } catch (error) {
          misunderstood(error)
        }
      })
    }
    tellCalls({
      ws,
      numberOf: (lid) => this.#open.reader.mapping(this.#open.instance, lid),
      tell: (event) => this.#tell(event),
      isClosed: () => this.#isClosed,
      misunderstood,
    })
    first('CB:message', (node) => {
      this.#lastMessageAtMs = Date.now()
      this.groups.addressed(node)
      const isLive = node.attrs.offline === undefined
      this.#inbound.announce(node)
      if (isLive) this.#releaseEvents(socket)
    })
    first('CB:receipt', (node) => {
      const event = translateReceipt(node, this.#own())
      if (event !== null) this.#tell(event)
    })
    first('CB:ack,class:message', (node) => {
      const id = node.attrs.id
      const error = node.attrs.error
      if (id === undefined) return
      this.#lastAckAtMs = Date.now()
      this.#unacknowledged.done(id)
      this.#tell({ type: 'ack', messageid: id as MessageId, error: error === undefined ? null : Number(error) || 500 })
    })
    first('CB:iq,,sync', (node) => this.#appState.heard(node))
    // The library asks for it at each login.
    first('CB:iq,,list', (node) => {
      const blocked = readBlocklist(node)
      if (blocked !== null) this.#tell({ type: 'blocklist', blocked })
    })
    first('CB:notification,type:account_sync', (node) => {
      for (const { person, isBlocked } of readBlockChanges(node)) this.#tell({ type: 'blocked', person, isBlocked })
    })
    first('CB:notification,type:w:gp2', (node) => {
      this.groups.heard(node)
      const change = translateGroupChange(node, this.#own())
      if (change !== null) this.#tell({ type: 'chats', chats: [change] })
    })
    first('CB:notification,type:companion_reg_refresh', (node) => this.#offer?.refreshSecret(node))
  }

  #listenToEvents(socket: WASocket): void {
    const { ev } = socket
    ev.on('creds.update', (update) => {
      if (this.#credentials === undefined) return
      const name = update.me?.name
      // The library's own listener has put it into the credentials already.
      if (name !== undefined && name !== '~' && name !== this.#toldName) {
        this.#toldName = name
        this.#tell({ type: 'profileName', name })
      }
      Object.assign(this.#credentials, update)
      this.#write([{ type: 'credentials', data: encodeCredentials(this.#credentials) }])
    })
    ev.on('connection.update', (update) => {
      if (update.qr !== undefined) this.#offer?.offer(update.qr)
      if (update.isNewLogin) this.#paired()
      if (update.connection === 'open') this.#opened(socket)
      if (update.receivedPendingNotifications) this.#isQueueRead = true
      if (update.connection === 'close') {
        const error = update.lastDisconnect?.error as Boom | undefined
        const code = error?.output?.statusCode ?? 500
        const message = error?.message ?? 'closed'
        const paired = this.#credentials !== undefined && isPaired(this.#credentials)
        const failure = failureOfWay(error)
        // The code of such an error is the library's own, and that of an answer over HTTP says nothing about the account.
        if (failure === null) this.#finish(causeOf(code, message, paired), code, message)
        else if (this.#wasReached) this.#finish('lost', 0, message, { detail: this.#atHost(failure) })
        else this.#unreachable(failure)
      }
    })
    ev.on('contacts.update', (contacts) => this.#inbound.contacts(contacts))
    ev.on('chats.upsert', (chats) => this.#tellChats(chats))
    ev.on('chats.update', (chats) => this.#tellChats(chats))
    ev.on('lid-mapping.update', ({ lid, pn }) =>
      this.#tell({ type: 'mappings', mappings: [{ lid: bareJid(lid), pn: bareJid(pn) }] }),
    )
    ev.on('presence.update', ({ id, presences }) => {
      for (const [participant, presence] of Object.entries(presences)) {
        this.#tell({
          type: 'presence',
          chat: addressOf(id),
          sender: addressOf(participant),
          state: presence.lastKnownPresence as PresenceState,
          ...(presence.lastSeen ? { lastSeen: presence.lastSeen } : {}),
        })
      }
    })
  }

  /** The library releases its events after each live message, and not after one that stands in line (`Inbound.announce`). */
  #releaseEvents(socket: WASocket): void {
    if (this.#releaseTimer !== undefined) return
    this.#releaseTimer = setTimeout(() => {
      this.#releaseTimer = undefined
      socket.ev.flush()
    }, EVENTS_HELD_MAX_MS)
    this.#releaseTimer.unref()
  }

  #paired(): void {
    const me = this.#credentials?.me
    if (me === undefined) return
    this.#tell({
      type: 'paired',
      jid: bareJid(me.id),
      lid: me.lid ? bareJid(me.lid) : null,
      platform: this.#credentials?.platform ?? '',
      isBusiness: /^smb/.test(this.#credentials?.platform ?? ''),
    })
  }

  #opened(socket: WASocket): void {
    const me = this.#credentials?.me
    if (me === undefined || this.#isClosed) return
    this.#isOpen = true
    this.#lastFrameAtMs = performance.now()
    this.#bufferTimer = setTimeout(() => {
      // Its end may be told before the connection is called open.
      if (this.#isQueueRead) return
      this.#logger.warn('The network library held back its events for too long; they are released.')
      socket.ev.flush()
    }, BUFFER_STUCK_MS)
    this.#bufferTimer.unref()
    this.#endPruning = pruneDaily(this.#prune, (error) => {
      if (!this.#isClosed) this.#logger.warn({ error: messageOf(error) }, 'Expired privacy tokens were not removed.')
    })
    this.#toldName = me.name
    this.#tell({
      type: 'opened',
      jid: me.id,
      lid: me.lid ? bareJid(me.lid) : null,
      profileName: me.name && me.name !== '~' ? me.name : null,
    })
    this.#history.resume()
  }

  async #storedMessage(id: string | null | undefined): Promise<proto.IMessage | undefined> {
    const sent = id ? await this.#sentTo(id, null) : 'unknown'
    return typeof sent === 'object' ? sent : undefined
  }

  async #sentTo(id: string, chat: string | null): Promise<SentTo> {
    const change = this.#changes.get(id)
    if (change !== undefined) return mayBe(change.chat, chat) ? change.message : 'foreign'
    const rows = await this.#orFail(this.#open.reader.messagesById(this.#open.instance, [messageIdOf(id)]))
    if (rows.length === 0) return 'unknown'
    const ours = rows.find(({ fromMe }) => fromMe)
    if (ours === undefined || !mayBe(ours.chat, chat)) return 'foreign'
    return ours.proto === null ? 'unknown' : proto.Message.decode(ours.proto)
  }

  #tellChats(chats: readonly Parameters<typeof chatFields>[0][]): void {
    const changed = chats.flatMap((chat) => {
      const set = chatFields(chat)
      return chat.id && Object.keys(set).length > 0 ? [{ chat: chatAddress(chat), set }] : []
    })
    if (changed.length > 0) this.#tell({ type: 'chats', chats: changed })
  }

  async upload(kind: FileKind, file: AsyncIterable<Uint8Array>): Promise<UploadedMedia> {
    const { mediaHosts, tempDir } = this.#options
    return await uploadMedia(kind, file, {
      hosts: mediaHosts,
      tempDir,
      place: (renewed) => this.#whileOpen(this.#live().refreshMediaConn(renewed)),
      onFailure: (error) => this.#logger.warn({ error: messageOf(error) }, 'A media host did not take a file.'),
    })
  }

  async renewMedia(message: MessageForActor): Promise<{ proto: Uint8Array; content: unknown }> {
    const author = await this.#forms.author(message)
    return await this.#whileOpen(renewMedia(this.#live(), message, { meId: this.#own().jid, author }))
  }

  async compose(to: ChatAddress, input: MessageInput): Promise<OutgoingMessage> {
    return composeMessage(input, await this.#forms.people(to, input))
  }

  async composeRevision(target: MessageForActor, revision: AskedRevision) {
    const mentions = revision.kind === 'edit' ? await this.#forms.mentioned(target.chat, mentionedBy(target)) : []
    return composeRevision(target, revision, mentions)
  }

  recall = recallMessage

  async relay(messageid: MessageId, to: ChatAddress, message: OutgoingMessage): Promise<void> {
    const socket = this.#live()
    // To the LID when it is known: sends to the number of a moved contact fail with 463 (OpenWA PR 717).
    const jid = to.group ?? to.lid ?? chatIdOf(to)
    this.#unacknowledged.add(messageid)
    const native = message.native as proto.IMessage
    if (native.protocolMessage) this.#noteChange(messageid, to, native)
    try {
      const [attributes, nodes] = [stanzaAttributes(native), extraNodes(native)]
      const options = { messageId: messageid, additionalAttributes: attributes, additionalNodes: nodes }
      const direct = { id: messageid, to: jid, message: native, bytes: message.proto, attributes, nodes }
      const byLibrary = () => this.#relayInTurn(() => socket.relayMessage(jid, native, options))
      const relay = async (): Promise<void> => {
        if (to.group !== undefined) await this.#relayToGroup(direct)
        else if (isPnUser(jid)) await this.#countedByNumber(byLibrary)
        // Who has a LID now may have been a number when the message before this one began to wait in the library.
        else if (this.#byNumber > 0 || !(await this.#relayDirectly(direct))) await byLibrary()
      }
      await this.#whileOpen(relay())
    } catch (error) {
      this.#unacknowledged.done(messageid)
      throw error
    }
  }

  #noteChange(messageid: MessageId, chat: ChatAddress, message: proto.IMessage): void {
    this.#changes.set(messageid, { chat, message })
    const [oldest] = this.#changes.keys()
    if (this.#changes.size > CHANGES_MAX && oldest !== undefined) this.#changes.delete(oldest)
  }

  async #countedByNumber(relay: () => Promise<unknown>): Promise<void> {
    this.#byNumber += 1
    try {
      await relay()
    } finally {
      this.#byNumber -= 1
    }
  }

  traffic(): ConnectionTraffic {
    return {
      lastFrameAtMs: this.#lastFrameAtMs,
      unacknowledged: this.#unacknowledged.stuck,
      unhandled: this.#inbound.unhandled,
    }
  }

  onDead(why: string): void {
    if (!this.#wasReached) {
      this.#unreachable(`no connection within ${Math.ceil(this.#options.silenceMaxMs / 1_000)} s`)
      return
    }
    this.#logger.warn({ why }, 'A connection was open but dead; it is opened again.')
    this.destroy('dead')
  }

  /** `failure`: the code of the error, or what was met in place of the network's server. */
  #unreachable(failure: string): void {
    this.#finish('unreachable', 0, failure, { detail: this.#atHost(failure) })
    this.destroy()
  }

  #atHost(failure: string): string {
    const url = this.#options.websocketUrl ?? String(DEFAULT_CONNECTION_CONFIG.waWebSocketUrl)
    return `${new URL(url).host}: ${failure}`
  }

  health(): ConnectionHealth {
    return {
      lastReceivedAtMs: Math.round(performance.timeOrigin + this.#lastFrameAtMs),
      lastMessageAtMs: this.#lastMessageAtMs,
      lastAckAtMs: this.#lastAckAtMs,
      unacknowledged: this.#unacknowledged.size,
      held: this.#gate?.waiting ?? 0,
    }
  }

  async lookUp(address: ChatAddress): Promise<ChatAddress | null> {
    return await this.#whileOpen(this.#lookUp(address))
  }

  async #lookUp(address: ChatAddress): Promise<ChatAddress | null> {
    if (address.group !== undefined) return address
    const socket = this.#live()
    const { lidMapping } = socket.signalRepository
    if (address.pn === undefined) {
      const pn = address.lid === undefined ? null : await lidMapping.getPNForLID(address.lid)
      return pn ? { ...address, pn: bareJid(pn) } : address
    }
    const own = this.#own()
    if (userOf(own.jid) === userOf(address.pn)) return addressOf(own.jid, own.lid)
    const pn = (await lookUpNumbers(socket, [address.pn])).get(address.pn)
    if (pn === undefined) return null
    const lid = await lidMapping.getLIDForPN(pn)
    return { pn, ...(lid ? { lid: bareJid(lid) } : {}) }
  }

  async lookUpAll(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, ChatAddress>> {
    const socket = this.#live()
    const found = await this.#whileOpen(lookUpNumbers(socket, numbers))
    const lids = await socket.signalRepository.lidMapping.getLIDsForPNs([...new Set(found.values())])
    const lidOf = new Map((lids ?? []).map(({ pn, lid }) => [bareJid(pn), bareJid(lid)]))
    return new Map([...found].map(([asked, pn]) => [asked, addressOf(pn, lidOf.get(pn) ?? null)]))
  }

  async picture(of: ChatAddress, isPreview: boolean): Promise<string | null> {
    const jid = of.group ?? of.lid ?? chatIdOf(of)
    const socket = this.#live()
    try {
      return (await this.#whileOpen(socket.profilePictureUrl(jid, isPreview ? 'preview' : 'image'))) ?? null
    } catch (error) {
      const code = (error as Boom | undefined)?.data as unknown
      // None, or hidden from us, as the network's own clients are told.
      if (code === 404 || code === 401 || code === 403) return null
      throw error
    }
  }

  async markChat(chat: ChatAddress, isRead: boolean, last: MessageForActor | null): Promise<void> {
    const jid = chat.group ?? chat.lid ?? chatIdOf(chat)
    const lastMessage = await lastMessages(last, (message) => this.#forms.author(message))
    await this.#appState.write({ markRead: isRead, lastMessages: lastMessage }, jid)
  }

  async saveContact(person: ChatAddress, names: { fullName: string; firstName: string } | null): Promise<void> {
    const contact =
      names === null
        ? null
        : { ...names, saveOnPrimaryAddressbook: true, ...(person.lid === undefined ? {} : { lidJid: person.lid }) }
    await this.#appState.write({ contact }, chatIdOf(person))
  }

  async change(change: SharedChange): Promise<void> {
    const { modification, jid } = await modificationOf(change, (message) => this.#forms.author(message))
    await this.#appState.write(modification, jid)
    const me = this.#credentials?.me
    // The library then tells the network under which name messages are signed.
    if (change.kind === 'profileName' && me !== undefined)
      this.#socket?.ev.emit('creds.update', { me: { ...me, name: change.name } })
  }

  async block(person: ChatAddress, isBlocked: boolean): Promise<void> {
    await this.#whileOpen(this.#live().updateBlockStatus(chatIdOf(person), isBlocked ? 'block' : 'unblock'))
  }

  async blocklist(): Promise<readonly ChatAddress[]> {
    const jids = await this.#whileOpen(this.#live().fetchBlocklist())
    return jids.flatMap((jid) => (jid === undefined ? [] : [addressOf(jid)]))
  }

  async presence(to: ChatAddress, presence: PresenceKind): Promise<void> {
    const socket = this.#live()
    const jid = to.group ?? to.lid ?? chatIdOf(to)
    // Typing is shown only for one who is available; without a name the network takes no availability (Baileys `Socket/chats.ts`).
    await this.#whileOpen(socket.sendPresenceUpdate(presence, jid))
  }

  /** Not by the library's `rejectCall`: that resolves alike when the network took it, refused it and did not answer within a minute. */
  async rejectCall(call: RejectedCall, timeoutMs: number): Promise<void> {
    const socket = this.#live()
    const answer = await this.#whileOpen(
      socket.query(rejection(this.#own().jid, call), Math.max(timeoutMs, 1_000)).catch((error: unknown) => {
        if ((error as Partial<Boom>).output?.statusCode === 408) return undefined
        throw error
      }) as Promise<BinaryNode | undefined>,
    )
    if (answer === undefined) throw new GatewayError('CALL_REJECT_FAILED', { message: 'error rejecting call: timeout' })
    const code = Number(answer.attrs.error ?? 0)
    if (code === 0) return
    throw new GatewayError('CALL_REJECT_FAILED', {
      message: `error rejecting call: the network refused it with ${code}`,
      fields: { provider_code: code },
    })
  }

  async markRead(messages: readonly MessageForActor[]): Promise<void> {
    const socket = this.#live()
    const keys = messages.map(async (message) =>
      keyOf(message, message.isGroup ? await this.#forms.author(message) : undefined),
    )
    await this.#whileOpen(socket.readMessages(await Promise.all(keys)))
  }

  async logout(): Promise<void> {
    const socket = this.#socket
    if (socket === undefined || !this.#isOpen || this.#isClosed) {
      this.destroy()
      return
    }
    const timer = setTimeout(() => this.destroy(), LOGOUT_WAIT_MS)
    timer.unref()
    try {
      const me = this.#credentials?.me?.id
      if (me !== undefined) {
        await socket.query(
          {
            tag: 'iq',
            attrs: { to: 's.whatsapp.net', type: 'set', xmlns: 'md' },
            content: [{ tag: 'remove-companion-device', attrs: { jid: me, reason: 'user_initiated' } }],
          },
          LOGOUT_WAIT_MS,
        )
      }
    } catch (error) {
      this.#logger.debug({ error: messageOf(error) }, 'The network did not confirm the log-out.')
    } finally {
      clearTimeout(timer)
      this.destroy()
    }
  }

  destroy(cause: DisconnectCause = 'asked'): void {
    this.#cut()
    this.#finish(cause, 0, reactions[cause].sentence)
    this.#socket?.end(undefined)
  }

  /** Nothing more leaves, not even a farewell. */
  #cut(): void {
    this.#gate?.close()
    reset(this.#websocket?._socket)
    this.#websocket?.terminate()
  }

  closed(): Promise<void> {
    return this.#done
  }

  #live(): WASocket {
    if (this.#socket === undefined || this.#isClosed || !this.#isOpen) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    return this.#socket
  }

  /** The library ends its queries with a timeout of their own only, after a minute: whoever waits must not wait for a dead connection. */
  #whileOpen<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 1 }))
      this.#waiting.add(end)
      work
        .then(resolve, (error: unknown) => (this.#socket?.ws.isOpen ? reject(error) : end()))
        .finally(() => this.#waiting.delete(end))
    })
  }

  #own(): { jid: string; lid: string | null } {
    const me = this.#credentials?.me
    return { jid: me?.id ?? '', lid: me?.lid ?? null }
  }

  #write(changes: Parameters<OpenOptions['journal']['write']>[0]): void {
    this.#journal.write(changes).catch((error: unknown) => this.#fail(error))
  }

  /** What the network is told depends on this. When it fails nothing is told, and the network comes again with the same to the next connection. */
  async #orFail<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  #tell(event: NetworkEvent): void {
    if (!this.#isClosed) this.#open.on(event)
  }

  /** Memory is ahead of the store: nothing more may leave, and the next connection starts from the store. */
  #fail(error: unknown): void {
    if (this.#isClosed) return
    const cause = causeOfFailure(error)
    if (cause === 'programError') this.#logger.error({ err: error }, 'A connection is ended by an error of ours.')
    else
      this.#logger.warn(
        { error: messageOf(error) },
        'A connection is ended because the store did not take a write, or could not be read.',
      )
    this.#finish(cause, 0, messageOf(error), { error })
    this.destroy()
  }

  #finish(
    cause: DisconnectCause,
    code: number,
    message: string,
    more: { readonly error?: unknown; readonly detail?: string } = {},
  ): void {
    if (this.#isClosed) return
    clearTimeout(this.#bufferTimer)
    this.#endPruning()
    clearTimeout(this.#releaseTimer)
    this.#unwatch()
    // First: whoever hears of the end may destroy this connection at once, and must not hear of a second end.
    this.#isClosed = true
    this.#cut()
    this.#open.on({ type: 'closed', cause, code, message, ...more })
    this.#resolveDone()
    for (const end of this.#waiting) end()
    this.#keys?.forget()
  }
}

/** The code of the system, of TLS or of the websocket for an error of the socket; null when the connection ended otherwise (Baileys `mapWebSocketError`). */
function failureOfWay(error: Boom | undefined): string | null {
  const failure: unknown = error?.data
  if (!(failure instanceof Error) || !error?.message.startsWith('WebSocket Error')) return null
  const { code, message } = failure as NodeJS.ErrnoException
  return code ?? message
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Whether a chat may be the one that is asked about, if any; of a person another address may be known than that (whatsmeow issue 1062).
 */
function mayBe({ group, pn, lid }: ChatAddress, asked: string | null): boolean {
  if (asked === null) return true
  const jid = bareJid(asked)
  if (group !== undefined || (!isLidJid(jid) && !isPnUser(jid))) return group === jid
  const known = isLidJid(jid) ? lid : pn
  return known === undefined || known === jid
}
