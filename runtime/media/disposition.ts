/** Reads the name of a file in a header `Content-Disposition`, as servers write it. */
import { parse } from 'content-disposition'
import { cut } from '../../lib/cut.js'

// Bound: 65,536, a header of a server.

/** Characters of a name at most. */
const NAME_MAX = 200
const LATIN_1 = /^[\0-\xff]*$/
/** A word of mail (RFC 2047), which some servers write here too. */
const MAIL_WORD = /=\?(utf-8|iso-8859-1|windows-1252|us-ascii)\?([bq])\?([^?]{0,2000})\?=/gi

/** Returns the name, of which `filename*` comes first; may be empty. */
export function nameInDisposition(header: string): string {
  if (header === '') return ''
  return bareName(withoutPercents(withoutMailWords(asUtf8(parsedName(header) ?? looseName(header)))))
}

/** Returns the last part of a name with folders, without what no name has; may be empty. */
export function bareName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const bare = cut(last.replaceAll(/\p{Cc}/gu, '').trim(), NAME_MAX)
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
  const [, encoded = ''] = /(?:^|;)\s*filename\*\s*=\s*"?utf-8'[\w-]{0,20}'([^";]*)/i.exec(header) ?? []
  const decoded = decodedPercents(encoded)
  if (decoded !== null && decoded !== '') return decoded
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
  return name
    .replace(/\?=\s{1,100}=\?/g, '?==?')
    .replace(MAIL_WORD, (_, charset: string, form: string, text: string) => {
      const bytes =
        form.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : Buffer.from(quotedPrintable(text), 'latin1')
      return new TextDecoder(charset).decode(bytes)
    })
}

function quotedPrintable(text: string): string {
  return text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Servers that encode the name of a URL send it so, and browsers show it decoded. */
function withoutPercents(name: string): string {
  return /%[0-9a-f]{2}/i.test(name) ? (decodedPercents(name) ?? name) : name
}

function decodedPercents(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
