/** Serves SOCKS5 (RFC 1928) with a user and a password (RFC 1929). */
import type { Socket } from 'node:net'
import { join } from './http-door.js'
import { misbehave } from './misbehaviour.js'
import type { Door, ProxyTarget } from './proxy-server.js'

const NO_AUTHENTICATION = 0
const PASSWORD = 2
const NOT_ALLOWED = 2
const HOST_UNREACHABLE = 4

export async function serveSocks(near: Socket, door: Door): Promise<void> {
  near.on('error', () => {})
  const read = reader(near)
  const [, methods = 0] = await read(2)
  const offered = await read(methods)
  const mode = door.mode()
  if (mode !== 'good' && mode !== 'swallows' && mode !== 'refuses') return misbehave(near, mode, '\x05\x00')
  const wanted = door.credentials === null ? NO_AUTHENTICATION : PASSWORD
  if (!offered.includes(wanted)) {
    door.onRefused()
    near.end(Buffer.from([5, 0xff]))
    return
  }
  near.write(Buffer.from([5, wanted]))
  if (door.credentials !== null && !(await checkPassword(near, read, door))) return
  const target = await readTarget(read)
  if (mode === 'refuses') return void near.end(answer(NOT_ALLOWED))
  if (mode === 'swallows') return void near.resume().write(answer(0))
  const far = await door.open(target).catch(() => null)
  if (far === null) return void near.end(answer(HOST_UNREACHABLE))
  near.write(answer(0))
  join(near, far)
}

type Read = (bytes: number) => Promise<Buffer>

async function checkPassword(near: Socket, read: Read, { credentials, onRefused }: Door): Promise<boolean> {
  const [, userBytes = 0] = await read(2)
  const username = (await read(userBytes)).toString()
  const [passwordBytes = 0] = await read(1)
  const password = (await read(passwordBytes)).toString()
  const isRight = username === credentials?.username && password === credentials.password
  if (isRight) near.write(Buffer.from([1, 0]))
  else {
    onRefused()
    near.end(Buffer.from([1, 1]))
  }
  return isRight
}

async function readTarget(read: Read): Promise<ProxyTarget> {
  const [, , , kind = 0] = await read(4)
  const host = await readHost(kind, read)
  return { host, port: (await read(2)).readUInt16BE() }
}

async function readHost(kind: number, read: Read): Promise<string> {
  if (kind === 1) return [...(await read(4))].join('.')
  if (kind === 3) {
    const [length = 0] = await read(1)
    return (await read(length)).toString('latin1')
  }
  const bytes = await read(16)
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16)).join(':')
}

function answer(code: number): Buffer {
  return Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
}

/** Reads exactly so many bytes; the others stay in the stream. */
function reader(socket: Socket): Read {
  return async (bytes) => {
    if (bytes === 0) return Buffer.alloc(0)
    for (;;) {
      const chunk = socket.read(bytes) as Buffer | null
      if (chunk !== null) return chunk
      if (socket.destroyed || socket.readableEnded) throw new Error('The client has gone.')
      await new Promise<void>((resolve) => {
        const go = (): void => {
          socket.off('readable', go).off('close', go).off('end', go)
          resolve()
        }
        socket.once('readable', go).once('close', go).once('end', go)
      })
    }
  }
}
