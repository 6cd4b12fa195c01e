/** The server's side of Noise_XX_25519_AESGCM_SHA256, as the network's clients expect it. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, type KeyPair, NOISE_MODE, proto } from '@whiskeysockets/baileys'
import type { ServerIdentity } from './certificate.js'

const NOTHING = Buffer.alloc(0)
const TAG_BYTES = 16

export class ServerNoise {
  #hash: Buffer = Buffer.from(NOISE_MODE)
  #salt: Buffer = this.#hash
  #key: Buffer = this.#hash
  #counter = 0
  #ephemeral: KeyPair | undefined
  #readKey: Buffer = NOTHING
  #writeKey: Buffer = NOTHING
  #reads = 0
  #writes = 0

  /** `prologue` is the four-byte header with which the client opens the stream. */
  constructor(
    private readonly identity: ServerIdentity,
    prologue: Uint8Array,
  ) {
    this.#mixHash(prologue)
  }

  /** Answers the client's hello; the result is the encoded server hello. */
  answerHello(clientEphemeral: Uint8Array): Uint8Array {
    const ephemeral = Curve.generateKeyPair()
    this.#ephemeral = ephemeral
    this.#mixHash(clientEphemeral)
    this.#mixHash(ephemeral.public)
    this.#mixKey(Curve.sharedKey(ephemeral.private, clientEphemeral))
    const encryptedStatic = this.#seal(this.identity.staticKey.public)
    this.#mixKey(Curve.sharedKey(this.identity.staticKey.private, clientEphemeral))
    const payload = this.#seal(this.identity.chain)
    return proto.HandshakeMessage.encode({
      serverHello: { ephemeral: ephemeral.public, static: encryptedStatic, payload },
    }).finish()
  }

  /** Opens the client's last handshake message; from then on `encrypt` and `decrypt` carry frames. */
  finish(encryptedStatic: Uint8Array, encryptedPayload: Uint8Array): { clientStatic: Buffer; payload: Buffer } {
    if (!this.#ephemeral) throw new Error('A client finish came before its hello.')
    const clientStatic = this.#open(encryptedStatic)
    this.#mixKey(Curve.sharedKey(this.#ephemeral.private, clientStatic))
    const payload = this.#open(encryptedPayload)
    const [first, second] = this.#expand(NOTHING)
    this.#readKey = first
    this.#writeKey = second
    return { clientStatic, payload }
  }

  encrypt(plaintext: Uint8Array): Buffer {
    return seal(this.#writeKey, this.#writes++, plaintext, NOTHING)
  }

  decrypt(ciphertext: Uint8Array): Buffer {
    return open(this.#readKey, this.#reads++, ciphertext, NOTHING)
  }

  #mixHash(data: Uint8Array): void {
    this.#hash = createHash('sha256').update(this.#hash).update(data).digest()
  }

  #expand(material: Uint8Array): [Buffer, Buffer] {
    const expanded = Buffer.from(hkdfSync('sha256', material, this.#salt, NOTHING, 64))
    return [expanded.subarray(0, 32), expanded.subarray(32)]
  }

  #mixKey(material: Uint8Array): void {
    const [salt, key] = this.#expand(material)
    this.#salt = salt
    this.#key = key
    this.#counter = 0
  }

  #seal(plaintext: Uint8Array): Buffer {
    const sealed = seal(this.#key, this.#counter++, plaintext, this.#hash)
    this.#mixHash(sealed)
    return sealed
  }

  #open(ciphertext: Uint8Array): Buffer {
    const opened = open(this.#key, this.#counter++, ciphertext, this.#hash)
    this.#mixHash(ciphertext)
    return opened
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
