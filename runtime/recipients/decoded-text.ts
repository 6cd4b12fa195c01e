import { invalidField } from '../../schemas/invalid-field.js'

/**
 * Decodes a file without its byte order mark: UTF-8, or UTF-16 with a mark, as spreadsheets write "Unicode text".
 * @throws GatewayError INVALID_REQUEST when the file has another encoding
 */
export async function* decodedText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let start: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (decoder !== null) {
      yield decode(decoder, piece)
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < 4) continue
    decoder = decoderOf(start)
    yield decode(decoder, start)
  }
  if (decoder !== null) yield decode(decoder, undefined, true)
  else yield decode(decoderOf(start), start, true)
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined, isLast = false): string {
  try {
    return decoder.decode(bytes, { stream: !isLast })
  } catch {
    throw invalidField(
      'recipients',
      decoder.encoding === 'utf-8'
        ? 'is not UTF-8: save it as "CSV UTF-8"'
        : 'is damaged UTF-16: save it as "CSV UTF-8"',
    )
  }
}

/** Refuses UTF-16 without a mark: the first of two bytes, or the second, is 0 in each character of ASCII. */
function decoderOf(start: Buffer): InstanceType<typeof TextDecoder> {
  const [first, second, third, fourth] = start
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true })
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true })
  const isBare = (first === 0 && second !== 0 && third === 0) || (second === 0 && first !== 0 && fourth === 0)
  if (isBare) throw invalidField('recipients', 'is UTF-16 without a byte order mark: save it as "CSV UTF-8"')
  return new TextDecoder('utf-8', { fatal: true })
}
