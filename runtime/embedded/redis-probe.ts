/** Asks a Redis at a unix socket how it is, with nothing but a socket: a client library would retry, queue and leave timers behind. */
import { createConnection } from 'node:net'

// Ours: files and answers of our own programs.

const timeoutMs = 2_000

/** The sections that INFO gives, as text; undefined when nobody answers in time. A server that still loads its data answers too. */
export function redisInfo(socketPath: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection(socketPath, () => socket.write('INFO\r\n'))
    const end = (result: string | undefined) => {
      socket.destroy()
      resolve(result)
    }
    socket.setEncoding('utf8')
    socket.setTimeout(timeoutMs, () => end(undefined))
    socket.on('error', () => end(undefined))
    socket.on('close', () => end(undefined))
    socket.on('data', (data: string) => {
      answer += data
      if (isWhole(answer)) end(answer)
    })
  })
}

/** One field of what INFO gives. */
export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1]
}

/** A bulk string, `$<bytes>\r\n<text>\r\n`; INFO is plain ASCII, or nearly so. */
function isWhole(answer: string): boolean {
  const head = /^\$(\d+)\r\n/.exec(answer)
  return head !== null && Buffer.byteLength(answer) >= head[0].length + Number(head[1]) + 2
}
