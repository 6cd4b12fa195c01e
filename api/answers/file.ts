import type { FileOfMessage } from '../../schemas/ports/media.js'
import { Answer } from '../route.js'

// Bound: 1,048,576, a body or header of a request.

/** Types that browsers show by themselves, and that cannot be a program of a stranger. */
const SHOWN = /^(image\/(jpeg|png|gif|webp)|video\/|audio\/)/

/** Answers with a file of a message as it is. The headers keep a file from strangers from running as a page of ours. */
export function fileAnswer({ body, mimetype, fileName, sizeBytes }: FileOfMessage): Answer {
  const type = /^[\w.+-]+\/[\w.+-]+(; *[\w.+-]+="?[\w.+-]+"?)*$/.test(mimetype) ? mimetype : 'application/octet-stream'
  const how = SHOWN.test(type) ? 'inline' : 'attachment'
  // A header cannot hold half of a surrogate pair.
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
