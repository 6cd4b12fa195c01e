import type { FileOfMessage } from '../../../schemas/ports/media.js'
import { Answer, openRoute, type Route } from '../../route.js'

/** Types that browsers show by themselves, and that cannot be a program of a stranger. */
// Bound: 1,048,576, a body or header of a request.
const SHOWN = /^(image\/(jpeg|png|gif|webp)|video\/|audio\/)/

/** Answers with a file of a message as it is. The headers keep a file from strangers from running as a page of ours. */
export function fileAnswer({ body, mimetype, fileName, sizeBytes }: FileOfMessage): Answer {
  // Bound: 1,048,576, a body or header of a request.
  const type = /^[\w.+-]+\/[\w.+-]+(; *[\w.+-]+="?[\w.+-]+"?)*$/.test(mimetype) ? mimetype : 'application/octet-stream'
  const how = SHOWN.test(type) ? 'inline' : 'attachment'
  // A header cannot hold half of a surrogate pair.
  // Bound: 1,048,576, a body or header of a request.
  const name = fileName === '' ? '' : `; filename*=UTF-8''${encodeURIComponent(fileName.replace(/\p{Cs}/gu, '\ufffd'))}`
  return new Answer({
    body,
    type,
    headers: {
      'Content-Length': String(sizeBytes),
      'Content-Disposition': `${how}${name}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'private, max-age=3600',
    },
  })
}

const giveFile = openRoute({
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

/** Routes of the area, in the order of the documentation. */
export const mediaRoutes: readonly Route[] = [giveFile]
