/** Files and link previews, as API and media share them. Types only. */

import type { Readable } from 'node:stream'
import type { PictureSource } from '../choices/menu.js'
import type { InstanceId, MessageId } from '../ids.js'
import type { FileKind, LinkPreview, MediaKind, PreparedFile, StoredFile } from '../send-content.js'

/** The preview data of a page. */
export interface PagePreview extends LinkPreview {
  /** Where its picture is, when there is one. */
  readonly image?: string
}

export interface LinkPreviews {
  /** Fetches through the guard; null when the page gives no title. @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED */
  fetch(url: string, owner?: InstanceId): Promise<PagePreview | null>
  /** A small JPEG in base64 of what a caller gave; null when it is no picture. @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED */
  picture(source: PictureSource, owner?: InstanceId): Promise<string | null>
  /** As `picture`: a JPEG of 640 by 640 pixels, for a group. */
  portrait(source: PictureSource, owner?: InstanceId): Promise<string | null>
}

/** A file as a caller gave it: on this node's disk already, or a URL to fetch it from. */
export type GivenFile =
  | {
      readonly from: 'file'
      readonly path: string
      readonly sizeBytes: number
      /** As the caller gave it; may be empty. */
      readonly mimetype: string
    }
  | { readonly from: 'url'; readonly url: string }

export interface RequestedFile<Kind extends FileKind = MediaKind> {
  readonly instance: InstanceId
  /** Of the message that it is for: as long as that is queued the file stays. */
  readonly messageid: MessageId
  readonly kind: Kind
  readonly file: GivenFile
  readonly fileName?: string
  /** Instead of what the file says of itself. */
  readonly mimetype?: string
  readonly thumbnail?: GivenFile
  /** It must survive the machine, since the send is answered before it has happened. */
  readonly durable: boolean
  /** A large image gets a small copy, which is sent first. */
  readonly isHd?: boolean
  /** Called with what the caller should know of the file, which is sent all the same. */
  readonly warn?: (about: string) => void
}

/** A file to be given away; whoever takes it reads `body` to its end or destroys it. */
export interface FileOfMessage {
  readonly mimetype: string
  /** May be empty. */
  readonly fileName: string
  readonly sizeBytes: number
  readonly body: Readable
}

/** Which file of a message: its own, that as MP3, that of the message which it quotes, or that of one of its cards, of which the first is 1. */
export type FileVariant = 'own' | 'mp3' | 'quoted' | `card${number}`

/** A raster picture. */
export interface ChatPicture {
  readonly body: Buffer
  readonly type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
}

export interface MediaService {
  /**
   * Fetches, looks at, converts and stores a file, so that the node that owns the instance can send it.
   * @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED, MEDIA_TOO_LARGE, MEDIA_TYPE_REFUSED, CONVERSION_UNAVAILABLE,
   * MEDIA_STORAGE_UNAVAILABLE, INVALID_REQUEST (the thumbnail)
   */
  take<Kind extends FileKind>(asked: RequestedFile<Kind>): Promise<PreparedFile<Kind>>
  /** Nobody needs it. Never rejects. */
  release(file: StoredFile): Promise<void>
  /**
   * Gives the picture of a person or group; of the own account for an empty number. Null when there is none, or when it may not be seen.
   * @throws GatewayError MEDIA_UNAVAILABLE, RATE_LIMITED, INVALID_NUMBER, NOT_LOGGED_IN, INSTANCE_NOT_CONNECTED
   */
  chatPicture(instance: InstanceId, asked: { number: string; preview: boolean }): Promise<ChatPicture | null>
  /** Gives a picture from a host of the network, such as that of a product. @throws GatewayError MEDIA_UNAVAILABLE, RATE_LIMITED */
  networkPicture(instance: InstanceId, url: string): Promise<ChatPicture>
  /** Whether sounds can be converted here. */
  readonly canConvert: boolean
  /** The address at which the file of a message record is given, for as long as links last from now; empty when it has none. */
  linkTo(instance: InstanceId, record: Readonly<Record<string, unknown>>, variant?: Exclude<FileVariant, 'own'>): string
  /**
   * Opens the file of a link, by the last three parts of its path.
   * @throws GatewayError MEDIA_LINK_ENDED, and as `open`
   */
  follow(instance: string, file: string, proof: string): Promise<FileOfMessage>
  /**
   * The file of a message, by the internal id; from the storage, the network, or the account's phone.
   * @throws GatewayError MEDIA_NOT_FOUND, MEDIA_TOO_LARGE, MEDIA_EXPIRED, MEDIA_UNAVAILABLE, INSTANCE_NOT_CONNECTED, CONVERSION_UNAVAILABLE
   */
  open(instance: InstanceId, record: string, variant: FileVariant): Promise<FileOfMessage>
}
