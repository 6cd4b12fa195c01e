/**
 * The file in which an instance travels: AES-256-GCM in frames, so that neither end holds all of it in memory, under a key that scrypt makes
 * of a passphrase.
 *
 *     file   = "POSTHORN", format (1 byte), salt (16), check (16), frames
 *     frame  = last (1 byte: 1 for the last one), length (4, big-endian; 64 KiB in all but the last), ciphertext, tag (16)
 *
 * The nonce of a frame is its number and `last`; the key is of this file alone, since the salt is. Thus frames cannot be left out, put in
 * another order, or cut off at the end. The head is authenticated with each frame. `check` tells a wrong passphrase from a damaged file.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '../../../schemas/errors.js'

const MAGIC = Buffer.from('POSTHORN')
/** Version of the format. Raised when an older program would misread the file or its content. */
const FILE_FORMAT = 1
const SALT_BYTES = 16
const CHECK_BYTES = 16
const HEAD_BYTES = MAGIC.length + 1 + SALT_BYTES + CHECK_BYTES
const TAG_BYTES = 16
const FRAME_HEAD_BYTES = 5
const FRAME_BYTES = 64 * 1024
/** 64 MiB and about half a second for each guess. Part of the format. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 2, maxmem: 96 * 2 ** 20 }

/** The bytes of the file. */
export async function* sealFile(plain: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const { key, check } = await deriveKey(passphrase, salt)
  const head = Buffer.concat([MAGIC, Buffer.from([FILE_FORMAT]), salt, check])
  yield head
  let number = 0
  const seal = (data: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, makeNonce(number, isLast))
    number += 1
    cipher.setAAD(head)
    const frame = Buffer.alloc(FRAME_HEAD_BYTES)
    frame[0] = isLast ? 1 : 0
    frame.writeUInt32BE(data.length, 1)
    return Buffer.concat([frame, cipher.update(data), cipher.final(), cipher.getAuthTag()])
  }
  let held = Buffer.alloc(0)
  for await (const part of plain) {
    held = Buffer.concat([held, part])
    while (held.length > FRAME_BYTES) {
      yield seal(held.subarray(0, FRAME_BYTES), false)
      held = held.subarray(FRAME_BYTES)
    }
  }
  yield seal(held, true)
}

/**
 * Yields the sealed bytes. Each piece is genuine; only the end proves that nothing is missing.
 * @throws GatewayError INVALID_EXPORT
 */
export async function* openFile(file: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const bytes = new Incoming(file)
  try {
    yield* readFrames(bytes, passphrase)
  } finally {
    await bytes.end()
  }
}

async function* readFrames(bytes: Incoming, passphrase: string): AsyncGenerator<Buffer> {
  const head = await bytes.take(HEAD_BYTES)
  if (!head?.subarray(0, MAGIC.length).equals(MAGIC)) throw invalidExport('This is not an export of an instance.')
  const format = head[MAGIC.length] ?? 0
  if (format !== FILE_FORMAT)
    throw invalidExport(
      `The file has format ${format}, and this version knows ${FILE_FORMAT} only: use the one that made it.`,
    )
  const { key, check } = await deriveKey(passphrase, head.subarray(MAGIC.length + 1, HEAD_BYTES - CHECK_BYTES))
  if (!timingSafeEqual(check, head.subarray(HEAD_BYTES - CHECK_BYTES)))
    throw invalidExport('The passphrase is not the one of this file, or its beginning is damaged.')

  for (let number = 0, isLast = false; !isLast; number += 1) {
    const frame = await bytes.take(FRAME_HEAD_BYTES)
    isLast = frame?.[0] === 1
    const length = frame?.readUInt32BE(1) ?? 0
    // All but the last are full: empty ones would cost time and bring nothing.
    const isOfLength = isLast ? length <= FRAME_BYTES : length === FRAME_BYTES
    const data = isOfLength ? await bytes.take(length) : null
    const tag = await bytes.take(TAG_BYTES)
    if (frame === null || data === null || tag === null) throw damagedExport()
    const decipher = createDecipheriv('aes-256-gcm', key, makeNonce(number, isLast))
    decipher.setAAD(head)
    decipher.setAuthTag(tag)
    const plain = decipher.update(data)
    try {
      decipher.final()
    } catch {
      throw damagedExport()
    }
    yield plain
  }
  if ((await bytes.take(1)) !== null) throw damagedExport()
}

/** @throws GatewayError INVALID_EXPORT, with this sentence */
export function invalidExport(message: string): GatewayError {
  return new GatewayError('INVALID_EXPORT', { message })
}

export function damagedExport(): GatewayError {
  return invalidExport('The file is damaged: it was changed, or its end is missing.')
}

/** One at a time: each takes 64 MiB. */
let turn: Promise<unknown> = Promise.resolve()

function deriveKey(passphrase: string, salt: Uint8Array): Promise<{ key: Buffer; check: Buffer }> {
  const made = turn.then(
    () =>
      new Promise<{ key: Buffer; check: Buffer }>((resolve, reject) => {
        // The same letters are typed in several ways.
        scrypt(passphrase.normalize('NFKC'), salt, 64, SCRYPT, (error, bytes) => {
          if (error !== null) return reject(error)
          const check = createHash('sha256').update(bytes.subarray(32)).digest().subarray(0, CHECK_BYTES)
          resolve({ key: bytes.subarray(0, 32), check })
        })
      }),
  )
  turn = made.catch(() => {})
  return made
}

function makeNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

class Incoming {
  readonly #source: AsyncIterator<Uint8Array>
  #held = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Closes the source, which may not be at its end. */
  async end(): Promise<void> {
    await this.#source.return?.()
  }

  /** Null when there is not so much. */
  async take(size: number): Promise<Buffer | null> {
    while (this.#held.length < size) {
      const { value, done } = await this.#source.next()
      if (done === true) return null
      this.#held = Buffer.concat([this.#held, value])
    }
    const taken = this.#held.subarray(0, size)
    this.#held = this.#held.subarray(size)
    return taken
  }
}
