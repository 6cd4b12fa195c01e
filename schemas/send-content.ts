/** The content of a send, checked by the schema of its operation. Its texts still have their placeholders. */
import type { Menu } from './choices/menu.js'
import type { PaymentRequest, PixKey } from './payment-request.js'

/** The content of a send, checked by the schema of its operation. Its texts still have their placeholders. */
export type SendContent =
  | TextContent
  | ContactContent
  | ContactsContent
  | LocationContent
  | ReactionContent
  | MenuContent
  | PixContent
  | LocationRequestContent
  | ForwardContent
  | VoteContent
  | ProductContent
  | AlbumContent
  | EventContent
  | ChannelInviteContent
  | GroupInviteContent
  | PaymentContent
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

/** Facts about a file, for clients that show it. */
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
  /** The image in full size, when `file` is a small copy of it. It follows in a message of its own. */
  readonly hd?: PreparedFile<'image'>
}

export interface MediaContent extends PreparedFile {
  readonly kind: 'media'
  readonly caption?: string
  readonly viewOnce?: boolean
  /** The album that it is a part of. */
  readonly albumId?: string
  /** Of a voice message as a status post. */
  readonly style?: StatusStyle
}

/** How a status post is drawn. Colors are ARGB. */
export interface StatusStyle {
  readonly backgroundArgb: number
  readonly textArgb?: number
  /** Number of the font in the network's list. */
  readonly font?: number
}

export interface TextContent {
  readonly kind: 'text'
  readonly text: string
  readonly linkPreview?: LinkPreview
  /** Title of the caller in place of the page's own; it may have placeholders. */
  readonly previewTitle?: string
  readonly previewDescription?: string
  /** Of a status post. */
  readonly style?: StatusStyle
}

/** Several contact cards in one message. */
export interface ContactsContent {
  readonly kind: 'contacts'
  /** At least two. */
  readonly cards: readonly ContactCard[]
}

export interface ContactContent extends ContactCard {
  readonly kind: 'contact'
}

export interface ContactCard {
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

/** A product of a catalogue, as a card. */
export interface ProductContent {
  readonly kind: 'product'
  readonly product: SentProduct
  /** JID of the business. */
  readonly seller: string
  readonly text?: string
  readonly footer?: string
  /** The picture of the product. */
  readonly files: readonly PreparedFile[]
}

export interface SentProduct {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly retailer_id: string
  /** In thousandths; null: none. */
  readonly price: number | null
  readonly currency: string
  readonly url: string
  readonly imageCount: number
}

/** The frame of images and videos that clients show as one. They follow as messages of their own. */
export interface AlbumContent {
  readonly kind: 'album'
  readonly images: number
  readonly videos: number
}

/** A vote in a poll; it replaces an earlier one. */
export interface VoteContent {
  readonly kind: 'vote'
  /** The poll: the bare id. */
  readonly id: string
  /** Texts of the options; none takes the vote back. */
  readonly options: readonly string[]
}

export interface MenuContent {
  /** The operation that asked for it. */
  readonly kind: 'menu' | 'carousel'
  /** Without what its media are made from; see `files`. */
  readonly menu: Menu
  /** The media of `listMenuMedia`, in its order. */
  readonly files?: readonly PreparedFile[]
  /** When the network refuses it, it is sent as a text with numbered choices. */
  readonly textFallback?: boolean
}

export interface PixContent {
  readonly kind: 'pix'
  readonly key: PixKey
}

/** A button that asks the person for the location. */
export interface LocationRequestContent {
  readonly kind: 'locationRequest'
  readonly text: string
}

/** A stored message, sent again without another upload of its file. */
export interface ForwardContent {
  readonly kind: 'forward'
  /** `owner:messageid`, the bare id, or the id of its record. */
  readonly id: string
  /** As its record says them. */
  readonly messageType: string
  readonly type: string
  readonly mediaType: string
  readonly text: string
}

/** An invitation to a group for one person, as a card. */
export interface GroupInviteContent {
  readonly kind: 'groupInvite'
  readonly group: string
  readonly groupName: string
  readonly code: string
  /** Seconds since 1970. */
  readonly expiresSeconds: number
  readonly text?: string
}

/** An invitation to something at a time, which people answer. */
export interface EventContent {
  readonly kind: 'event'
  readonly name: string
  readonly description?: string
  readonly startMs: number
  readonly endMs?: number
  readonly placeName?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly extraGuests?: boolean
}

/** An invitation to administer a channel. */
export interface ChannelInviteContent {
  readonly kind: 'channelInvite'
  /** JID of the channel. */
  readonly channel: string
  readonly name: string
  /** May be empty. */
  readonly caption: string
  /** 0: the network did not say. */
  readonly expiresMs: number
}

export interface PaymentContent {
  readonly kind: 'payment'
  readonly payment: PaymentRequest
  /** The document above the text, if there is one. */
  readonly files?: readonly PreparedFile[]
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

/** Returns the files of a content. */
export function listContentFiles(content: SendContent): readonly PreparedFile<PreparedFile['media'] | 'preview'>[] {
  if (content.kind === 'media') return content.hd === undefined ? [content] : [content, content.hd]
  if (content.kind === 'text') return content.linkPreview?.picture === undefined ? [] : [content.linkPreview.picture]
  return 'files' in content ? (content.files ?? []) : []
}
