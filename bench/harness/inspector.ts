/** The inspector of a Node.js process that a bench started. */
import { createServer } from 'node:net'
import { request } from 'undici'
import { WebSocket } from 'ws'

export interface Inspector {
  call<T>(method: string, params?: object): Promise<T>
  close(): void
}

/** Returns a free port, and the environment that opens the inspector of a process there. */
export async function inspectedPort(): Promise<{ port: number; env: Readonly<Record<string, string>> }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` } }
}

export async function openInspector(port: number): Promise<Inspector> {
  const { body } = await request(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await body.json()) as { webSocketDebuggerUrl: string }[]
  if (target === undefined) throw new Error('The process has no inspector.')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const answers = new Map<number, (answer: { result: unknown }) => void>()
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as { id: number; result: unknown }
    answers.get(answer.id)?.(answer)
    answers.delete(answer.id)
  })
  let calls = 0
  return {
    async call<T>(method: string, params: object = {}) {
      const id = ++calls
      socket.send(JSON.stringify({ id, method, params }))
      return (await new Promise<{ result: unknown }>((resolve) => answers.set(id, resolve))).result as T
    },
    close: () => socket.close(),
  }
}
