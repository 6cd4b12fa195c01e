/** Files of messages on the network's media host. Types only. */

import type { InstanceId } from '../../../schemas/ids.js'
import type { FileKind, MediaKind } from '../../../schemas/send-content.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'

export interface MediaNetwork {
  /**
   * Encrypts a file and uploads it to the network's media host; a file for a channel goes there as it is. Reads it once, as a stream. A message can then be composed with the result,
   * over this connection or another one of the account.
   * @throws GatewayError MEDIA_REFUSED, MEDIA_UPLOAD_FAILED, MEDIA_STORAGE_UNAVAILABLE, INSTANCE_NOT_CONNECTED, INSTANCE_MOVING;
   * and errors of reading the file
   */
  upload(kind: FileKind, file: AsyncIterable<Uint8Array>, isForChannel?: boolean): Promise<UploadedMedia>
  /**
   * Asks the account's phone to upload the file of a message again. Returns the encoded message with the new place of the file.
   * @throws GatewayError MEDIA_UNAVAILABLE when the phone refuses or does not answer in time
   */
  renew(message: MessageForActor): Promise<RenewedMedia>
}

export interface RenewedMedia {
  readonly proto: Uint8Array
  readonly content: unknown
}

/** A file on the network's media host, with all data that readers need to fetch, decrypt and verify it. */
export interface UploadedMedia {
  readonly url: string
  readonly directPath: string
  readonly mediaKey: Uint8Array
  /** Hash of the plain bytes. */
  readonly fileSha256: Uint8Array
  /** Hash of the encrypted bytes on the host. */
  readonly fileEncSha256: Uint8Array
  readonly fileLength: number
  readonly mediaKeyTimestampSeconds: number
  /** Name of the upload, which the post of a channel must give. The file is then not encrypted, and keys and hash are empty. */
  readonly handle?: string
}

/** The file of a stored message, as the network keeps it. */
export interface NetworkFile extends Omit<UploadedMedia, 'mediaKeyTimestampSeconds' | 'handle'> {
  readonly media: MediaKind
  /** True if the file lies on the host as it is. Then `fileEncSha256` is empty. */
  readonly isPlain: boolean
  /** Type according to the sender. */
  readonly mimetype: string
  /** Name according to the sender; empty when there is none. */
  readonly fileName: string
}

/** The file of the message itself, of the quoted message, or of a card. The first card is 1. */
export type WhichFile = 'message' | 'quoted' | { readonly card: number }

/** Downloads files of messages. Works on every node, because it needs no connection of the account. It uses the account's proxy. */
export interface MediaDownloads {
  /** Returns the file of an encoded message, also of the header of a menu; null when there is no file that could be fetched. */
  findFile(proto: Uint8Array, of?: WhichFile): NetworkFile | null
  /** Opens the route of an instance. The caller closes it. */
  open(instance: InstanceId): Promise<DownloadRoute>
}

export interface DownloadRoute {
  /**
   * Yields the plain bytes. They are not verified before the end of the stream, where they are compared with their hashes.
   * @throws GatewayError MEDIA_EXPIRED (the phone may upload it again), MEDIA_UNAVAILABLE
   */
  fetch(file: NetworkFile): AsyncIterable<Uint8Array>
  /**
   * Fetches a picture of a person or group, which is not encrypted, from a host of the network.
   * @throws GatewayError MEDIA_EXPIRED (its address has ended), MEDIA_UNAVAILABLE
   */
  picture(url: string, sizeMaxBytes: number): Promise<Buffer>
  close(): void
}
