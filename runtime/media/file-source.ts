import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parse } from 'content-disposition'
import { cut } from '../../lib/cut.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { GivenFile } from '../../schemas/ports/media.js'
import type { Outgoing } from '../outgoing/client.js'
import { bareType } from './file-types.js'

/** A file of a caller, before its bytes are examined. */
export interface FetchedFile {
  readonly path: string
  readonly sizeBytes: number
  /** Type by the caller or the server; may be empty. */
  readonly declared: string
  /** Name by the server, or else the last part of its URL; may be empty. */
  readonly name: string
}

export interface FetchLimits {
  readonly sizeMaxBytes: number
  readonly timeoutMs: number
}

/** Downloads the file into `target()` when it was given by its URL. */
export async function fetchFile(
  outgoing: Pick<Outgoing, 'download'>,
  given: GivenFile,
  owner: InstanceId,
  target: () => string,
  limits: FetchLimits,
): Promise<FetchedFile> {
  if (given.from === 'file') return { path: given.path, sizeBytes: given.sizeBytes, declared: given.mimetype, name: '' }
  const path = target()
  const { url, contentType, disposition, body } = await outgoing.download(given.url, {
    accept: '*/*',
    owner,
    ...limits,
  })
  await pipeline(body, createWriteStream(path, { mode: 0o600 }))
  const { size } = await stat(path)
  return {
    path,
    sizeBytes: size,
    declared: bareType(contentType),
    name: nameInDisposition(disposition) || nameInUrl(url),
  }
}

function nameInUrl(url: string): string {
  try {
    // Bound: 65,536, an address.
    return bareName(decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''))
  } catch {
    return ''
  }
}

/** What sounds and videos say of themselves. */
interface Tracks {
  /** Undefined when the file does not tell. */
  readonly seconds?: number
  /** The library's names for the codecs of its tracks. */
  readonly codecs: readonly string[]
}

/** Reads the length and codecs of a file. Loads the library with the first sound or video. */
export async function readTracks(file: string): Promise<Tracks> {
  const { parseFile } = await import('music-metadata')
  try {
    const { format } = await parseFile(file, { duration: true, skipCovers: true })
    const { duration = 0, trackInfo = [] } = format
    const codecs = trackInfo.flatMap(({ codecName }) => (codecName === undefined ? [] : [codecName]))
    return { ...(duration > 0 ? { seconds: duration } : {}), codecs }
  } catch {
    return { codecs: [] }
  }
}

/** Reads the name of a file in a header `Content-Disposition`, as servers write it. */

/** Characters of a name at most. */
const NAME_MAX = 200
// Bound: 65,536, a header of a server.
const LATIN_1 = /^[\0-\xff]*$/
/** A word of mail (RFC 2047), which some servers write here too. */
// Bound: 65,536, a header of a server.
const MAIL_WORD = /=\?(utf-8|iso-8859-1|windows-1252|us-ascii)\?([bq])\?([^?]{0,2000})\?=/gi

/** Returns the name, of which `filename*` comes first; may be empty. */
export function nameInDisposition(header: string): string {
  if (header === '') return ''
  return bareName(withoutPercents(withoutMailWords(asUtf8(parsedName(header) ?? looseName(header)))))
}

/** Returns the last part of a name with folders, without what no name has; may be empty. */
export function bareName(name: string): string {
  // Bound: 65,536, a header of a server.
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // Bound: 65,536, a header of a server.
  const bare = cut(last.replaceAll(/\p{Cc}/gu, '').trim(), NAME_MAX)
  // Bound: 65,536, a header of a server.
  return /^\.{1,200}$/.test(bare) ? '' : bare
}

function parsedName(header: string): string | null {
  try {
    return parse(header).parameters.filename ?? ''
  } catch {
    return null
  }
}

/** Some servers leave out the type or the quotation marks of a name with spaces, or write them around a name with an encoding. */
function looseName(header: string): string {
  // Bound: 65,536, a header of a server.
  const [, encoded = ''] = /(?:^|;)\s*filename\*\s*=\s*"?utf-8'[\w-]{0,20}'([^";]*)/i.exec(header) ?? []
  const decoded = decodedPercents(encoded)
  if (decoded !== null && decoded !== '') return decoded
  // Bound: 65,536, a header of a server.
  const [, bare = ''] = /(?:^|;)\s*filename\s*=\s*"?([^";]*)/i.exec(header) ?? []
  return bare
}

/** Many servers write UTF-8 where the header has Latin-1. */
function asUtf8(name: string): string {
  try {
    return LATIN_1.test(name) ? new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1')) : name
  } catch {
    return name
  }
}

function withoutMailWords(name: string): string {
  // Bound: 65,536, a header of a server.
  return name
    .replace(/\?=\s{1,100}=\?/g, '?==?')
    .replace(MAIL_WORD, (_, charset: string, form: string, text: string) => {
      const bytes =
        form.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : Buffer.from(quotedPrintable(text), 'latin1')
      return new TextDecoder(charset).decode(bytes)
    })
}

function quotedPrintable(text: string): string {
  // Bound: 65,536, a header of a server.
  return text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Servers that encode the name of a URL send it so, and browsers show it decoded. */
function withoutPercents(name: string): string {
  // Bound: 65,536, a header of a server.
  return /%[0-9a-f]{2}/i.test(name) ? (decodedPercents(name) ?? name) : name
}

function decodedPercents(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
