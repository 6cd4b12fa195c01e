import { fileAnswer } from '../../answers/file.js'
import { openRoute } from '../../route.js'

export const giveFile = openRoute({
  method: 'GET',
  path: '/media/:instance/:file/:proof',
  name: 'giveFile',
  area: 'Message',
  summary: 'Get the file of a message, by a link from a record or from /message/download; no token is needed',
  produces: '*/*',
  errors: ['MEDIA_LINK_ENDED', ...fileDownloadErrors()],
  async handle({ params }, { ports }) {
    const { instance = '', file = '', proof = '' } = params
    return fileAnswer(await ports.media.follow(instance, file, proof))
  },
})

/** Returns the error codes of all operations that give files of messages. */
export function fileDownloadErrors() {
  return [
    'MEDIA_NOT_FOUND',
    'MEDIA_TOO_LARGE',
    'MEDIA_EXPIRED',
    'MEDIA_UNAVAILABLE',
    'MEDIA_STORAGE_UNAVAILABLE',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
  ] as const
}
