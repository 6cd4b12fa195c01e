import { createNetworkMedia } from '../../actors/network/baileys/media/download.js'
import type { CommandRouter } from '../../actors/operations/router.js'
import type { MediaService } from '../../schemas/ports/media.js'
import { ChatPictures } from '../media/chat-pictures.js'
import { createFfmpeg, findFfmpeg } from '../media/ffmpeg.js'
import { createIntake } from '../media/intake.js'
import { createLibrary } from '../media/library.js'
import { createMediaService } from '../media/media-service.js'
import { createPictures } from '../media/pictures.js'
import { createUnaidedConversions } from '../media/unaided.js'
import type { Channels } from './channels.js'
import type { NodeContext } from './context.js'
import type { Actors } from './ports.js'
import type { Stores } from './stores.js'

/** Creates the service through which the API takes and gives files. */
export function createMedia(
  { config, logger, mediaHosts, work }: NodeContext,
  { storage, files, tempDir }: Stores,
  { outgoing, links, origin }: Channels,
  { reader, filesToSend, routes }: Actors,
  router: CommandRouter,
): MediaService {
  const { ffmpegPath, convertTimeoutMs, maxBytes, fetchTimeoutMs } = config.media
  const ffmpeg = createFfmpeg({
    program: findFfmpeg(ffmpegPath, process.env.PATH),
    timeoutMs: convertTimeoutMs,
    outputMaxBytes: maxBytes,
    work,
  })
  const shared = { storage, files, ffmpeg, tempDir, fileMaxBytes: maxBytes }
  const network = createNetworkMedia(mediaHosts, async (instance) =>
    routes.open(instance, await reader.proxy(instance)),
  )
  return createMediaService({
    toSend: filesToSend,
    intake: createIntake({
      ...shared,
      outgoing,
      pictures: createPictures(work),
      unaided: createUnaidedConversions(work),
      fetchTimeoutMs,
    }),
    library: createLibrary({
      ...shared,
      network,
      router,
      work,
      findMessage: ({ instance, record }) => reader.messageByRecordId(instance, record),
      logger: logger.child({ part: 'media' }),
    }),
    links,
    publicUrl: () => origin.url(),
    canConvert: ffmpeg.isThere,
    pictures: new ChatPictures({ network, router }),
  })
}
