import type { EventEmitter } from 'node:events'
import type { Boom } from '@hapi/boom'
import {
  type AuthenticationCreds,
  type BinaryNode,
  decodeBinaryNode,
  makeWASocket,
  type WASocket,
} from '@whiskeysockets/baileys'
import { errorText } from '../../../lib/error-text.js'
import type { OpenOptions, Pairing } from '../port/connection.js'
import type { NodeCaches } from './caches.js'
import type { ConnectionParts } from './connection-parts.js'
import { encodeCredentials } from './credentials.js'
import { EventRelease } from './event-release.js'
import { libraryConfig } from './library-config.js'
import { LibraryEvents } from './library-events.js'
import type { LiveSocket } from './live-socket.js'
import type { BaileysNetworkOptions, NodeParts } from './options.js'
import { GatedWebsocket } from './output-gate.js'
import { PairingOffer } from './pairing-offer.js'
import { pruneDaily, prunePrivacyTokens } from './privacy-tokens.js'
import { answerReceipts } from './receipt-answers.js'
import type { NodeRecordings } from './recording/recordings.js'
import { takeOverRetries } from './retries/retry-requests.js'
import { createSignalKeys, type SignalKeys } from './signal-keys.js'
import { type InTurn, signalTurns } from './signal-mutex.js'
import { listenToStanzas } from './stanza-listeners.js'
import { withSharedTransactions } from './transactions.js'
import type { WatchedConnection } from './watchdog.js'

/** The connection whose socket is opened, and its parts. */
export interface SocketOwner {
  readonly options: BaileysNetworkOptions
  readonly open: OpenOptions
  readonly node: NodeParts
  readonly caches: ReturnType<NodeCaches['forInstance']>
  readonly live: LiveSocket
  readonly parts: ConnectionParts
  readonly watched: WatchedConnection
  /** The server answered the upgrade with an HTTP status. */
  readonly onUpgradeRefused: (status: number) => void
  /** The network refused the pairing code. */
  readonly onPairingRefused: (status: number, sentence: string) => void
  /** There is no place for the instance whose phone has scanned. */
  readonly onNotAdmitted: () => void
  /** The library ended the connection. */
  readonly onClosed: (error: Boom | undefined) => void
}

/**
 * Makes the library's socket and attaches the parts of the connection to it. Runs without a pause: all listeners are in place, before those
 * of the library where that matters, when the first frame can arrive.
 */
export function openSocket(owner: SocketOwner, credentials: AuthenticationCreds): void {
  const { node, live, parts, open } = owner
  const { pairing } = open
  // Removes everything of a former pairing, because its keys belong to another device.
  if (pairing !== null)
    live.write([
      { type: 'credentials', data: null },
      { type: 'credentials', data: encodeCredentials(credentials) },
    ])
  const keys = createKeys(owner)
  const inSlot = journalSteps(keys, live)
  live.keys = keys
  live.credentials = credentials
  const { recordings } = node
  const choice = owner.options.versions.choose(pairing !== null)
  live.version = choice
  live.onClose(() => choice.ended())
  const config = libraryConfig({
    ...owner,
    ...parts,
    recordings,
    credentials,
    keys,
    inSlot,
    version: choice.version,
  })
  const socket = withSharedTransactions(makeWASocket, config)
  live.socket = socket
  recordStanzas(socket, live, recordings)
  takeOverRetries(socket, parts.retries)
  parts.relays.start({ socket, credentials, keys, inSlot })
  parts.traffic.noteFrame()
  live.onClose(node.watchdog.watch(owner.watched))
  live.websocket = gateWebsocket(socket, owner)
  const offer = pairing === null ? undefined : offerPairing(socket, credentials, pairing, owner)
  listenToReceipts(socket, owner)
  parts.acknowledgements.listen(socket.ws as unknown as EventEmitter)
  const releases = new EventRelease(socket.ev, live.logger)
  live.onClose(() => releases.stop())
  listenToStanzas(socket, { ...parts, live, releases, offer, isPasskeyTaken: owner.options.passkeyPairing })
  new LibraryEvents({
    live,
    inbound: parts.inbound,
    releases,
    offer,
    onOpening: () => {
      live.isOpen = true
      choice.accepted()
      parts.traffic.noteFrame()
      releases.afterLogin()
      live.onClose(pruneTokens(keys, live))
    },
    onOpened: () => {
      parts.history.resume()
      parts.notes.resume()
      parts.copies.resume()
      parts.placeholders.start()
    },
    onClosed: owner.onClosed,
  }).listen(socket)
  spareAttributeEvents(socket.ws as unknown as EventEmitter)
}

function createKeys({ live, node, options: { storeBackAtMs = () => 0 } }: SocketOwner): SignalKeys {
  const { instance, reader, journal } = live
  const onFailure = (error: unknown): void => live.fail(error)
  return createSignalKeys({ instance, journal, reader, cache: node.keyCache, storeBackAtMs, onFailure })
}

/** Writes the keys that an operation changed together with the meaning of its plaintext. */
function journalSteps(keys: SignalKeys, live: LiveSocket): InTurn {
  return signalTurns(keys, (entries, meaning) =>
    live.journal.together(() => {
      if (entries.length > 0) live.write([{ type: 'keys', entries }])
      meaning?.()
    }),
  )
}

function gateWebsocket(socket: WASocket, { options, open, live, parts, onUpgradeRefused }: SocketOwner) {
  const { guard, onFrameHeld } = options
  return new GatedWebsocket(socket, {
    instance: open.instance,
    journal: live.journal,
    guard,
    onFrameHeld,
    onFrame: () => {
      // Frames before the login do not count: a connection whose login was swallowed still answers keep-alives.
      if (live.isOpen || open.pairing !== null) parts.traffic.noteFrame()
    },
    onRefused: onUpgradeRefused,
    onFailure: (error) => live.fail(error),
  })
}

function offerPairing(
  socket: WASocket,
  credentials: AuthenticationCreds,
  pairing: Pairing,
  { options, open, live, parts, onNotAdmitted, onPairingRefused }: SocketOwner,
): PairingOffer {
  requireAdmission(socket, {
    admit: open.admit,
    isClosed: () => live.isClosed,
    onRefused: onNotAdmitted,
    onFailure: (error) => live.fail(error),
  })
  return new PairingOffer({
    socket,
    credentials,
    pairing,
    logger: live.logger,
    emit: (event) => live.emit(event),
    write: () => live.writeCredentials(credentials),
    isPastQr: () => parts.passkey.isBegun,
    qrCodeMs: options.qrCodeMs,
    onRefused: onPairingRefused,
  })
}

function listenToReceipts(socket: WASocket, { caches, live, parts }: SocketOwner): void {
  answerReceipts({
    socket,
    counts: caches.msgRetryCounterCache,
    own: () => live.own(),
    sent: (id, chat, requester) => parts.sent.sentTo(id, chat, requester),
    acknowledge: (receipt) => parts.acknowledgements.acknowledge(receipt),
    patiently: (work) => live.websocket?.patiently(work) ?? work(),
    failed: (error) => {
      // After the end of this connection the network sends the receipt again, to the next one.
      if (!live.isClosed) live.logger.warn({ error: errorText(error) }, 'A receipt was not answered.')
    },
  })
}

/** Prunes expired privacy tokens while the connection lasts. Returns a function that ends it. */
function pruneTokens(keys: SignalKeys, live: LiveSocket): () => void {
  const { instance, reader, logger } = live
  const isClosed = (): boolean => live.isClosed
  return pruneDaily(
    () => prunePrivacyTokens({ instance, keys, reader, isClosed }),
    (error) => {
      if (!isClosed()) logger.warn({ error: errorText(error) }, 'Expired privacy tokens were not removed.')
    },
  )
}

/**
 * Records the stanzas of a connection while a recording of its instance is under way: all received ones, and sent ones that we encode
 * ourselves. The stanzas that the library encodes come from its log (`library-logger.ts`).
 */
function recordStanzas(socket: WASocket, live: LiveSocket, recordings: NodeRecordings): void {
  const { instance } = live
  recordings.of(instance)?.note('opened')
  // The frames of the handshake are bytes.
  socket.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (!(frame instanceof Uint8Array)) recordings.of(instance)?.received(frame)
  })
  const send = socket.sendRawMessage
  socket.sendRawMessage = async (bytes) => {
    const recording = recordings.of(instance)
    if (recording !== undefined)
      decodeBinaryNode(Buffer.from(bytes)).then(
        (stanza) => recording.sentStanza(stanza),
        () => live.logger.debug('A stanza that was sent could not be recorded.'),
      )
    await send(bytes)
  }
  live.onClose(() => recordings.of(instance)?.note('closed'))
}

interface PairingAdmission {
  /** Resolves to true if there is a place among the connected instances. */
  readonly admit: () => Promise<boolean>
  readonly isClosed: () => boolean
  readonly onRefused: () => void
  readonly onFailure: (error: unknown) => void
}

const PAIR_SUCCESS = 'CB:iq,,pair-success'

/**
 * Holds back the phone's stanza after the scan until the instance is admitted. Only the library's answer to that stanza links the device:
 * without an answer the phone reports a failure to its owner, and lists no device.
 */
function requireAdmission(socket: WASocket, { admit, isClosed, onRefused, onFailure }: PairingAdmission): void {
  const ws = socket.ws as unknown as EventEmitter
  const listeners = ws.listeners(PAIR_SUCCESS)
  ws.removeAllListeners(PAIR_SUCCESS)
  ws.on(PAIR_SUCCESS, (node: BinaryNode) => {
    admit().then((isAdmitted) => {
      if (isClosed()) return
      if (isAdmitted) for (const listener of listeners) listener.call(ws, node)
      else onRefused()
    }, onFailure)
  })
}

/** Stanzas of which there are many, and whose events nobody chooses by an attribute. */
const TAGS = ['receipt', 'message']

const NONE: BinaryNode['attrs'] = Object.freeze({})

/**
 * Keeps the library from emitting events for the attributes of receipts and messages: three for each, whose names hold its value, so that each is a new
 * text that V8 must hash and keep (`onMessageReceived` in `Socket/socket.js` of 7.0.0-rc14). Measured, a receipt cost 7.9 µs for that and 1.7 without it,
 * and several times as much when the caches are cold. Nobody hears these events. The attributes are gone while the library would emit them.
 *
 * Call it after all other listeners were added.
 */
export function spareAttributeEvents(ws: EventEmitter): void {
  let hidden: { readonly node: BinaryNode; readonly attrs: BinaryNode['attrs'] } | undefined
  const show = (node: BinaryNode): void => {
    if (hidden?.node === node) node.attrs = hidden.attrs
    hidden = undefined
  }
  const isHeard = (tag: string): boolean => ws.eventNames().some((name) => String(name).startsWith(`CB:${tag},`))
  const spared = new Set(TAGS.filter((tag) => !isHeard(tag)))
  // The library emits `frame`, then an event by the id, those of the attributes, and at last one by the tag, all in one step.
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (frame instanceof Uint8Array || !spared.has(frame.tag)) return
    hidden = { node: frame, attrs: frame.attrs }
    frame.attrs = NONE
  })
  for (const tag of spared) ws.prependListener(`CB:${tag}`, show)
}
