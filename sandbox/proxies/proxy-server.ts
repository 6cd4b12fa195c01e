/** A forward proxy of our own: HTTP CONNECT, the same over TLS, or SOCKS5; well-behaved or broken in one of many ways. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { serveConnect } from './http-door.js'
import { serveSocks } from './socks-door.js'

export type ProxyMode =
  | 'good'
  /** Takes the connection and says nothing. */
  | 'silent'
  /** Gives its answer byte by byte, one a second. */
  | 'slow'
  /** Answers with bytes of no protocol. */
  | 'rubbish'
  /** Answers with a header that never ends. */
  | 'endless'
  /** Refuses the target. */
  | 'refuses'
  /** Opens the tunnel and passes nothing on. */
  | 'swallows'
  /** Closes the connection instead of an answer. */
  | 'hangs-up'

export interface ProxyServerOptions {
  readonly scheme: 'http' | 'https' | 'socks5'
  readonly username?: string
  readonly password?: string
  /** Certificate and key, in PEM, for `https`. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Changes the place to which a tunnel leads. Names that are not changed must resolve. */
  readonly route?: (target: ProxyTarget) => ProxyTarget
}

export interface ProxyTarget {
  readonly host: string
  readonly port: number
}

export interface ProxyServer {
  readonly port: number
  mode: ProxyMode
  /** Targets as clients named them, in order. */
  readonly targets: readonly ProxyTarget[]
  /** Connections of clients so far. */
  readonly accepted: number
  /** Local ports of the tunnels so far: by them a server knows who came through the proxy. */
  readonly ports: ReadonlySet<number>
  /** Tries with a wrong password, or without one. */
  readonly refusals: number
  /** Ends all connections; later ones are refused until `revive`. */
  die(): Promise<void>
  revive(): Promise<void>
  close(): Promise<void>
}

/** Things that the doors of the protocols need. */
export interface Door {
  readonly mode: () => ProxyMode
  readonly credentials: { readonly username: string; readonly password: string } | null
  readonly onRefused: () => void
  /** Opens the way to the target; the answer is written by the door. @throws when there is none */
  readonly open: (target: ProxyTarget) => Promise<Socket>
}

export async function startProxyServer(options: ProxyServerOptions): Promise<ProxyServer> {
  const { scheme, username, password, tls, route = (target) => target } = options
  const targets: ProxyTarget[] = []
  const ports = new Set<number>()
  const sockets = new Set<Socket>()
  let accepted = 0
  let refusals = 0
  let mode: ProxyMode = 'good'

  const door: Door = {
    mode: () => mode,
    credentials: username === undefined ? null : { username, password: password ?? '' },
    onRefused() {
      refusals += 1
    },
    open(target) {
      targets.push(target)
      return openTunnel(route(target), sockets, ports)
    },
  }
  const take = (socket: Socket): void => {
    const serve = scheme === 'socks5' ? serveSocks : serveConnect
    serve(socket, door).catch(() => socket.destroy())
  }
  const server: Server = scheme === 'https' ? createSecureServer({ ...tls }, take) : createServer(take)
  server.on('connection', (socket: Socket) => {
    accepted += 1
    keep(socket, sockets)
  })
  const port = await listen(server, 0)

  async function die(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  return {
    port,
    get mode() {
      return mode
    },
    set mode(next) {
      mode = next
    },
    targets,
    get accepted() {
      return accepted
    },
    ports,
    get refusals() {
      return refusals
    },
    die,
    revive: async () => void (await listen(server, port)),
    close: die,
  }
}

function openTunnel({ host, port }: ProxyTarget, sockets: Set<Socket>, ports: Set<number>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const far = connect({ host, port })
    keep(far, sockets)
    far.once('error', reject)
    far.once('connect', () => {
      if (far.localPort !== undefined) ports.add(far.localPort)
      resolve(far)
    })
  })
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('close', () => sockets.delete(socket))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
