/** Returns the text of bytes, by byte order mark, then the declared character set, then UTF-8; what is none of them is Windows-1252. */
export function decodeText(bytes: Uint8Array, declared = ''): string {
  const label = byteOrderMark(bytes) ?? declared
  if (label !== '') {
    try {
      return new TextDecoder(label).decode(bytes)
    } catch {
      // An unknown name says nothing.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}
