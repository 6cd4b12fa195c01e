import type { Socket } from 'node:net'
import { ALIVE, ANSWER, encodeFrame, FrameReader, LEAVING, ORDERED_REQUEST, REQUEST, type WireFrame } from './frames.js'
import { type EncodedAnswer, USED } from './protocol.js'
import type { RequestCheck } from './request-check.js'
import type { ServedCalls } from './served-calls.js'
import type { ServedSessions } from './sessions.js'
import { answerSignature, type PeerKey, readCredential } from './signature.js'
import { TurnWriter } from './turn-writer.js'

export interface ServedWireOptions {
  readonly sessions: ServedSessions
  readonly calls: ServedCalls
  readonly isSound: RequestCheck
  /** Maximum size of a request. */
  readonly bodyMaxBytes: number
  readonly onClosed: (wire: ServedWire) => void
}

/** Time for a caller to close its wire after this node said that it leaves. Afterwards no request can be on its way any more. */
const LEAVING_MS = 1_000
const KEEP_ALIVE_MS = 10_000

/** This node's end of a wire that another node opened. */
export class ServedWire {
  readonly #socket: Socket
  readonly #writer: TurnWriter
  readonly #options: ServedWireOptions
  #underWay = 0
  #leaving: NodeJS.Timeout | undefined

  /** `first`: bytes that arrived together with the request for a wire. */
  constructor(socket: Socket, first: Buffer, options: ServedWireOptions) {
    this.#socket = socket
    this.#writer = new TurnWriter(socket)
    this.#options = options
    const reader = new FrameReader(options.bodyMaxBytes)
    if (first.length > 0) socket.unshift(first)
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(0)
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) void this.#take(frame)
      } catch {
        this.cut()
      }
    })
    // Sockets of an HTTP server stay half open.
    socket.once('end', () => socket.end())
    socket.once('close', () => {
      clearTimeout(this.#leaving)
      this.#leaving = undefined
      options.onClosed(this)
    })
  }

  /** Tells the caller to make no more calls here. Ends the wire when those under way are answered and no others can arrive. */
  leave(): void {
    this.#send(encodeFrame(LEAVING, 0))
    this.#leaving = setTimeout(() => this.#underWay === 0 && this.cut(), LEAVING_MS)
  }

  cut(): void {
    this.#socket.destroy()
  }

  /** Begins the work that a frame requests before the next frame is read. */
  async #take({ kind, call, head, body }: WireFrame): Promise<void> {
    const { sessions, calls, isSound } = this.#options
    const [path = '', credential = ''] = head.split(' ')
    const signed = readCredential(credential)
    if ((kind !== REQUEST && kind !== ORDERED_REQUEST) || signed === null) {
      this.cut()
      return
    }
    const session = sessions.get(signed.session)
    const answer = (key: PeerKey, { status, body }: EncodedAnswer): void =>
      this.#send(encodeFrame(ANSWER, call, `${status} ${answerSignature(key, credential, status, body)}`, body))
    // Signed with the secret's key, for this session's name: only a process that does not know the session says so.
    if (session === undefined) answer(sessions.ownKey, { status: 401, body: '{"unknown":"session"}' })
    else if (!isSound(session.key, signed, { method: 'POST', path, body }, this.#socket)) this.cut()
    else if (!session.used.use(Number(signed.number))) answer(session.key, { status: USED, body: '{"used":"number"}' })
    else {
      this.#underWay += 1
      const alive = (): void => this.#send(encodeFrame(ALIVE, call))
      answer(session.key, await calls.answer(path, body, { alive, isOrdered: kind === ORDERED_REQUEST }))
      this.#underWay -= 1
      if (this.#underWay === 0) this.#leaving?.refresh()
    }
  }

  #send(frame: Buffer): void {
    if (this.#socket.writable) this.#writer.write(frame)
  }
}
