import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export interface Decoded {
  readonly data: Buffer
  /** There was more than `sizeMaxBytes`. */
  readonly cut: boolean
}

/**
 * Undoes `Content-Encoding`, and stops when the result reaches `sizeMaxBytes`: a small body can hold gigabytes.
 * With `incomplete` a body that ends too early gives what it holds; else that is an error.
 */
export function readDecoded(
  body: Buffer,
  encoding: string,
  sizeMaxBytes: number,
  incomplete: boolean,
): Promise<Decoded> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return Promise.resolve(cutTo(body, sizeMaxBytes))
  const decoder = decoderOf(name)
  if (decoder === undefined) return Promise.reject(new Error('The encoding of the body is not known.'))
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const done = () => resolve(cutTo(Buffer.concat(parts), sizeMaxBytes))
    decoder
      .on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length <= sizeMaxBytes) return
        done()
        decoder.destroy()
      })
      .on('end', done)
      .on('error', (error) => (incomplete ? done() : reject(error)))
      .end(body)
  })
}

/** Undoes `Content-Encoding` while the body is read. Undefined when the encoding is not known. The caller bounds what comes out. */
export function decodedStream(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncIterable<Uint8Array> | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const decoder = decoderOf(name)
  // A failure of either ends both, and the reader gets it.
  return decoder && pipeline(Readable.from(body), decoder, () => {})
}

function decoderOf(name: string) {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'deflate') return createInflate()
  if (name === 'br') return createBrotliDecompress()
  return undefined
}

function cutTo(data: Buffer, sizeMaxBytes: number): Decoded {
  return data.length > sizeMaxBytes ? { data: data.subarray(0, sizeMaxBytes), cut: true } : { data, cut: false }
}
