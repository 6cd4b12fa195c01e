/** The port through which an instance reaches the network. Plain data both ways: no type of a network library crosses it. Types only. */
import type { InstanceId } from '../../../schemas/ids.js'
import type { BrowserName, ConnectionHealth, RouteView } from '../../../schemas/session.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal } from '../../instance/ports.js'
import type { BusinessNetwork } from './business.js'
import type { CallNetwork } from './calls.js'
import type { ChannelNetwork } from './channels.js'
import type { ContactNetwork } from './contacts.js'
import type { DisconnectCause, NetworkEvent } from './events.js'
import type { GroupNetwork } from './groups.js'
import type { LimitsNetwork } from './limits.js'
import type { MediaNetwork } from './media.js'
import type { MessageNetwork } from './messages.js'
import type { PasskeyNetwork } from './passkey.js'
import type { PresenceNetwork } from './presence.js'
import type { Recordings } from './recordings.js'
import type { SettingsNetwork } from './settings.js'

export interface Network {
  /** Opens one connection: one object, one life. Never throws; failures arrive as the event `closed`. */
  open(options: OpenOptions): Connection
  /** Returns whether stored credentials belong to a finished pairing. */
  isPaired(credentials: Uint8Array): boolean
  readonly recordings: Recordings
}

/** Permission of this node to send. It is closed while the node cannot prove that it lives, since another node may own its instances then. */
export interface OutputGuard {
  /** Called before each frame, so it must be cheap. */
  isOpen(): boolean
  /** Resolves when the guard may be open again. */
  opened(): Promise<void>
}

/** `fullHistory`: the phone is asked for its whole history. */
export type Pairing = { readonly fullHistory?: boolean } & (
  | { readonly by: 'qr'; readonly browser: BrowserName }
  | { readonly by: 'code'; readonly phone: string }
)

export interface OpenOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  /** If set, fresh credentials replace the stored ones. */
  readonly pairing: Pairing | null
  /** Sent with the upgrade to a test network, which can then prove who owned the socket. */
  readonly epoch: number
  /** Called when a phone has scanned, before the network gets an answer. If it resolves to false, the phone links nothing. */
  readonly admit: () => Promise<boolean>
  /** Called before the connection is made. It waits until this resolves. */
  readonly prepare: () => Promise<void>
  /** Called in the order of the network. All writes of the listener are durable before the network gets its acknowledgement. */
  readonly on: (event: NetworkEvent) => void
}

/** The life of one connection, and one property per ability. Abilities throw INSTANCE_NOT_CONNECTED while the connection is not open. */
export interface Connection {
  readonly messages: MessageNetwork
  readonly contacts: ContactNetwork
  readonly settings: SettingsNetwork
  readonly media: MediaNetwork
  readonly calls: CallNetwork
  readonly business: BusinessNetwork
  readonly channels: ChannelNetwork
  readonly groups: GroupNetwork
  readonly passkey: PasskeyNetwork
  readonly limits: LimitsNetwork
  readonly presence: PresenceNetwork
  /** Ends the connection at once and drops held frames. Idempotent. The event `closed` follows with this cause, unless it was emitted before. */
  destroy(cause?: DisconnectCause): void
  /** Resolves when the socket is closed. */
  closed(): Promise<void>
  /** Unlinks this device at the network, then ends the connection. Takes a bounded time and never throws. */
  logout(): Promise<void>
  /** Resolves when no frame is held, or the connection is closed. */
  flushed(): Promise<void>
  /** Returns the traffic of the connection so far. */
  health(): ConnectionHealth
  /** Returns how the connection reaches the network. */
  route(): RouteView
}
