import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { isRunning, startTicks } from '../../runtime/embedded/processes.js'

/** Below those that the system gives to outgoing connections. */
const FIRST = 15_000
const COUNT = 15_000
const TRIES_MAX = 1_000

/** Holds a file for each process of tests, also of other runs, with the ports that it has taken. */
const reservations = path.join(os.tmpdir(), `posthorn-test-ports-${process.getuid?.() ?? 0}`)
const own = path.join(reservations, `${process.pid}-${startTicks(process.pid) ?? ''}`)
const taken = new Set<number>()

/**
 * Returns a free port that is this process's until it ends: who listens on it can be ended and started again, and nobody has taken it
 * meanwhile, neither the system for an outgoing connection nor another test.
 */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (!taken.has(port) && reserve(port) && (await isFree(port))) return port
  }
  throw new Error(`No port between ${FIRST} and ${FIRST + COUNT} is free. See ${reservations}.`)
}

/** Listens on this port, or a free one if it is 0, and returns it. @throws Error if it is in use, which by itself would be told to nobody */
export async function listenOn(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(`A server of a test cannot listen on port ${port}.`, { cause: error })
  }
  return (server.address() as AddressInfo).port
}

/** Returns false if another process has reserved the port. Writes before it reads, so that of two at least one sees the other. */
function reserve(port: number): boolean {
  if (taken.size === 0) {
    mkdirSync(reservations, { recursive: true })
    process.once('exit', () => rmSync(own, { force: true }))
  }
  taken.add(port)
  appendFileSync(own, `${port}\n`)
  return !readdirSync(reservations).some((name) => {
    const file = path.join(reservations, name)
    if (file === own) return false
    if (isAlive(name)) return read(file).split('\n').includes(String(port))
    rmSync(file, { force: true })
    return false
  })
}

function isAlive(name: string): boolean {
  const [pid = '', ticks] = name.split('-')
  return isRunning(Number(pid)) && (startTicks(Number(pid)) ?? '') === ticks
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Its process has ended.
    return ''
  }
}

/** Looks at all addresses of this machine: a gateway listens on all. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, exclusive: true })
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
