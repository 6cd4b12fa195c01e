/** One client's websocket: intro, handshake, encrypted frames; nodes come out and go in. */
import { inflateSync } from 'node:zlib'
import { decodeDecompressedBinaryNode, encodeBinaryNode, proto } from '@whiskeysockets/baileys'
import * as dictionary from '@whiskeysockets/baileys/lib/WABinary/constants.js'
import type { WebSocket } from 'ws'
import type { ServerIdentity } from './certificate.js'
import type { Node } from './nodes.js'
import { ServerNoise } from './noise.js'

const NOTHING = Buffer.alloc(0)

export interface ConnectionHandlers {
  /** The handshake is done; `noiseKey` is the client's long-term Noise key. */
  onOpen(connection: Connection, payload: proto.ClientPayload, noiseKey: Buffer): void
  onNode(connection: Connection, node: Node, sizeBytes: number): void
  onSent(connection: Connection, node: Node, sizeBytes: number): void
  /** `error` is what ended it, if not a plain close. */
  onClose(connection: Connection, error: Error | undefined): void
}

/** Address of the client, as far as the websocket upgrade shows it. */
export interface Upgrade {
  nodeName: string | undefined
  epoch: string | undefined
  atMs: number
  remotePort: number
}

export class Connection {
  /** While true nothing flows in either direction, though the TCP connection stays. */
  silent = false
  /** Namespaces of the requests that came while it was. */
  readonly unheard: string[] = []
  /** Every node to the client waits this long. */
  delayMs = 0
  #noise: ServerNoise | undefined
  #stage: 'intro' | 'hello' | 'finish' | 'open' | 'closed' = 'intro'
  #input: Buffer = NOTHING
  #queue: { node: Node; dueMs: number }[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #ends: (() => void)[] = []

  constructor(
    private readonly socket: WebSocket,
    private readonly identity: ServerIdentity,
    private readonly handlers: ConnectionHandlers,
    readonly upgrade: Upgrade,
  ) {
    socket.on('message', (data) => this.#receive(data as Buffer))
    socket.on('close', () => this.#closed(undefined))
    socket.on('error', (error) => this.#closed(error))
  }

  get isOpen(): boolean {
    return this.#stage === 'open'
  }

  send(outgoing: Node): void {
    if (this.#stage !== 'open' || this.silent) return
    if (this.delayMs === 0 && this.#queue.length === 0) {
      this.#write(outgoing)
      return
    }
    this.#queue.push({ node: outgoing, dueMs: Date.now() + this.delayMs })
    this.#schedule()
  }

  /** Closes the websocket after what was sent, `last` included. */
  end(last?: Node): void {
    if (this.#stage === 'closed') return
    for (const { node } of this.#queue.splice(0)) this.#write(node)
    if (last && this.#stage === 'open') this.#write(last)
    this.socket.close()
  }

  /** Calls back when the connection is gone. */
  onEnd(callback: () => void): void {
    if (this.#stage === 'closed') callback()
    else this.#ends.push(callback)
  }

  /** Drops the TCP connection without a word. */
  destroy(): void {
    this.socket.terminate()
  }

  #schedule(): void {
    if (this.#timer || this.#queue.length === 0) return
    const waitMs = Math.max(0, (this.#queue[0]?.dueMs ?? 0) - Date.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const nowMs = Date.now()
      while (this.#queue.length > 0 && (this.#queue[0]?.dueMs ?? 0) <= nowMs) {
        const due = this.#queue.shift()
        if (due && !this.silent) this.#write(due.node)
      }
      this.#schedule()
    }, waitMs)
  }

  #write(outgoing: Node): void {
    const noise = this.#noise
    if (!noise || this.#stage !== 'open') return
    const plain = encodeBinaryNode(outgoing)
    this.#frame(noise.encrypt(plain))
    this.handlers.onSent(this, outgoing, plain.byteLength)
  }

  #frame(data: Uint8Array): void {
    const frame = Buffer.allocUnsafe(3 + data.byteLength)
    frame.writeUIntBE(data.byteLength, 0, 3)
    frame.set(data, 3)
    this.socket.send(frame)
  }

  #receive(data: Buffer): void {
    this.#input = this.#input.byteLength === 0 ? data : Buffer.concat([this.#input, data])
    try {
      if (this.#stage === 'intro' && !this.#readIntro()) return
      while (this.#input.byteLength >= 3) {
        const size = this.#input.readUIntBE(0, 3)
        if (this.#input.byteLength < 3 + size) return
        const frame = this.#input.subarray(3, 3 + size)
        this.#input = this.#input.subarray(3 + size)
        this.#handle(frame)
      }
      // An empty view would keep the whole last frame in memory.
      if (this.#input.byteLength === 0) this.#input = NOTHING
    } catch (error) {
      this.#closed(error as Error)
      this.socket.terminate()
    }
  }

  /** Reads `ED…` (edge routing, optional) and the header that names protocol and dictionary; true when it is complete. */
  #readIntro(): boolean {
    let offset = 0
    if (this.#input.byteLength < 4) return false
    if (this.#input.toString('latin1', 0, 2) === 'ED') {
      if (this.#input.byteLength < 7) return false
      offset = 7 + this.#input.readUIntBE(4, 3)
      if (this.#input.byteLength < offset + 4) return false
    }
    const prologue = this.#input.subarray(offset, offset + 4)
    if (prologue.toString('latin1', 0, 2) !== 'WA') throw new Error('The stream does not begin with the WA header.')
    this.#noise = new ServerNoise(this.identity, prologue)
    this.#input = this.#input.subarray(offset + 4)
    this.#stage = 'hello'
    return true
  }

  #handle(frame: Buffer): void {
    const noise = this.#noise as ServerNoise
    if (this.#stage === 'open') {
      // Also what is dropped must be decrypted: the cipher counts frames, and silence may end.
      const plain = noise.decrypt(frame)
      const body = ((plain[0] ?? 0) & 2) === 2 ? inflateSync(plain.subarray(1)) : plain.subarray(1)
      const node = decodeDecompressedBinaryNode(body, dictionary)
      if (!this.silent) this.handlers.onNode(this, node, plain.byteLength)
      else if (node.tag === 'iq') this.unheard.push(node.attrs.xmlns ?? '')
      return
    }
    const handshake = proto.HandshakeMessage.decode(frame)
    if (this.#stage === 'hello') {
      const ephemeral = handshake.clientHello?.ephemeral
      if (!ephemeral) throw new Error('The first handshake message has no ephemeral key.')
      this.#frame(noise.answerHello(ephemeral))
      this.#stage = 'finish'
      return
    }
    const { static: encryptedStatic, payload: encryptedPayload } = handshake.clientFinish ?? {}
    if (!encryptedStatic || !encryptedPayload) throw new Error('The last handshake message is incomplete.')
    const { clientStatic, payload } = noise.finish(encryptedStatic, encryptedPayload)
    this.#stage = 'open'
    this.handlers.onOpen(this, proto.ClientPayload.decode(payload), clientStatic)
  }

  #closed(error: Error | undefined): void {
    if (this.#stage === 'closed') return
    this.#stage = 'closed'
    if (this.#timer) clearTimeout(this.#timer)
    this.#queue = []
    this.handlers.onClose(this, error)
    for (const callback of this.#ends.splice(0)) callback()
  }
}
