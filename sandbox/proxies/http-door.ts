/** Serves CONNECT (RFC 9110, 9.3.6). */
import type { Socket } from 'node:net'
import { misbehave } from './misbehaviour.js'
import type { Door, ProxyTarget } from './proxy-server.js'

const HEADER_MAX_BYTES = 16_384

export async function serveConnect(near: Socket, door: Door): Promise<void> {
  near.on('error', () => {})
  const { header, rest } = await readHeader(near)
  const mode = door.mode()
  if (mode !== 'good' && mode !== 'swallows' && mode !== 'refuses')
    return misbehave(near, mode, 'HTTP/1.1 200 OK\r\n\r\n')
  if (!isAllowed(header, door)) {
    door.onRefused()
    near.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n')
    return
  }
  const target = targetIn(header)
  if (target === null || mode === 'refuses') return void near.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  if (mode === 'swallows') return void near.resume().write('HTTP/1.1 200 OK\r\n\r\n')
  const far = await door.open(target).catch(() => null)
  if (far === null) return void near.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
  near.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (rest.length > 0) far.write(rest)
  join(near, far)
}

/** Passes bytes both ways, and ends both sides together. */
export function join(near: Socket, far: Socket): void {
  near.setNoDelay(true).pipe(far)
  far.setNoDelay(true).pipe(near)
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
}

function readHeader(socket: Socket): Promise<{ header: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0)
    const take = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk])
      const end = read.indexOf('\r\n\r\n')
      if (end < 0 && read.length <= HEADER_MAX_BYTES) return
      socket.off('data', take).pause()
      if (end < 0) reject(new Error('The header is too long.'))
      else resolve({ header: read.subarray(0, end).toString('latin1'), rest: read.subarray(end + 4) })
    }
    socket.on('data', take).once('close', () => reject(new Error('The client has gone.')))
  })
}

function isAllowed(header: string, { credentials }: Door): boolean {
  if (credentials === null) return true
  const [, given = ''] = /^proxy-authorization: Basic (\S+)$/im.exec(header) ?? []
  return Buffer.from(given, 'base64').toString() === `${credentials.username}:${credentials.password}`
}

function targetIn(header: string): ProxyTarget | null {
  const [, host = '', port = ''] = /^CONNECT (\S+):(\d+) HTTP\/1\.1\r\n/.exec(`${header}\r\n`) ?? []
  return host === '' ? null : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
