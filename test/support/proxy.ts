/** A TCP proxy that can be cut: to a host and port, or to a unix socket. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import type { Cleanup } from './cleanup.js'

export interface CuttableProxy {
  readonly port: number
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Takes connections and bytes and passes nothing on, until it is mended. */
  silence(): void
  mend(): void
}

export async function startProxy(t: Cleanup, target: NetConnectOpts): Promise<CuttableProxy> {
  let isCut = false
  let isSilent = false
  const pairs = new Map<Socket, Socket>()
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.set(socket, other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        pairs.delete(socket)
        other.destroy()
      })
      if (!isSilent) socket.pipe(other)
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
    silence() {
      isSilent = true
      for (const [socket, other] of pairs) {
        socket.unpipe(other)
        socket.pause()
      }
    },
    mend() {
      isCut = false
      if (isSilent) for (const [socket, other] of pairs) socket.pipe(other)
      isSilent = false
    },
  }
}

/** Stands before PostgreSQL; `connectionString` leads through it. */
export async function startDatabaseProxy(
  t: Cleanup,
  connectionString: string,
): Promise<CuttableProxy & { readonly connectionString: string }> {
  // `new URL` wants a host where a unix socket has none.
  const url = new URL(connectionString.replace('@/', '@localhost/'))
  const { username, password, hostname, port, pathname, searchParams } = url
  const folder = searchParams.get('host')
  const proxy = await startProxy(
    t,
    folder === null
      ? { host: hostname, port: Number(port || 5432) }
      : { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? '5432'}` },
  )
  const user = password === '' ? username : `${username}:${password}`
  return { ...proxy, connectionString: `postgresql://${user}@127.0.0.1:${proxy.port}${pathname}` }
}
