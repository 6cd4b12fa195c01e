import type { AuthenticationCreds, makeWASocket, WAVersion } from '@whiskeysockets/baileys'
import type { ClientVersion } from '../port/client-version.js'
import type { OpenOptions, Pairing } from '../port/connection.js'
import type { BaileysGroups } from './abilities/groups.js'
import type { Acknowledgements } from './acknowledgements/acknowledgements.js'
import type { SyncAction } from './app-state.js'
import type { NodeCaches } from './caches.js'
import type { Inbound } from './inbound.js'
import { libraryLogger } from './library-logger.js'
import type { LiveSocket } from './live-socket.js'
import type { BaileysNetworkOptions } from './options.js'
import { chooseBrowser, codeBrowser } from './pairing.js'
import { withoutTokenIndex } from './privacy-tokens.js'
import type { NodeRecordings } from './recording/recordings.js'
import type { SentMessages } from './sent-messages.js'
import type { SignalKeys } from './signal-keys.js'
import type { InTurn } from './signal-mutex.js'
import { wrapSignalRepository } from './signal-repository.js'

export interface LibraryConfigOptions {
  readonly options: BaileysNetworkOptions
  readonly open: OpenOptions
  readonly live: LiveSocket
  readonly recordings: NodeRecordings
  readonly caches: ReturnType<NodeCaches['forInstance']>
  readonly credentials: AuthenticationCreds
  readonly keys: SignalKeys
  readonly inSlot: InTurn
  readonly groups: BaileysGroups
  readonly sent: SentMessages
  readonly inbound: Inbound
  readonly acknowledgements: Acknowledgements
  readonly version: ClientVersion
  readonly onSyncAction: (action: SyncAction, isFirst: boolean) => void
}

type LibraryConfig = Parameters<typeof makeWASocket>[0]

const KEEP_ALIVE_MIN_MS = 250
/** Keep-alives that are answered before a silent connection counts as dead. */
const KEEP_ALIVES_IN_SILENCE = 2.25

/**
 * Tells the library that the phone was asked for every message already. `PhoneRequests` asks: the library forgets its requests after 8 s and in
 * a crash, and asks for view-once messages in vain (`requestPlaceholderResend` in `Socket/messages-recv.js` of 7.0.0-rc14).
 */
const ALWAYS_REQUESTED: NonNullable<LibraryConfig['placeholderResendCache']> = {
  get: <T>() => true as T,
  set: () => {},
  del: () => {},
  flushAll: () => {},
}

/** Makes the configuration of the library's socket. */
export function libraryConfig(parts: LibraryConfigOptions): LibraryConfig {
  const { options, open, live, caches, credentials, keys, groups, sent, recordings, onSyncAction } = parts
  const { pairing } = open
  return {
    ...addressConfig(parts),
    auth: { creds: credentials, keys: withoutTokenIndex(keys) },
    browser: pairing === null ? codeBrowser : chooseBrowser(pairing),
    logger: libraryLogger(live.logger, onSyncAction, () => recordings.of(live.instance), parts.acknowledgements),
    ...caches,
    placeholderResendCache: ALWAYS_REQUESTED,
    // The library's time limit costs two stack traces for each frame (`promiseTimeout`). The watchdog covers the opening as well.
    connectTimeoutMs: 0,
    keepAliveIntervalMs: Math.max(KEEP_ALIVE_MIN_MS, Math.round(options.silenceMaxMs / KEEP_ALIVES_IN_SILENCE)),
    markOnlineOnConnect: false,
    syncFullHistory: pairing?.fullHistory === true,
    emitOwnEvents: false,
    ...chooseQrTimeout(pairing, options),
    // Our store loses no write between attempts: it fails at once, and the connection with it.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    // `RetryRequests` asks. The library handles no other message of the account during this pause.
    retryRequestDelayMs: 0,
    cachedGroupMetadata: async (jid) => await groups.metadata(jid),
    getMessage: async (key) => await sent.stored(key.id),
    makeSignalRepository: signalRepository(parts),
  }
}

function chooseQrTimeout(pairing: Pairing | null, options: BaileysNetworkOptions): Pick<LibraryConfig, 'qrTimeout'> {
  // During a pairing by code the refs of the QR must not run out: the library would end the socket and the code with it.
  if (pairing?.by === 'code') return { qrTimeout: options.pairingCodeWindowMs }
  return pairing === null || options.qrCodeMs === 0 ? {} : { qrTimeout: options.qrCodeMs }
}

/** Returns where the network is, the route to it, and the version that the client reports. */
function addressConfig({ options, open, live, version }: LibraryConfigOptions): Partial<LibraryConfig> {
  const { websocketUrl, nodeId } = options
  const { agent, dispatcher } = live.route
  const headers = { 'x-posthorn-node': nodeId, 'x-posthorn-epoch': String(open.epoch) }
  return {
    ...(websocketUrl === undefined ? {} : { waWebSocketUrl: websocketUrl }),
    // The library hands the dispatcher on to our `fetch`; see `guardLibraryFetch`.
    options: { ...(websocketUrl === undefined ? {} : { headers }), dispatcher } as object,
    ...(agent === undefined ? {} : { agent: agent as NonNullable<LibraryConfig['agent']> }),
    version: [...version] as WAVersion,
  }
}

function signalRepository({ live, keys, inSlot, inbound }: LibraryConfigOptions) {
  const makeRepository: NonNullable<LibraryConfig['makeSignalRepository']> = (auth, logger, pnToLid) =>
    wrapSignalRepository(auth, logger, pnToLid, {
      keys,
      inSlot,
      senderKeyIn: (ciphertext, plaintext) => inbound.senderKeyIn(ciphertext, plaintext),
      beforeGroupMessage: (ciphertext) => inbound.beforeGroupMessage(ciphertext),
      onDecrypted: (ciphertext, plaintext) => inbound.decrypted(ciphertext, plaintext),
      recall: (ciphertext, type, failure) => live.orFail(inbound.recall(ciphertext, type, failure)),
      handOn: (ciphertext, plaintext) => inbound.handOn(ciphertext, plaintext),
    })
  return makeRepository
}
