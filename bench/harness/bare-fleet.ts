/**
 * Many bare Baileys sockets with keys in memory in one process, told by lines of JSON what to do. They keep nothing but their
 * credentials and keys, and listen to nothing but what a socket needs to live.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { BufferJSON, makeWASocket, WA_CERT_DETAILS, type WASocket } from '@whiskeysockets/baileys'
import pino from 'pino'
import { Credentials } from '../../test/sandbox/bare-client.js'
import { type BenchNetwork, callJson, forEach } from './network.js'

export interface FleetOrder {
  readonly pair?: readonly string[]
  /** Ends all, forgets them, and writes their credentials and keys into this file, from which another fleet may start. */
  readonly save?: string
  /** Reads what another fleet has saved; nobody is connected yet. */
  readonly load?: readonly string[]
  /** Logs all in, at once. */
  readonly login?: true
  /** Forgets the one-time pre-keys, most of which are never used. */
  readonly forgetPreKeys?: true
}

const PAIRINGS_AT_ONCE = 8
const network = JSON.parse(process.env.BENCH_NETWORK ?? '{}') as BenchNetwork['addresses']
WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(network.noiseRootKeyHex, 'hex')
const logger = pino({ level: 'silent' })

class BareSocket {
  readonly #credentials = new Credentials()
  #socket: WASocket | undefined
  #qr: ((text: string) => void) | undefined
  #opened: (() => void) | undefined

  constructor(state?: BareSocket['state']) {
    if (state === undefined) return
    Object.assign(this.#credentials.creds, state.creds)
    for (const [name, value] of state.values) this.#credentials.values.set(name, value)
  }

  get state(): { readonly creds: object; readonly values: readonly (readonly [string, unknown])[] } {
    const { creds, values } = this.#credentials
    return { creds, values: [...values] }
  }

  async pair(phone: string): Promise<void> {
    const qr = new Promise<string>((resolve) => {
      this.#qr = resolve
    })
    const opened = this.login()
    await callJson('POST', `${network.controlUrl}/phones/${phone}/scan`, { qr: await qr, refresh: false })
    await opened
  }

  login(): Promise<void> {
    const opened = new Promise<void>((resolve) => {
      this.#opened = resolve
    })
    this.#connect()
    return opened
  }

  end(): void {
    const socket = this.#socket
    this.#socket = undefined
    void socket?.end(undefined)
  }

  forgetPreKeys(): void {
    const { values } = this.#credentials
    for (const name of values.keys()) if (name.startsWith('pre-key.')) values.delete(name)
  }

  #connect(): void {
    const { creds, keys } = this.#credentials
    const socket = makeWASocket({
      waWebSocketUrl: network.websocketUrl,
      auth: { creds, keys },
      logger,
      browser: ['Mac OS', 'Chrome', '14.4.1'],
    })
    this.#socket = socket
    socket.ev.on('creds.update', (update) => void Object.assign(creds, update))
    socket.ev.on('connection.update', ({ qr, connection }) => {
      if (socket !== this.#socket) return
      if (qr !== undefined) this.#qr?.(qr)
      if (connection === 'open') this.#opened?.()
      // After a pairing the network ends the connection once, to see the new credentials.
      if (connection === 'close') this.#connect()
    })
  }
}

const sockets: BareSocket[] = []

/** Answers how many sockets there are when all is done. */
async function obey({ pair, save, load, login, forgetPreKeys }: FleetOrder): Promise<number> {
  if (pair !== undefined) {
    await forEach(pair, PAIRINGS_AT_ONCE, async (phone) => {
      const socket = new BareSocket()
      sockets.push(socket)
      await socket.pair(phone)
    })
  }
  if (save !== undefined) {
    for (const socket of sockets) socket.end()
    const states = sockets.splice(0).map((socket) => socket.state)
    writeFileSync(save, JSON.stringify(states, BufferJSON.replacer))
  }
  for (const file of load ?? []) {
    const states = JSON.parse(readFileSync(file, 'utf8'), BufferJSON.reviver) as BareSocket['state'][]
    sockets.push(...states.map((state) => new BareSocket(state)))
  }
  if (login) await Promise.all(sockets.map((socket) => socket.login()))
  if (forgetPreKeys) for (const socket of sockets) socket.forgetPreKeys()
  return sockets.length
}

process.stdout.write('ready\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  void obey(JSON.parse(line) as FleetOrder).then((answer) => process.stdout.write(`${JSON.stringify({ answer })}\n`))
})
