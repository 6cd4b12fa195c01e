/** What can be asked of an instance, on whichever node it lives. Plain data: a command may travel between nodes. Types only. */
import type { CallContext } from '../../schemas/call-context.js'
import type { Menu } from '../../schemas/choices/menu.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { PixKey } from '../../schemas/pix-key.js'
import type { ConnectionHealth } from '../network/port.js'
import type { Command, ReplyOf } from '../operations/index.js'
import type { ConnectionStatus } from './ports.js'

export type { Command, ReplyOf }

export type BrowserName = 'auto' | 'safari' | 'firefox' | 'edge' | 'chrome'
export type PresenceKind = 'composing' | 'recording' | 'paused'

/** The common optional fields of every send, checked by the schema. */
export interface SendOptions {
  readonly delayMs?: number
  readonly readChat?: boolean
  readonly readMessages?: boolean
  /** `owner:messageid` or the bare id. */
  readonly replyId?: string
  /** Groups: comma-separated numbers, or `all`. */
  readonly mentions?: string
  readonly forward?: boolean
  readonly trackSource?: string
  readonly trackId?: string
  readonly async?: boolean
}

export interface ConnectRequest {
  readonly phone?: string
  readonly browser?: BrowserName
  readonly waitMs: number
}

export interface SendRequest {
  /** Made by the node that got the call, so that asking again is safe. */
  readonly messageid: MessageId
  /** Set by the router: it was asked before and nobody knows what became of it, so the owner looks for its row first. */
  readonly isRepeat?: boolean
  readonly number: string
  readonly content: SendContent
  readonly options: SendOptions
  readonly idempotencyKey?: string
  /** SHA-256 of the body as hex; the same key with another hash is refused. */
  readonly requestHash?: string
}

export interface SendCommand extends SendRequest {
  readonly type: 'send'
}

/** Changes a message of this account for everyone who has it. It has no row: whoever does not hear of its end may ask again. */
export interface ReviseRequest {
  /** Of the change itself; made by the node that got the call, so that phones take one that is asked twice for one. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid` or the bare id. */
  readonly id: string
  readonly revision: AskedRevision
}

export interface ReviseCommand extends ReviseRequest {
  readonly type: 'revise'
}

export type AskedRevision =
  /** `text`: with placeholders still in it. */
  { readonly kind: 'edit'; readonly text: string } | { readonly kind: 'delete' }

/** What is sent, checked by the schema of its operation. Its texts have their placeholders still in them. */
export type SendContent =
  | TextContent
  | ContactContent
  | LocationContent
  | ReactionContent
  | MenuContent
  | PixContent
  | MediaContent

/** How a file is shown, which decides how it is encrypted and where it is sent. `ptt`: a voice note; `ptv`: a round video. */
export type MediaKind = 'image' | 'video' | 'gif' | 'document' | 'audio' | 'ptt' | 'ptv' | 'sticker'

/** All that is brought to the network's media host. `preview`: the large picture of a link preview, which is no message of its own. */
export type FileKind = MediaKind | 'preview'

/** A file in the storage that all nodes share; a command carries this and never the file. */
export interface StoredFile {
  readonly name: string
  readonly sizeBytes: number
}

/** What is known of a file, for those who show it. */
export interface FileFacts {
  readonly mimetype: string
  readonly fileName?: string
  /** JPEG, base64. */
  readonly thumbnail?: string
  readonly width?: number
  readonly height?: number
  readonly seconds?: number
  /** Of a voice note: 64 bytes from 0 to 100, base64. */
  readonly waveform?: string
}

/** A file that is ready to be brought to the network. Made by the node that got the call, which also fetches URLs. */
export interface PreparedFile<Kind extends FileKind = MediaKind> extends FileFacts {
  readonly media: Kind
  readonly file: StoredFile
}

export interface MediaContent extends PreparedFile {
  readonly kind: 'media'
  readonly caption?: string
  readonly viewOnce?: boolean
}

export interface TextContent {
  readonly kind: 'text'
  readonly text: string
  readonly linkPreview?: LinkPreview
  /** What the caller wants shown instead of what the page says; a text of theirs, with placeholders. */
  readonly previewTitle?: string
  readonly previewDescription?: string
}

export interface ContactContent {
  readonly kind: 'contact'
  readonly fullName: string
  /** Digits with country code; at least one. */
  readonly phoneNumbers: readonly string[]
  readonly organization?: string
  readonly email?: string
  readonly url?: string
}

export interface LocationContent {
  readonly kind: 'location'
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
  readonly address?: string
}

export interface ReactionContent {
  readonly kind: 'reaction'
  /** The message that it is about: `owner:messageid` or the bare id. */
  readonly id: string
  /** Empty: the reaction is taken back. */
  readonly emoji: string
}

export interface MenuContent {
  /** The operation that asked for it. */
  readonly kind: 'menu' | 'carousel'
  /** Without what its media are made from; see `files`. */
  readonly menu: Menu
  /** What `mediaOf` asks for, in its order. */
  readonly files?: readonly PreparedFile[]
  /** When the network refuses it, it is sent as a text with numbered choices. */
  readonly textFallback?: boolean
}

export interface PixContent {
  readonly kind: 'pix'
  readonly key: PixKey
}

/** Made by the node that got the call (it fetches through the guard), so that a command carries no URL to fetch. */
export interface LinkPreview {
  readonly url: string
  /** As the page says it: nothing in it is a placeholder. Absent when the caller gives one. */
  readonly title?: string
  readonly description?: string
  /** JPEG, base64. */
  readonly thumbnail?: string
  /** The same picture for those who show it large. */
  readonly picture?: PreparedFile<'preview'>
}

/** The live side of an instance; the stored side is its row. */
export interface LiveStatus {
  readonly status: ConnectionStatus
  /** The machine's state, finer than the status: `pairing`, `waiting`, … */
  readonly state: string
  readonly connected: boolean
  readonly loggedIn: boolean
  /** With device part, when logged in. */
  readonly jid: string | null
  /** The text behind the QR, to be drawn; null when no pairing by QR is under way. */
  readonly qrcodeText: string | null
  readonly paircode: string | null
  /** Why it is not connected, for people; null when connected. */
  readonly reason: string | null
  /** The name that others see; null when it is not known here, absent from a node of release 0.1.0: then the stored one counts. */
  readonly profileName?: string | null
  /** What passed over the connection; null when not connected. */
  readonly health: ConnectionHealth | null
}

/** The asynchronous sends of an instance. */
export interface QueueStatus {
  readonly status: 'idle' | 'queued' | 'processing' | 'waiting_connection' | 'resetting'
  readonly pending: number
  /** One of them is being sent. */
  readonly processingNow: boolean
  readonly acceptingNewMessages: boolean
  readonly sessionReady: boolean
  /** They are being canceled. */
  readonly resetting: boolean
}

export interface SendReply {
  /** The message record as stored: after the network's ack (status `sent`), after the bounded wait (`pending`), or `queued`. */
  readonly record: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** The network has taken the change. */
export interface ReviseReply {
  /** Of the message that was changed. */
  readonly messageid: MessageId
  readonly timestampMs: number
  /** Of the change, as JSON. */
  readonly content: unknown
}

/**
 * Asks an instance to do something, wherever it lives. Resolves within the call's deadline. While the instance moves, the call waits.
 * @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, INVALID_NUMBER, NOT_ON_NETWORK, SEND_REFUSED,
 * CHAT_NOT_FOUND, MISSING_CALL_ID, CALL_REJECT_FAILED, OUTCOME_UNKNOWN, STORE_UNAVAILABLE, IDEMPOTENCY_CONFLICT, PAIRING_FAILED, NODE_BUSY, NODE_FAILED
 */
export interface CommandRouter {
  ask<C extends Command>(instance: InstanceId, command: C, context?: CallContext): Promise<ReplyOf[C['type']]>
}
