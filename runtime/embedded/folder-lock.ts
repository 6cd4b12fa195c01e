/**
 * One gateway per data folder. The lock is a file that names its holder. A holder on this machine is checked by its pid and
 * start time, so the lock of a killed one is taken over at once; one elsewhere (a volume shared by containers) by its heartbeat.
 * It keeps gateways apart, not writers: PostgreSQL has its own lock, and Redis is asked before another one is started.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { OperatorError } from '../../schemas/operator-error.js'
import { bootId, isRunning, startTicks } from './processes.js'

// Ours: a file of ours.

export interface FolderLock {
  release(): void
}

interface Holder {
  readonly pid: number
  readonly startTicks: string | undefined
  readonly bootId: string | undefined
  readonly host: string
  readonly id: string
}

const lockName = 'gateway.lock'
const heartbeatMs = 5_000
const heartbeatLostMs = 20_000

/** @throws OperatorError when another gateway holds the folder; it names the process and says what to do */
export function lockFolder(folder: string): FolderLock {
  const file = path.join(folder, lockName)
  const me: Holder = {
    pid: process.pid,
    startTicks: startTicks(process.pid),
    bootId: bootId(),
    host: os.hostname(),
    id: randomUUID(),
  }
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (tryTake(file, me)) return hold(file, me)
    const holder = readHolder(file)
    if (holder !== undefined && isAlive(holder, file)) throw inUse(folder, holder, file)
    removeStale(file, holder)
  }
  throw new OperatorError(`The data folder ${folder} is being taken by another gateway at this moment; start again.`)
}

/** A link, unlike a rename, fails when the name is taken; and the file is whole when it appears. */
function tryTake(file: string, me: Holder): boolean {
  const draft = `${file}.${me.id}`
  writeFileSync(draft, `${JSON.stringify(me)}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readHolder(file)?.id === me.id
}

/** Two starters may find the same stale lock; the slower one could move away the lock of the faster, so it looks and puts it back. */
function removeStale(file: string, stale: Holder | undefined): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = readHolder(aside)
  if (moved !== undefined && moved.id !== stale?.id) {
    try {
      linkSync(aside, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  rmSync(aside, { force: true })
}

function hold(file: string, me: Holder): FolderLock {
  const heartbeat = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(file, now, now)
    } catch {
      // The next beat tries again; a folder that is gone shows in PostgreSQL first.
    }
  }, heartbeatMs)
  heartbeat.unref()
  return {
    release() {
      clearInterval(heartbeat)
      if (readHolder(file)?.id === me.id) rmSync(file, { force: true })
    },
  }
}

function isAlive(holder: Holder, file: string): boolean {
  if (holder.host !== os.hostname()) return Date.now() - lastSignMs(file) < heartbeatLostMs
  if (holder.bootId !== bootId() || !isRunning(holder.pid)) return false
  return holder.startTicks === startTicks(holder.pid)
}

function lastSignMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function inUse(folder: string, holder: Holder, file: string): OperatorError {
  const begun = `The data folder ${folder} is in use by another gateway (process ${holder.pid}`
  if (holder.host === os.hostname()) {
    return new OperatorError(
      `${begun}); stop that one (kill ${holder.pid}), or set DATA_DIR to another folder. Several nodes on one machine share PostgreSQL and Redis by DATABASE_URL and REDIS_URL.`,
    )
  }
  const agoSeconds = Math.round((Date.now() - lastSignMs(file)) / 1000)
  return new OperatorError(
    `${begun} on ${holder.host}), which gave a sign of life ${agoSeconds} s ago; stop that one, or wait ${heartbeatLostMs / 1000} s if it was killed, or set DATA_DIR to another folder.`,
  )
}

function readHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder> | null
    return typeof holder?.pid === 'number' && typeof holder.id === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}
