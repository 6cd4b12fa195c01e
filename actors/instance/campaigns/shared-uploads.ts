import { LRUCache } from 'lru-cache'
import { isChannelJid } from '../../../schemas/channel.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendContent } from '../../../schemas/send-content.js'
import type { UploadedMedia } from '../../network/port/media.js'
import type { SendsContext } from '../../operations/context.js'
import { uploadFiles } from '../sends/prepare-media.js'

/** Campaigns whose uploads are remembered. */
const CAMPAIGNS_MAX = 20
/** Time for which an upload is used again. The network keeps files for much longer. */
const USED_FOR_MS = 60 * 60_000

/** Uploads of the files that all recipients of a campaign get: one each hour instead of one each message. */
export class SharedUploads {
  readonly #context: SendsContext
  readonly #uploads = new LRUCache<string, Promise<readonly UploadedMedia[]>>({ max: CAMPAIGNS_MAX, ttl: USED_FOR_MS })

  constructor(context: SendsContext) {
    this.#context = context
  }

  of(folderId: string, content: SendContent, chat: ChatAddress): Promise<readonly UploadedMedia[]> {
    // Files for channels are others: they are not encrypted, and each post names its upload.
    if (chat.group !== undefined && isChannelJid(chat.group)) return uploadFiles(this.#context, content, chat)
    const known = this.#uploads.get(folderId)
    if (known !== undefined) return known
    const uploads = uploadFiles(this.#context, content, chat)
    this.#uploads.set(folderId, uploads)
    uploads.catch(() => {
      if (this.#uploads.peek(folderId) === uploads) this.#uploads.delete(folderId)
    })
    return uploads
  }
}
