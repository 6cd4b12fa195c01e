/** Advisory locks that end with this process: all of them in one session of PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isConnectionLost } from './journal/statement-errors.js'

export interface AdvisoryLock {
  /** Arguments of PostgreSQL's function. */
  readonly key: string
  readonly values?: readonly string[]
  /** Others may hold it too, if theirs is shared as well. */
  readonly isShared?: boolean
}

export interface HeldLock {
  /** Aborts when the session ended, and the lock with it. */
  readonly lost: AbortSignal
  /** Frees the lock. Never rejects. */
  release(): Promise<void>
}

/** Locks that one session holds. */
interface SessionOfLocks {
  readonly client: pg.PoolClient
  readonly held: Map<string, AbortController>
}

const UNLOCK_RETRY_MS = 250

/**
 * PostgreSQL frees the locks of a session at its end, so that those of a process that dies stop nobody. It would give a session a lock that
 * this session has already; so a second holder within the process is refused here.
 */
export class SessionLocks {
  readonly #pool: pg.Pool
  readonly #taken = new Set<string>()
  #session: SessionOfLocks | undefined

  /** `pool` keeps its one connection for as long as PostgreSQL does: no time-out ends it, and no pooler changes its session. */
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Returns null when somebody else has the lock. @throws the error of the connection */
  async tryLock(lock: AdvisoryLock): Promise<HeldLock | null> {
    const name = `${lock.key} ${lock.values?.join(' ') ?? ''}`
    if (this.#taken.has(name)) return null
    this.#taken.add(name)
    try {
      const held = await this.#lock(name, lock)
      if (held === null) this.#taken.delete(name)
      return held
    } catch (error) {
      this.#taken.delete(name)
      throw error
    }
  }

  async #lock(name: string, lock: AdvisoryLock): Promise<HeldLock | null> {
    const client = await this.#pool.connect()
    const { held } = this.#openSession(client)
    const rows = await queryOn<{ taken: boolean }>(client, 'try_advisory_lock', lock)
    if (rows[0]?.taken !== true) return null
    const lost = new AbortController()
    // The session may have ended in the turn in which it answered.
    if (this.#session?.client !== client) lost.abort(lostLock())
    else held.set(name, lost)
    if (lost.signal.aborted) this.#taken.delete(name)
    return { lost: lost.signal, release: () => this.#release(name, lock, client, lost.signal) }
  }

  /** Notices the end of the session of a connection that is seen for the first time. */
  #openSession(client: pg.PoolClient): SessionOfLocks {
    if (this.#session?.client === client) return this.#session
    const session: SessionOfLocks = { client, held: new Map() }
    this.#session = session
    client.once('end', () => {
      if (this.#session === session) this.#session = undefined
      for (const [name, lost] of session.held) {
        this.#taken.delete(name)
        lost.abort(lostLock())
      }
      session.held.clear()
    })
    return session
  }

  /** A lock that stayed behind would keep all other nodes from it for as long as this process lives. */
  async #release(name: string, lock: AdvisoryLock, holder: pg.PoolClient, lost: AbortSignal): Promise<void> {
    while (!lost.aborted && !this.#pool.ending) {
      try {
        const client = await this.#pool.connect()
        if (client !== holder) return client.release()
        await queryOn(client, 'advisory_unlock', lock)
        if (this.#session?.held.delete(name)) this.#taken.delete(name)
        return
      } catch {
        await pause(UNLOCK_RETRY_MS)
      }
    }
  }
}

/** Runs a function of locks and gives the connection back. Ends one that did not answer: it may have got the lock. */
async function queryOn<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  name: 'try_advisory_lock' | 'advisory_unlock',
  { key, values = [], isShared = false }: AdvisoryLock,
): Promise<Row[]> {
  try {
    const { rows } = await client.query<Row>(`SELECT pg_${name}${isShared ? '_shared' : ''}(${key}) AS taken`, [
      ...values,
    ])
    client.release()
    return rows
  } catch (error) {
    client.release(!(error instanceof pg.DatabaseError) || isConnectionLost(error))
    throw error
  }
}

function lostLock(): Error {
  return new Error('The connection that holds the lock was lost.')
}
