/** A small TCP balancer, as it stands before a cluster: connections in turn to the nodes that are ready, the next one where a node refuses. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  readonly url: string
  /** Connections that a node has refused or cut, so far. */
  troubles(): number
  /** Cuts what is under way. */
  close(): void
}

const LOOK_MS = 200

/** `urls`: of the nodes; those that are asked at this moment. Port 0 is any free one. */
export async function startBalancer(urls: () => readonly string[], listenOn = 0): Promise<Balancer> {
  const ready = new Set<string>()
  const open = new Set<Socket>()
  let turn = 0
  let troubles = 0

  async function look(url: string): Promise<void> {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
    if (answer?.status === 200) ready.add(url)
    else ready.delete(url)
    await answer?.body?.cancel()
  }

  const looks = setInterval(() => {
    for (const url of urls()) void look(url)
  }, LOOK_MS)

  function next(tried: ReadonlySet<string>): string | undefined {
    const all = urls().filter((url) => !tried.has(url))
    const candidates = all.filter((url) => ready.has(url))
    turn += 1
    return candidates[turn % Math.max(1, candidates.length)] ?? all[turn % Math.max(1, all.length)]
  }

  function pair(near: Socket, tried: ReadonlySet<string>): void {
    const url = next(tried)
    if (url === undefined) {
      near.destroy()
      return
    }
    const far = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
    open.add(far)
    let isThere = false
    far.once('connect', () => {
      isThere = true
      near.pipe(far).pipe(near)
    })
    far.on('error', () => {
      troubles += 1
      if (!isThere) pair(near, new Set([...tried, url]))
      else near.resetAndDestroy()
    })
    far.on('close', () => {
      open.delete(far)
      if (isThere) near.destroy()
    })
    near.on('close', () => far.destroy())
  }

  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => {})
    near.on('close', () => open.delete(near))
    pair(near, new Set())
  })
  server.listen(listenOn, '127.0.0.1')
  await once(server, 'listening')
  await Promise.all(urls().map(look))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    troubles: () => troubles,
    close() {
      clearInterval(looks)
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
