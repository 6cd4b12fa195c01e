import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { entriesMax } from '../../../schemas/entries-max.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { GivenUpWork } from '../../../schemas/work.js'
import type { ClientVersions } from '../port/client-version.js'
import type { Network, OutputGuard } from '../port/connection.js'
import type { Routes } from '../route/routes.js'
import { createNodeCaches, type NodeCaches } from './caches.js'
import { BaileysConnection } from './connection.js'
import { keepSaltActions } from './contact-token.js'
import { decodeCredentials, isPaired } from './credentials.js'
import { patchGroupEncryption } from './group-encryption.js'
import type { MediaHosts } from './media/hosts.js'
import type { QuerySettings } from './mex.js'
import type { PhoneRequestTiming } from './placeholders/phone-requests.js'
import { NodeRecordings } from './recording/recordings.js'
import { patchSessionDecryption } from './session-decryption.js'
import { createKeyCache, type KeyCache } from './signal-keys.js'
import { createWatchdog, type Watchdog } from './watchdog.js'
import { useNativeX25519 } from './x25519.js'
import { useNativeXeddsa } from './xeddsa.js'

export interface BaileysNetworkOptions {
  readonly logger: Logger
  /** Undefined for the real network. */
  readonly websocketUrl: string | undefined
  /** Versions that logins report. */
  readonly versions: ClientVersions
  /** Name of this node. A network that is not the real one gets it with the upgrade, so that it can log who connected. */
  readonly nodeId: string
  /** Checked before each frame. */
  readonly guard: OutputGuard
  /** Called for each frame that was held, with the time for which it was held; for metrics. */
  readonly onFrameHeld: (heldMs: number) => void
  /** Called for each received stanza of an unknown kind; for metrics. */
  readonly onUnknownStanza: () => void
  /** Numbers of GraphQL queries that the operator replaces; and what is called for each refused one, for metrics. */
  readonly queries: QuerySettings
  /** Time for which one QR is shown. 0: as the library does. */
  readonly qrCodeMs: number
  readonly pairingCodeWindowMs: number
  readonly phoneRequests: PhoneRequestTiming
  /** Messages that have blocked nodes until they ended themselves. */
  readonly blocked: Pick<GivenUpWork, 'isGivenUp'>
  /** False: a pairing for which the network asks for a passkey ends, with a reason that names the setting. */
  readonly passkeyPairing: boolean
  /** True: edits are encrypted in all chats, not only in announcement groups of communities. */
  readonly secretEdits: boolean
  /** Maximum number of decoded keys in memory, for all instances together. */
  readonly keysCachedMax: number
  /** Time without a frame, and without an answer to a message, after which a connection counts as dead. */
  readonly silenceMaxMs: number
  /** Returns the time at which the store went back in time the last time; 0 if it never did. */
  readonly storeBackAtMs?: () => number
  readonly answerMaxMs: number
  readonly mediaHosts: MediaHosts
  readonly routes: Routes
  /** Folder for files during their upload. */
  readonly tempDir: string
  /** Folder for recordings of stanzas, and the maximum of files in it. */
  readonly recordingsDir: string
  readonly recordingsMax: number
}

/** Parts that all connections of a node share. */
export interface NodeParts {
  readonly groups: LRUCache<string, GroupInfo>
  readonly keyCache: KeyCache
  /** Names and mappings that were emitted. */
  readonly emitted: LRUCache<string, string>
  readonly watchdog: Watchdog
  readonly caches: NodeCaches
  readonly recordings: NodeRecordings
}

/** Maximum number of cached groups, of all instances together. A group of a thousand members takes about 150 KiB, most take a few. */
const GROUPS_CACHED_MAX = 5_000
const ENTRIES_CACHED_MAX = 20_000

export function createBaileysNetwork(options: BaileysNetworkOptions): Network {
  patchSessionDecryption()
  patchGroupEncryption()
  keepSaltActions()
  useNativeXeddsa()
  useNativeX25519()
  const node = createNodeParts(options)
  return {
    isPaired: (credentials) => isPaired(decodeCredentials(credentials)),
    open: (open) => new BaileysConnection(options, open, node),
    recordings: node.recordings,
  }
}

function createNodeParts(options: BaileysNetworkOptions): NodeParts {
  const { keysCachedMax, silenceMaxMs, answerMaxMs, nodeId, logger } = options
  const resets = new LRUCache<string, true>(entriesMax(ENTRIES_CACHED_MAX))
  return {
    keyCache: createKeyCache(keysCachedMax),
    recordings: new NodeRecordings({
      folder: options.recordingsDir,
      filesMax: options.recordingsMax,
      nodeId,
      logger,
    }),
    caches: createNodeCaches(ENTRIES_CACHED_MAX),
    groups: new LRUCache(entriesMax(GROUPS_CACHED_MAX)),
    emitted: new LRUCache(entriesMax(ENTRIES_CACHED_MAX)),
    watchdog: createWatchdog({
      silenceMaxMs,
      answerMaxMs,
      isFirst(messageId) {
        const isFirst = !resets.has(messageId)
        resets.set(messageId, true)
        return isFirst
      },
    }),
  }
}
