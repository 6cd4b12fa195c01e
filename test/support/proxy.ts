/** A TCP proxy that can be cut: to a host and port, or to a unix socket. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import type { Cleanup } from './cleanup.js'

/** Part of a proxy's traffic; all of it by default. */
export interface Part {
  /** `up` is towards the target. */
  readonly way?: 'up' | 'down' | undefined
  /** Connections whose first bytes hold this; only of a proxy that `readsFirst`. */
  readonly beginning?: string | undefined
  /** Not of connections that are made later. */
  readonly isOpen?: true
}

export interface CuttableProxy {
  readonly port: number
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Takes connections and bytes and passes nothing on, until it is mended. */
  silence(part?: Part): void
  /** Open connections get nothing, as when a machine has lost its power; who connects again is served. */
  lose(): void
  mend(): void
}

interface Direction {
  readonly other: Socket
  readonly way: 'up' | 'down'
  readonly pair: { beginning: string; readonly number: number }
  /** Bytes that came while it was silent, of a proxy that `forgetsEnded`. */
  kept: Buffer[]
  isEnded: boolean
}

/**
 * `target` may change; connections that are open stay where they are. With `readsFirst` connections are recognised by their first bytes: for
 * protocols in which the client speaks first. With `forgetsEnded` what a connection still had on its way when it ended in the silence is lost:
 * its side has reset it, or is gone with its machine. Otherwise it arrives later.
 */
export async function startProxy(
  t: Cleanup,
  target: () => NetConnectOpts,
  { readsFirst = false, forgetsEnded = false } = {},
): Promise<CuttableProxy> {
  let isCut = false
  let silent: Part | null = null
  let pairsMade = 0
  let pairsBefore = 0
  const pairs = new Map<Socket, Direction>()
  const isSilent = ({ way, pair }: Direction): boolean =>
    silent !== null &&
    (silent.way === undefined || silent.way === way) &&
    (silent.beginning === undefined || pair.beginning.includes(silent.beginning)) &&
    (silent.isOpen === undefined || pair.number <= pairsBefore)

  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target())
    pairsMade += 1
    const pair = { beginning: '', number: pairsMade }
    for (const [socket, other, way] of [
      [near, far, 'up'],
      [far, near, 'down'],
    ] as const) {
      const direction: Direction = { other, way, pair, kept: [], isEnded: false }
      pairs.set(socket, direction)
      socket.on('error', () => {})
      socket.on('close', () => {
        // The other side of a silence does not learn of it.
        direction.isEnded = forgetsEnded && isSilent(direction)
        if (direction.isEnded) return
        pairs.delete(socket)
        other.destroy()
      })
    }
    const start = (): void => {
      for (const [socket, direction] of pairs)
        if (direction.pair === pair && !isSilent(direction)) socket.pipe(direction.other)
        else if (direction.pair === pair) hush(socket, direction)
    }
    if (!readsFirst) {
      start()
      return
    }
    near.once('readable', () => {
      const first = near.read() as Buffer | null
      if (first === null) return
      pair.beginning = first.toString('latin1')
      near.unshift(first)
      start()
    })
  })
  function hush(socket: Socket, direction: Direction): void {
    socket.unpipe(direction.other)
    if (forgetsEnded) socket.on('data', (chunk) => direction.kept.push(chunk))
    else socket.pause()
  }
  function unhush(socket: Socket, direction: Direction): void {
    const { other, kept, isEnded } = direction
    socket.removeAllListeners('data')
    if (isEnded) {
      pairs.delete(socket)
      other.destroy()
      return
    }
    for (const chunk of kept.splice(0)) other.write(chunk)
    socket.pipe(other)
  }
  const cut = (): void => {
    isCut = true
    for (const socket of pairs.keys()) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence(part = {}) {
      silent = part
      pairsBefore = pairsMade
      for (const [socket, direction] of pairs) {
        if (isSilent(direction)) hush(socket, direction)
      }
    },
    lose() {
      for (const [socket, { other }] of pairs) {
        socket.unpipe(other)
        socket.pause()
      }
      pairs.clear()
    },
    mend() {
      isCut = false
      const silenced = [...pairs].filter(([, direction]) => isSilent(direction))
      silent = null
      for (const [socket, direction] of silenced) unhush(socket, direction)
    },
  }
}

/** Stands before PostgreSQL; `connectionString` leads through it. `at`: where PostgreSQL is, if that changes. */
export async function startDatabaseProxy(
  t: Cleanup,
  connectionString: string,
  at?: () => NetConnectOpts,
): Promise<CuttableProxy & { readonly connectionString: string }> {
  const { target, through } = databasePlace(connectionString)
  const proxy = await startProxy(t, at ?? (() => target))
  return { ...proxy, connectionString: through(proxy.port) }
}

export function databasePlace(connectionString: string): { target: NetConnectOpts; through: (port: number) => string } {
  // `new URL` wants a host where a unix socket has none.
  const url = new URL(connectionString.replace('@/', '@localhost/'))
  const { username, password, hostname, port, pathname, searchParams } = url
  const folder = searchParams.get('host')
  const user = password === '' ? username : `${username}:${password}`
  return {
    target:
      folder === null
        ? { host: hostname, port: Number(port || 5432) }
        : { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? '5432'}` },
    through: (through) => `postgresql://${user}@127.0.0.1:${through}${pathname}`,
  }
}
