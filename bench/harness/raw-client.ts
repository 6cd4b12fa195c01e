/** A client that speaks the wire protocol and no Signal: it pairs, logs in, sends opaque bytes and confirms what it gets. */
import { randomBytes } from 'node:crypto'
import { Curve, decodeDecompressedBinaryNode, encodeBinaryNode, type KeyPair, proto } from '@whiskeysockets/baileys'
import * as dictionary from '@whiskeysockets/baileys/lib/WABinary/constants.js'
import { calculateSignature } from 'whatsapp-rust-bridge'
import { WebSocket } from 'ws'
import { bigEndian, bytes, child, children, type Node, node, text } from '../../sandbox/wire/nodes.js'
import { NoiseState } from '../../sandbox/wire/noise.js'
import { callJson } from './network.js'

const SERVER = '@s.whatsapp.net'
// As many as Baileys uploads at first (Defaults: INITIAL_PREKEY_COUNT).
const PRE_KEYS = 812
const CIPHERTEXT_BYTES = 300
const PROLOGUE = Buffer.from([0x57, 0x41, 6, 3])
// Prefix of what a companion signs (Baileys, Defaults: WA_ADV_DEVICE_SIG_PREFIX).
const DEVICE_SIGNATURE_PREFIX = Buffer.from([6, 1])

export class RawClient {
  readonly #noiseKey = Curve.generateKeyPair()
  readonly #identityKey = Curve.generateKeyPair()
  readonly #preKey = Curve.generateKeyPair()
  readonly #registrationId = bigEndian(randomBytes(2).readUInt16BE(0) & 0x3fff, 4)
  readonly #acks = new Map<string, () => void>()
  #deviceId = 0
  #wire: Wire | undefined
  #connected: (() => void) | undefined
  #ids = 0

  constructor(
    private readonly addresses: { readonly websocketUrl: string; readonly controlUrl: string },
    readonly phone: string,
    private readonly heard: () => void,
  ) {}

  /** Pairs with its phone, as by a scan of its QR, logs in, uploads pre-keys, and is connected. */
  async pair(): Promise<void> {
    const connected = new Promise<void>((resolve) => {
      this.#connected = resolve
    })
    this.#connect(this.#registration())
    await connected
  }

  /** Sends to the companion of another number; resolves when the network took it. */
  send(to: string): Promise<void> {
    const id = `RAW${this.phone}${this.#ids++}`
    const enc = node('enc', { v: '2', type: 'msg' }, randomBytes(CIPHERTEXT_BYTES))
    const target = node('to', { jid: `${to}:1@s.whatsapp.net` }, [enc])
    const acked = new Promise<void>((resolve) => this.#acks.set(id, resolve))
    this.#wire?.send(
      node('message', { id, to: `${to}@s.whatsapp.net`, type: 'text' }, [node('participants', {}, [target])]),
    )
    return acked
  }

  #connect(payload: proto.IClientPayload): void {
    this.#wire = new Wire(this.addresses.websocketUrl, this.#noiseKey, payload, (stanza) => this.#receive(stanza))
  }

  #registration(): proto.IClientPayload {
    return {
      devicePairingData: {
        eRegid: this.#registrationId,
        eKeytype: Buffer.from([5]),
        eIdent: this.#identityKey.public,
        eSkeyId: bigEndian(1, 3),
        eSkeyVal: this.#preKey.public,
        eSkeySig: this.#preKeySignature(),
        deviceProps: proto.DeviceProps.encode({ os: 'Raw' }).finish(),
      },
    }
  }

  #preKeySignature(): Uint8Array {
    return calculateSignature(this.#identityKey.private, Buffer.concat([Buffer.from([5]), this.#preKey.public]))
  }

  #receive(stanza: Node): void {
    const { id = '', from, type, participant, category } = stanza.attrs
    switch (stanza.tag) {
      case 'iq':
        this.#answer(stanza)
        break
      case 'success':
        this.#uploadPreKeys()
        this.#wire?.send(node('iq', { id: 'active', to: SERVER, type: 'set', xmlns: 'passive' }, [node('active', {})]))
        break
      case 'message':
        this.#wire?.send(
          node('receipt', { id, to: from, participant, type: category === 'peer' ? 'peer_msg' : undefined }),
        )
        if (category !== 'peer') this.heard()
        break
      case 'receipt':
      case 'notification':
        this.#wire?.send(node('ack', { class: stanza.tag, id, to: from, type, participant }))
        break
      case 'ack':
        this.#acks.get(id)?.()
        this.#acks.delete(id)
        break
      case 'stream:error':
        if (stanza.attrs.code === '515') this.#connect({ username: Number(this.phone), device: this.#deviceId })
        break
      default:
        break
    }
  }

  #answer(iq: Node): void {
    const offered = child(iq, 'pair-device')
    const accepted = child(iq, 'pair-success')
    if (offered) void this.#showQr(text(children(offered, 'ref')[0]))
    else if (accepted) this.#sign(iq.attrs.id ?? '', accepted)
    else if (iq.attrs.id === 'active') this.#connected?.()
  }

  async #showQr(ref: string): Promise<void> {
    const keys = [this.#noiseKey.public, this.#identityKey.public, randomBytes(32)]
    const qr = [ref, ...keys.map((key) => Buffer.from(key).toString('base64'))].join(',')
    await callJson('POST', `${this.addresses.controlUrl}/phones/${this.phone}/scan`, { qr, refresh: false })
  }

  #sign(id: string, accepted: Node): void {
    this.#deviceId = Number(/:(\d+)@/.exec(child(accepted, 'device')?.attrs.jid ?? '')?.[1] ?? 0)
    const wrapped = proto.ADVSignedDeviceIdentityHMAC.decode(bytes(child(accepted, 'device-identity')))
    const identity = proto.ADVSignedDeviceIdentity.decode(wrapped.details ?? new Uint8Array())
    const { details, accountSignatureKey } = identity
    const keyIndex = proto.ADVDeviceIdentity.decode(details ?? new Uint8Array()).keyIndex ?? 0
    const said = [DEVICE_SIGNATURE_PREFIX, details ?? [], this.#identityKey.public, accountSignatureKey ?? []]
    const message = Buffer.concat(said.map((part) => Uint8Array.from(part)))
    identity.deviceSignature = calculateSignature(this.#identityKey.private, message)
    const signed = proto.ADVSignedDeviceIdentity.encode(identity).finish()
    this.#wire?.send(
      node('iq', { id, to: SERVER, type: 'result' }, [
        node('pair-device-sign', {}, [node('device-identity', { 'key-index': String(keyIndex) }, signed)]),
      ]),
    )
  }

  #uploadPreKeys(): void {
    const keys = Array.from({ length: PRE_KEYS }, (_, index) =>
      node('key', {}, [node('id', {}, bigEndian(index + 1, 3)), node('value', {}, randomBytes(32))]),
    )
    this.#wire?.send(
      node('iq', { id: 'upload', to: SERVER, type: 'set', xmlns: 'encrypt' }, [
        node('registration', {}, this.#registrationId),
        node('type', {}, Buffer.from([5])),
        node('identity', {}, this.#identityKey.public),
        node('list', {}, keys),
        node('skey', {}, [
          node('id', {}, bigEndian(1, 3)),
          node('value', {}, this.#preKey.public),
          node('signature', {}, this.#preKeySignature()),
        ]),
      ]),
    )
  }
}

/** The client's end of one websocket: handshake, then encrypted frames. It trusts whoever answers. */
class Wire {
  readonly #socket: WebSocket
  readonly #noise = new ClientNoise(PROLOGUE)
  readonly #payload: proto.IClientPayload
  #isOpen = false
  #input: Buffer = Buffer.alloc(0)

  constructor(
    url: string,
    private readonly key: KeyPair,
    payload: proto.IClientPayload,
    private readonly onNode: (stanza: Node) => void,
  ) {
    this.#payload = payload
    this.#socket = new WebSocket(url, { perMessageDeflate: false })
    this.#socket.on('open', () => this.#frame(this.#noise.hello(), PROLOGUE))
    this.#socket.on('message', (data) => this.#receive(data as Buffer))
    this.#socket.on('error', (error) => {
      throw error
    })
  }

  send(stanza: Node): void {
    this.#frame(this.#noise.encrypt(encodeBinaryNode(stanza)))
  }

  #frame(data: Uint8Array, before: Uint8Array = new Uint8Array()): void {
    this.#socket.send(Buffer.concat([before, bigEndian(data.byteLength, 3), data]))
  }

  #receive(data: Buffer): void {
    this.#input = this.#input.byteLength === 0 ? data : Buffer.concat([this.#input, data])
    while (this.#input.byteLength >= 3) {
      const end = 3 + this.#input.readUIntBE(0, 3)
      if (this.#input.byteLength < end) return
      const frame = this.#input.subarray(3, end)
      this.#input = this.#input.subarray(end)
      if (!this.#isOpen) {
        const payload = proto.ClientPayload.encode(this.#payload).finish()
        this.#frame(this.#noise.finish(frame, this.key, payload))
        this.#isOpen = true
      } else this.onNode(decodeDecompressedBinaryNode(this.#noise.decrypt(frame).subarray(1), dictionary))
    }
  }
}

class ClientNoise extends NoiseState {
  readonly #ephemeral = Curve.generateKeyPair()

  hello(): Uint8Array {
    this.mixHash(this.#ephemeral.public)
    return proto.HandshakeMessage.encode({ clientHello: { ephemeral: this.#ephemeral.public } }).finish()
  }

  /** Reads the server's hello; the result says who we are. */
  finish(frame: Uint8Array, key: KeyPair, payload: Uint8Array): Uint8Array {
    const {
      ephemeral,
      static: encryptedStatic,
      payload: chain,
    } = proto.HandshakeMessage.decode(frame).serverHello ?? {}
    if (!ephemeral || !encryptedStatic || !chain) throw new Error('The server hello is incomplete.')
    this.mixHash(ephemeral)
    this.mixKey(Curve.sharedKey(this.#ephemeral.private, ephemeral))
    const serverStatic = this.open(encryptedStatic)
    this.mixKey(Curve.sharedKey(this.#ephemeral.private, serverStatic))
    this.open(chain)
    const sealedKey = this.seal(key.public)
    this.mixKey(Curve.sharedKey(key.private, ephemeral))
    const clientFinish = { static: sealedKey, payload: this.seal(payload) }
    this.split('client')
    return proto.HandshakeMessage.encode({ clientFinish }).finish()
  }
}
