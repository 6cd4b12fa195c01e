import { errorText } from '../../../../schemas/error-text.js'
import type { FileKind } from '../../../../schemas/send-content.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { MediaNetwork, RenewedMedia, UploadedMedia } from '../../port/media.js'
import type { AddressForms } from '../address-forms.js'
import type { LiveSocket } from '../live-socket.js'
import type { MediaHosts } from '../media/hosts.js'
import { renewMedia } from '../media/renewal.js'
import { uploadForChannel, uploadMedia } from '../media/upload.js'

export interface BaileysMediaOptions {
  readonly live: LiveSocket
  readonly forms: Pick<AddressForms, 'author'>
  readonly hosts: MediaHosts
  /** Folder for encrypted files during their upload. */
  readonly tempDir: string
}

export class BaileysMedia implements MediaNetwork {
  readonly #options: BaileysMediaOptions

  constructor(options: BaileysMediaOptions) {
    this.#options = options
  }

  async upload(kind: FileKind, file: AsyncIterable<Uint8Array>, isForChannel = false): Promise<UploadedMedia> {
    const { live, hosts, tempDir } = this.#options
    return await (isForChannel ? uploadForChannel : uploadMedia)(kind, file, {
      hosts: { ...hosts, dispatcher: live.route.dispatcher },
      tempDir,
      place: (renewed) => live.whileOpen(live.live().refreshMediaConn(renewed)),
      onFailure: (error) => live.logger.warn({ error: errorText(error) }, 'A media host refused a file.'),
    })
  }

  async renew(message: MessageForActor): Promise<RenewedMedia> {
    const { live, forms } = this.#options
    const author = await forms.author(message)
    return await live.whileOpen(renewMedia(live.live(), message, { meId: live.own().jid, author }))
  }
}
