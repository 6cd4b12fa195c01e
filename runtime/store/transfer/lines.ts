/** The lines of an imported file, never holding more of it than one line. */
import { invalidExport } from './sealed-file.js'

/** A row with the largest message that the network carries. */
export const LINE_BYTES_MAX = 16 * 2 ** 20
/** A file may unpack to so much whatever its size… */
const UNPACKED_FREE_BYTES = 32 * 2 ** 20
/** … and beyond it to so many times its size. Rows of empty chats, the most repetitive there are, pack about fifty times. */
const UNPACKED_RATIO_MAX = 200

export interface LineLimits {
  /** Maximum of bytes of all lines. */
  readonly bytesMax: number
  /** Bytes of the packed file that were read so far. */
  readonly packedBytes: () => number
  /** Called with each part; throws to stop. */
  readonly check: () => void
}

/** Each line without its end. @throws GatewayError INVALID_EXPORT when a limit is exceeded, or the last line has no end */
export async function* splitLines(parts: AsyncIterable<Uint8Array>, limits: LineLimits): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let bytes = 0
  for await (const part of parts) {
    limits.check()
    bytes += part.length
    if (bytes > limits.bytesMax) throw invalidExport(`The file unpacks to more than ${limits.bytesMax} bytes.`)
    if (bytes > UNPACKED_FREE_BYTES && bytes > UNPACKED_RATIO_MAX * limits.packedBytes())
      throw invalidExport(`The file unpacks to more than ${UNPACKED_RATIO_MAX} times its size.`)
    let from = 0
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      yield Buffer.concat([...held, part.subarray(from, end)])
      held = []
      heldBytes = 0
      from = end + 1
    }
    if (from === part.length) continue
    held.push(part.subarray(from))
    heldBytes += part.length - from
    if (heldBytes > LINE_BYTES_MAX) throw invalidExport(`The file has a line of more than ${LINE_BYTES_MAX} bytes.`)
  }
  if (heldBytes > 0) throw invalidExport('The file is damaged: it was changed, or its end is missing.')
}
