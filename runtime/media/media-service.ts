import type { FilesToSend } from '../../actors/instance/ports.js'
import { GatewayError } from '../../schemas/errors.js'
import type { MediaService } from '../../schemas/ports/media.js'
import type { ChatPictures } from './chat-pictures.js'
import type { Intake } from './intake.js'
import type { Library } from './library.js'
import type { FileLinks } from './links.js'

export interface MediaServiceOptions {
  readonly intake: Intake
  readonly toSend: Pick<FilesToSend, 'release'>
  readonly library: Library
  readonly links: FileLinks
  readonly publicUrl: () => string
  readonly canConvert: boolean
  readonly pictures: ChatPictures
}

/** Files as the API takes and gives them. */
export function createMediaService({
  intake,
  toSend,
  library,
  links,
  publicUrl,
  canConvert,
  pictures,
}: MediaServiceOptions): MediaService {
  return {
    take: intake,
    release: (file) => toSend.release(file),
    canConvert,
    linkTo(instance, record, variant) {
      const path =
        variant === undefined
          ? links.pathOfRecord(instance, record, Date.now())
          : links.pathTo({ instance, record: String(record.id), variant }, Date.now())
      return path === '' ? '' : `${publicUrl()}${path}`
    },
    async follow(instance, file, proof) {
      const place = links.findPlace(instance, file, proof)
      if (place === null) throw new GatewayError('MEDIA_LINK_ENDED')
      return await library.open(place)
    },
    chatPicture: (instance, asked) => pictures.give(instance, asked),
    networkPicture: (instance, url) => pictures.ofNetwork(instance, url),
    open: (instance, record, variant) => library.open({ instance, record, variant }),
  }
}
