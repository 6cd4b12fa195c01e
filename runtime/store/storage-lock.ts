/** Keeps nodes that store files on their own disk from being one of several. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { backOffMs, withHalfJitter } from '../../lib/back-off.js'
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

export interface StorageLock {
  /** True while a node runs that cannot share files with this one: it has started while this one was without its connection. */
  readonly isTaken: boolean
  close(): Promise<void>
}

/** Holder of the lock. `own`: this machine, or a connection of it that PostgreSQL has not given up yet; `other`: a node that cannot share files. */
type Holder = 'own' | 'other'

/** Whether nodes of this machine have not left the cluster, and whether nodes of another name have not. */
interface LivingNodes {
  readonly own: boolean
  readonly others: boolean
}

const NO_NODES: LivingNodes = { own: false, others: false }

/** Any number that nobody else on this database uses for an advisory lock: 'disk' in ASCII. */
const LOCK = 0x6469736b
const RETRY_MS = 250
const RETAKE_MIN_MS = 50
const RETAKE_MAX_MS = 1_000
/** Time that a start leaves to living nodes whose connections were lost. Longer than their longest pause, with room for a login. */
const RETURN_MS = 3 * RETAKE_MAX_MS

// $1 names of the nodes of this machine
const NODES = `
  SELECT count(*) FILTER (WHERE node_id = ANY($1)) > 0 AS own, count(*) FILTER (WHERE node_id <> ALL($1)) > 0 AS others
  FROM node WHERE NOT dead`
const HELD = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = ${LOCK} AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/**
 * Takes a lock in the database for as long as this node lives. PostgreSQL frees it when the process is gone, and also when the connection
 * breaks: then it is taken again at once, or as soon as PostgreSQL is back. Meanwhile this node continues: its disk is its own, and a start
 * elsewhere leaves it the time to return. If another node started nevertheless, `isTaken` says so until that node is gone.
 * @throws OperatorError when other nodes run that cannot share files with this one
 */
export async function lockStorage(options: StorageLockOptions): Promise<StorageLock> {
  const lock = new StorageLockOfNode(options)
  await lock.takeAtStart()
  return lock
}

class StorageLockOfNode implements StorageLock {
  readonly #options: StorageLockOptions
  #held: HeldLock | null = null
  #failures = 0
  #isTaken = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: StorageLockOptions) {
    this.#options = options
  }

  get isTaken(): boolean {
    return this.#isTaken
  }

  async takeAtStart(): Promise<void> {
    await this.#letOthersReturn()
    const { kind, waitMs } = this.#options
    const deadlineMs = Date.now() + waitMs
    for (;;) {
      try {
        const taken = await this.#tryOnce()
        if (taken === 'own') return this.#retakeIn(RETAKE_MAX_MS)
        if (taken !== 'other') return this.#keep(taken)
        if (Date.now() >= deadlineMs) throw new OperatorError(refusal(kind))
      } catch (error) {
        // A session is waited for as briefly as ownership allows.
        if (Date.now() >= deadlineMs) throw error
      }
      await pause(RETRY_MS)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#held?.release()
  }

  /** If nobody holds the lock although other nodes have not left, their connections may just have been lost. */
  async #letOthersReturn(): Promise<void> {
    const { pool, nodeIds } = this.#options
    const endMs = Date.now() + RETURN_MS
    const isExpected = async () => (await pool.query(HELD)).rowCount === 0 && (await livingNodes(pool, nodeIds)).others
    while (Date.now() < endMs && (await isExpected().catch(() => true))) await pause(RETRY_MS)
  }

  async #tryOnce(): Promise<HeldLock | Holder> {
    const { locks, pool, kind, nodeIds } = this.#options
    const taken = await locks.tryLock({ key: String(LOCK), isShared: kind === 'several' })
    if (taken !== null) return taken
    const { own, others } = await livingNodes(pool, nodeIds)
    return own && !others ? 'own' : 'other'
  }

  #keep(taken: HeldLock): void {
    this.#held = taken
    this.#failures = 0
    const retake = () => {
      if (!this.#isClosed) void this.#retake()
    }
    if (taken.lost.aborted) this.#retakeIn(RETAKE_MIN_MS)
    else taken.lost.addEventListener('abort', retake, { once: true })
  }

  #retakeIn(ms: number): void {
    this.#timer = setTimeout(() => this.#retake(), ms)
    this.#timer.unref()
  }

  async #retake(): Promise<void> {
    // PostgreSQL that does not answer says nothing about the others.
    const taken = await this.#tryOnce().catch(() => null)
    if (this.#isClosed) {
      if (taken !== null && typeof taken !== 'string') await taken.release()
      return
    }
    if (taken !== null && typeof taken !== 'string') {
      this.#keep(taken)
      return await this.#lookForOthers(taken)
    }
    if (taken !== null) this.#note(taken)
    this.#retakeIn(withHalfJitter(backOffMs(this.#failures++, RETAKE_MIN_MS, RETAKE_MAX_MS)))
  }

  /** Another node may have started while nobody held the lock, and have lost it in its turn. */
  async #lookForOthers({ lost }: HeldLock): Promise<void> {
    const { kind, pool, nodeIds } = this.#options
    for (;;) {
      const nodes = kind === 'one' ? await livingNodes(pool, nodeIds).catch(() => null) : NO_NODES
      if (this.#isClosed || lost.aborted) return
      if (nodes !== null) this.#note(nodes.others ? 'other' : 'own')
      if (nodes?.others === false) return
      await pause(RETAKE_MAX_MS, undefined, { ref: false })
    }
  }

  #note(holder: Holder): void {
    const { kind, log } = this.#options
    const isTaken = holder === 'other'
    if (isTaken === this.#isTaken) return
    this.#isTaken = isTaken
    if (isTaken) log.error(`This node no longer accepts files. ${refusal(kind)}`)
    else log.info('The other node is gone. This node accepts files again.')
  }
}

async function livingNodes(pool: pg.Pool, nodeIds: readonly string[]): Promise<LivingNodes> {
  const { rows } = await pool.query<LivingNodes>(NODES, [nodeIds])
  return rows[0] ?? NO_NODES
}

function refusal(kind: StorageLockOptions['kind']): string {
  const remedy =
    'Set MEDIA_STORAGE=shared and MEDIA_FOLDER to a volume that all nodes have, or MEDIA_S3_BUCKET (with its endpoint and keys) on every node, or MEDIA_STORAGE=none to do without sending files.'
  return kind === 'one'
    ? `Files are stored on this node's own disk (MEDIA_STORAGE=disk), where other nodes cannot read them, and another node runs on this database. ${remedy}`
    : `Another node on this database stores files on its own disk (MEDIA_STORAGE=disk), where this one cannot read them. ${remedy}`
}
