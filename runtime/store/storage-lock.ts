/** Keeps nodes that store files on their own disk from being one of several. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { OperatorError } from '../../schemas/operator-error.js'
import type { HeldLock, SessionLocks } from './session-locks.js'

export interface StorageLockOptions {
  readonly locks: SessionLocks
  /** For other queries. */
  readonly pool: pg.Pool
  /** `one`: no other node may run on this database; `several`: others may, but none of the kind `one`. */
  readonly kind: 'one' | 'several'
  /** Names of the nodes of this machine, which share its disk. Of two nodes of one name the cluster says which may run. */
  readonly nodeIds: readonly string[]
  /** Maximum wait for the end of a former process. */
  readonly waitMs: number
  readonly log: Logger
}

/** Any number that nobody else on this database uses for an advisory lock: 'disk' in ASCII. */
const LOCK = 0x6469736b
const RETRY_MS = 250
const LOST_RETRY_MS = 5_000

/**
 * Takes a lock in the database for as long as this node lives. PostgreSQL frees it when the process is gone.
 * It is asked at start only: while PostgreSQL is away nobody is stopped, and afterwards the lock is taken again.
 * @throws OperatorError when other nodes run that cannot share files with this one
 */
export async function lockStorage(options: StorageLockOptions): Promise<{ close(): Promise<void> }> {
  const { locks, pool, kind, nodeIds, waitMs, log } = options
  const wanted = { key: String(LOCK), isShared: kind === 'several' }
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let held = await take(Date.now() + waitMs)
  if (held === null) again()
  else watch(held)

  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await held?.release()
    },
  }

  /** Null: one of our names has it, or had it until now. */
  async function take(deadlineMs: number): Promise<HeldLock | null> {
    for (;;) {
      try {
        const taken = await locks.tryLock(wanted)
        if (taken !== null) return taken
        if (await hasNameOfOurs(pool, nodeIds)) return null
        if (Date.now() >= deadlineMs) throw new OperatorError(refusal(kind))
      } catch (error) {
        // A session is waited for as briefly as ownership allows.
        if (Date.now() >= deadlineMs) throw error
      }
      await pause(RETRY_MS)
    }
  }

  function watch({ lost }: HeldLock): void {
    const retake = () => {
      if (!isClosed) again()
    }
    if (lost.aborted) retake()
    else lost.addEventListener('abort', retake, { once: true })
  }

  function again(): void {
    timer = setTimeout(async () => {
      const taken = await take(0).catch((error: unknown) => {
        if (error instanceof OperatorError) log.error(error.message)
        return null
      })
      if (isClosed) return void taken?.release()
      if (taken === null) return again()
      held = taken
      watch(taken)
    }, LOST_RETRY_MS)
    timer.unref()
  }
}

async function hasNameOfOurs(pool: pg.Pool, nodeIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM node WHERE node_id = ANY($1) AND NOT dead', [nodeIds])
  return (rowCount ?? 0) > 0
}

function refusal(kind: StorageLockOptions['kind']): string {
  const remedy =
    'Set MEDIA_STORAGE=shared and MEDIA_FOLDER to a volume that all nodes have, or MEDIA_S3_BUCKET (with its endpoint and keys) on every node, or MEDIA_STORAGE=none to do without sending files.'
  return kind === 'one'
    ? `Files are stored on this node's own disk (MEDIA_STORAGE=disk), where other nodes cannot read them, and another node runs on this database. ${remedy}`
    : `Another node on this database stores files on its own disk (MEDIA_STORAGE=disk), where this one cannot read them. ${remedy}`
}
