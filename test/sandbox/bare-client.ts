/** Bare Baileys clients against the sandbox: credentials in memory, nothing of the gateway. */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type AuthenticationCreds,
  type BinaryNode,
  type ConnectionState,
  initAuthCreds,
  makeWASocket,
  type proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SocketConfig,
  WA_CERT_DETAILS,
  type WAMessage,
  type WAMessageUpdate,
  type WASocket,
} from '@whiskeysockets/baileys'
import pino from 'pino'
import type { Sandbox } from '../../sandbox/index.js'
import { PATIENCE_MS } from '../support/eventually.js'

// Baileys leaves a timer of 30 s behind each pre-key upload; it must not hold the test's process.
const { setTimeout: nativeSetTimeout } = globalThis
globalThis.setTimeout = ((callback: () => void, ms?: number, ...rest: []) => {
  const timer = nativeSetTimeout(callback, ms, ...rest)
  if ((ms ?? 0) >= 20_000) timer.unref()
  return timer
}) as typeof setTimeout

/** Waits until `check` gives something; fails with `what` after `timeoutMs`. */
export async function until<T>(
  what: string,
  check: () => T | Promise<T>,
  timeoutMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await check()
    if (found) return found as NonNullable<T>
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for: ${what}`)
    await wait(15)
  }
}

/** Calls the sandbox's control API; throws what it answers when it refuses. */
export async function control<T = unknown>(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(sandbox.controlUrl + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as T & { error?: string }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`)
  return answer
}

/** The credentials and keys of one companion; they outlive its sockets. */
export class Credentials {
  readonly creds: AuthenticationCreds = initAuthCreds()
  readonly values = new Map<string, unknown>()
  readonly keys = {
    get: <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const value = this.values.get(`${type}.${id}`)
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    set: (data: SignalDataSet) => {
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries ?? {})) {
          if (value === null || value === undefined) this.values.delete(`${type}.${id}`)
          else this.values.set(`${type}.${id}`, value)
        }
    },
  }
}

export class BareClient {
  socket!: WASocket
  readonly credentials: Credentials
  readonly qrs: string[] = []
  readonly messages: WAMessage[] = []
  readonly upserts: { type: string; message: WAMessage }[] = []
  readonly updates: WAMessageUpdate[] = []
  readonly acks: BinaryNode[] = []
  readonly presences: { id: string; presences: Record<string, { lastKnownPresence: string }> }[] = []
  readonly history: { chats: proto.IConversation[]; messages: WAMessage[]; contacts: { id: string }[] }[] = []
  readonly stanzas: BinaryNode[] = []
  readonly sentMessages = new Map<string, proto.IMessage>()
  /** `connecting`, `open`, or the code with which the last connection closed. */
  state: 'connecting' | 'open' | number = 'connecting'
  reconnectAfterPairing = true
  #ended = false

  constructor(
    readonly sandbox: Sandbox,
    options: { credentials?: Credentials; config?: Partial<SocketConfig> } = {},
  ) {
    this.credentials = options.credentials ?? new Credentials()
    this.#config = options.config ?? {}
    WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(sandbox.noiseRootKeyHex, 'hex')
  }

  readonly #config: Partial<SocketConfig>

  connect(): this {
    this.state = 'connecting'
    const socket = makeWASocket({
      waWebSocketUrl: this.sandbox.websocketUrl,
      auth: { creds: this.credentials.creds, keys: this.credentials.keys },
      logger: pino({ level: process.env.BAILEYS_LOG ?? 'silent' }),
      browser: ['Mac OS', 'Chrome', '14.4.1'],
      getMessage: async ({ id }) => this.sentMessages.get(id ?? ''),
      ...this.#config,
    })
    this.socket = socket
    this.#listen(socket)
    return this
  }

  #listen(socket: WASocket): void {
    socket.ev.on('creds.update', (update) => {
      Object.assign(this.credentials.creds, update)
    })
    socket.ev.on('connection.update', (update) => this.#connectionUpdate(socket, update))
    socket.ev.on('messages.upsert', ({ messages, type }) => {
      for (const message of messages) {
        this.messages.push(message)
        this.upserts.push({ type, message })
      }
    })
    socket.ev.on('messages.update', (updates) => void this.updates.push(...updates))
    socket.ev.on('messaging-history.set', (part) => void this.history.push(part as never))
    socket.ev.on('presence.update', (update) => void this.presences.push(update))
    socket.ws.on('CB:ack,class:message', (stanza: BinaryNode) => void this.acks.push(stanza))
    socket.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
      if (!(frame instanceof Uint8Array)) this.stanzas.push(frame)
    })
    // The network retires the secret of a scanned QR; the client makes a new one and redraws (Baileys issue 2737).
    socket.ws.on('CB:notification,type:companion_reg_refresh', () => {
      const secret = initAuthCreds().advSecretKey
      socket.ev.emit('creds.update', { advSecretKey: secret })
      const fields = (this.qrs.at(-1) ?? '').split(',')
      fields[3] = secret
      this.qrs.push(fields.join(','))
    })
  }

  #connectionUpdate(socket: WASocket, update: Partial<ConnectionState>): void {
    if (socket !== this.socket) return
    if (update.qr) this.qrs.push(update.qr)
    if (update.connection === 'open') this.state = 'open'
    if (update.connection !== 'close') return
    const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
    this.state = error?.output?.statusCode ?? 0
    if (this.state === 515 && this.reconnectAfterPairing && !this.#ended) this.connect()
  }

  async pairByQr(phone: string, refresh?: boolean): Promise<void> {
    this.connect()
    await until('a first QR', () => this.qrs.length > 0)
    for (;;) {
      const shown = this.qrs.length
      const result = await control<{ status: string }>(this.sandbox, 'POST', `/phones/${phone}/scan`, {
        qr: this.qrs.at(-1),
        ...(refresh !== undefined && { refresh }),
      })
      if (result.status === 'paired') break
      await until('a redrawn QR', () => this.qrs.length > shown)
    }
    await this.opened()
  }

  async opened(): Promise<void> {
    await until('the connection to open', () => this.state === 'open')
  }

  async closedWith(): Promise<number> {
    return until('the connection to close', () => (typeof this.state === 'number' ? this.state : undefined))
  }

  async sendText(to: string, text: string): Promise<string> {
    const sent = await this.socket.sendMessage(to, { text })
    if (sent?.message && sent.key.id) this.sentMessages.set(sent.key.id, sent.message)
    return sent?.key.id ?? ''
  }

  /** The connection vanishes as after `kill -9`: no close frame, nothing more is read. */
  async kill(): Promise<void> {
    const raw = (this.socket.ws as unknown as { socket: { terminate(): void; removeAllListeners(name: string): void } })
      .socket
    raw.removeAllListeners('message')
    raw.terminate()
    await this.closedWith()
  }

  async end(): Promise<void> {
    this.#ended = true
    if (this.socket && typeof this.state !== 'number') {
      const raw = (this.socket.ws as unknown as { socket: { readyState: number } | null }).socket
      const closed = raw && raw.readyState < 3 ? once(raw as never, 'close') : undefined
      void this.socket.end(undefined)
      await closed
    }
  }

  /**
   * The highest status of an own message that this client has seen (2 server ack, 3 delivered, 4 read, 5 played).
   * A receipt that comes at once is merged into the own `messages.upsert`, hence both are asked.
   */
  findStatus(id: string): number {
    const upserted = this.messages.filter(({ key }) => key.id === id).map(({ status }) => status ?? 0)
    const updated = this.updates.filter(({ key }) => key.id === id).map(({ update }) => update.status ?? 0)
    return Math.max(0, ...upserted, ...updated)
  }

  received(text: string): WAMessage | undefined {
    return this.messages.find(
      ({ message }) => message?.conversation === text || message?.extendedTextMessage?.text === text,
    )
  }
}
