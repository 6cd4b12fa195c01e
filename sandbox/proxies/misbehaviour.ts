import type { Socket } from 'node:net'
import type { ProxyMode } from './proxy-server.js'

const RUBBISH = Buffer.from('\x00\x01SSH-2.0-nothing of this kind\r\n\r\n', 'latin1')

/** Answers a client wrongly. `good` is the beginning of a right answer. */
export function misbehave(socket: Socket, mode: Exclude<ProxyMode, 'good'>, good: string): void {
  switch (mode) {
    case 'silent':
      socket.resume()
      return
    case 'hangs-up':
      socket.destroy()
      return
    case 'rubbish':
      socket.resume().write(RUBBISH)
      return
    case 'slow':
      socket.resume()
      dribble(socket, good)
      return
    case 'endless':
      socket.resume()
      flood(socket, good)
      return
    default:
      socket.destroy()
  }
}

function dribble(socket: Socket, text: string): void {
  let sent = 0
  const timer = setInterval(() => {
    // Never the last byte.
    if (socket.destroyed || sent >= text.length - 1) return void clearInterval(timer)
    socket.write(text.charAt(sent), 'latin1')
    sent += 1
  }, 1_000)
  socket.once('close', () => clearInterval(timer))
}

function flood(socket: Socket, good: string): void {
  const block = Buffer.alloc(64 * 1024, 'x')
  socket.write(good.startsWith('HTTP') ? 'HTTP/1.1 200 OK\r\nx-long: ' : '\x05\x00', 'latin1')
  const go = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', go)
  go()
}
