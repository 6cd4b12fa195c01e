import { invalidField } from '../../schemas/invalid-field.js'

/**
 * Decodes a file as UTF-8, without its byte order mark.
 * @throws GatewayError INVALID_REQUEST when the file has another encoding
 */
export async function* utf8Text(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let start: Buffer | null = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (start === null) {
      yield decode(decoder, piece)
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < 4) continue
    refuseUtf16(start)
    yield decode(decoder, start)
    start = null
  }
  if (start !== null) refuseUtf16(start)
  yield decode(decoder, start ?? undefined, true)
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined, isLast = false): string {
  try {
    return decoder.decode(bytes, { stream: !isLast })
  } catch {
    throw invalidField('recipients', 'is not UTF-8: save it as "CSV UTF-8"')
  }
}

/** Refuses UTF-16, also without its mark: the first of two bytes, or the second, is 0 in each character of ASCII. */
function refuseUtf16(start: Buffer): void {
  const [first, second, third, fourth] = start
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const isBare = (first === 0 && second !== 0 && third === 0) || (second === 0 && first !== 0 && fourth === 0)
  if (isMarked || isBare) throw invalidField('recipients', 'is UTF-16: save it as "CSV UTF-8"')
}
