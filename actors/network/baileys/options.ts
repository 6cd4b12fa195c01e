import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { GivenUpWork } from '../../../schemas/work.js'
import type { ClientVersions } from '../port/client-version.js'
import type { OutputGuard } from '../port/connection.js'
import type { Routes } from '../route/routes.js'
import type { NodeCaches } from './caches.js'
import type { MediaHosts } from './media/hosts.js'
import type { QuerySettings } from './mex.js'
import type { PhoneRequestTiming } from './placeholders/phone-requests.js'
import type { NodeRecordings } from './recording/recordings.js'
import type { KeyCache } from './signal-keys.js'
import type { Watchdog } from './watchdog.js'

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
