/** Noise_XX_25519_AESGCM_SHA256, and its server's side as the network's clients expect it. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, type KeyPair, NOISE_MODE, proto } from '@whiskeysockets/baileys'
import type { ServerIdentity } from './certificate.js'

const NOTHING = Buffer.alloc(0)
const TAG_BYTES = 16

/** Computations that both sides of a handshake share. */
export class NoiseState {
  #hash: Buffer = Buffer.from(NOISE_MODE)
  #salt: Buffer = this.#hash
  #key: Buffer = this.#hash
  #counter = 0
  #readKey: Buffer = NOTHING
  #writeKey: Buffer = NOTHING
  #reads = 0
  #writes = 0

  /** `prologue` is the four-byte header with which the client opens the stream. */
  constructor(prologue: Uint8Array) {
    this.mixHash(prologue)
  }

  encrypt(plaintext: Uint8Array): Buffer {
    return seal(this.#writeKey, this.#writes++, plaintext, NOTHING)
  }

  decrypt(ciphertext: Uint8Array): Buffer {
    return open(this.#readKey, this.#reads++, ciphertext, NOTHING)
  }

  protected mixHash(data: Uint8Array): void {
    this.#hash = createHash('sha256').update(this.#hash).update(data).digest()
  }

  protected mixKey(material: Uint8Array): void {
    const [salt, key] = this.#expand(material)
    this.#salt = salt
    this.#key = key
    this.#counter = 0
  }

  protected seal(plaintext: Uint8Array): Buffer {
    const sealed = seal(this.#key, this.#counter++, plaintext, this.#hash)
    this.mixHash(sealed)
    return sealed
  }

  protected open(ciphertext: Uint8Array): Buffer {
    const opened = open(this.#key, this.#counter++, ciphertext, this.#hash)
    this.mixHash(ciphertext)
    return opened
  }

  /** The handshake is done; from then on `encrypt` and `decrypt` carry frames. */
  protected split(side: 'client' | 'server'): void {
    const [clientWrites, serverWrites] = this.#expand(NOTHING)
    this.#writeKey = side === 'client' ? clientWrites : serverWrites
    this.#readKey = side === 'client' ? serverWrites : clientWrites
  }

  #expand(material: Uint8Array): [Buffer, Buffer] {
    const expanded = Buffer.from(hkdfSync('sha256', material, this.#salt, NOTHING, 64))
    return [expanded.subarray(0, 32), expanded.subarray(32)]
  }
}

export class ServerNoise extends NoiseState {
  #ephemeral: KeyPair | undefined

  constructor(
    private readonly identity: ServerIdentity,
    prologue: Uint8Array,
  ) {
    super(prologue)
  }

  /** Answers the client's hello; the result is the encoded server hello. */
  answerHello(clientEphemeral: Uint8Array): Uint8Array {
    const ephemeral = Curve.generateKeyPair()
    this.#ephemeral = ephemeral
    this.mixHash(clientEphemeral)
    this.mixHash(ephemeral.public)
    this.mixKey(Curve.sharedKey(ephemeral.private, clientEphemeral))
    const encryptedStatic = this.seal(this.identity.staticKey.public)
    this.mixKey(Curve.sharedKey(this.identity.staticKey.private, clientEphemeral))
    const payload = this.seal(this.identity.chain)
    return proto.HandshakeMessage.encode({
      serverHello: { ephemeral: ephemeral.public, static: encryptedStatic, payload },
    }).finish()
  }

  /** Opens the client's last handshake message; from then on `encrypt` and `decrypt` carry frames. */
  finish(encryptedStatic: Uint8Array, encryptedPayload: Uint8Array): { clientStatic: Buffer; payload: Buffer } {
    if (!this.#ephemeral) throw new Error('A client finish came before its hello.')
    const clientStatic = this.open(encryptedStatic)
    this.mixKey(Curve.sharedKey(this.#ephemeral.private, clientStatic))
    const payload = this.open(encryptedPayload)
    this.split('server')
    return { clientStatic, payload }
  }
}

function nonce(counter: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(counter, 8)
  return iv
}

function seal(key: Buffer, counter: number, plaintext: Uint8Array, associated: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(counter)).setAAD(associated)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, counter: number, ciphertext: Uint8Array, associated: Buffer): Buffer {
  const border = ciphertext.byteLength - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(counter)).setAAD(associated)
  decipher.setAuthTag(ciphertext.subarray(border))
  return Buffer.concat([decipher.update(ciphertext.subarray(0, border)), decipher.final()])
}
