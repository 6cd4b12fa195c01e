import { LRUCache } from 'lru-cache'
import type { SendContent } from '../../schemas/send-content.js'
import type { SendsContext } from '../instance/sends/context.js'
import { uploadFiles } from '../instance/sends/prepare-media.js'
import type { UploadedMedia } from '../network/port/media.js'

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

  of(folderId: string, content: SendContent): Promise<readonly UploadedMedia[]> {
    const known = this.#uploads.get(folderId)
    if (known !== undefined) return known
    const uploads = uploadFiles(this.#context, content)
    this.#uploads.set(folderId, uploads)
    uploads.catch(() => {
      if (this.#uploads.peek(folderId) === uploads) this.#uploads.delete(folderId)
    })
    return uploads
  }
}
