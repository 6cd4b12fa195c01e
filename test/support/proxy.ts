/** A TCP proxy that can be cut: to a host and port, or to a unix socket. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import type { Cleanup } from './cleanup.js'

export interface CuttableProxy {
  readonly port: number
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Takes connections and bytes and passes nothing on, until it is mended; both ways, or one: `up` is towards the target. */
  silence(way?: 'up' | 'down'): void
  /** What is connected hears nothing any more, as when a machine has lost its power; who connects anew is served. */
  lose(): void
  mend(): void
}

/** `target` may change; connections that are open stay where they are. */
export async function startProxy(t: Cleanup, target: () => NetConnectOpts): Promise<CuttableProxy> {
  let isCut = false
  const silent = { up: false, down: false }
  const pairs = new Map<Socket, { readonly other: Socket; readonly way: 'up' | 'down' }>()
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target())
    for (const [socket, other, way] of [
      [near, far, 'up'],
      [far, near, 'down'],
    ] as const) {
      pairs.set(socket, { other, way })
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        pairs.delete(socket)
        other.destroy()
      })
      if (!silent[way]) socket.pipe(other)
    }
  })
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
    silence(only) {
      for (const way of ['up', 'down'] as const) silent[way] ||= only === undefined || only === way
      for (const [socket, { other, way }] of pairs) {
        if (!silent[way]) continue
        socket.unpipe(other)
        socket.pause()
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
      for (const [socket, { other, way }] of pairs) if (silent[way]) socket.pipe(other)
      silent.up = false
      silent.down = false
    },
  }
}

/** Stands before PostgreSQL; `connectionString` leads through it. */
export async function startDatabaseProxy(
  t: Cleanup,
  connectionString: string,
): Promise<CuttableProxy & { readonly connectionString: string }> {
  const { target, through } = databasePlace(connectionString)
  const proxy = await startProxy(t, () => target)
  return { ...proxy, connectionString: through(proxy.port) }
}

function databasePlace(connectionString: string): { target: NetConnectOpts; through: (port: number) => string } {
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
