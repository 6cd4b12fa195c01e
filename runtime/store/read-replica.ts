/**
 * A replica of PostgreSQL for lists and searches, while it is no further behind than allowed. The node writes marks to the primary and looks for
 * them at the replica: whatever was committed before a mark that is there, is there too.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'

export interface ReadReplicaOptions {
  /** Of the primary. */
  readonly pool: pg.Pool
  /** Of the replica. */
  readonly clientConfig: pg.ClientConfig
  readonly poolMax: number
  readonly node: string
  /** Maximum age of what is read. */
  readonly lagMaxMs: number
  readonly log: Logger
  /** Called for each search: whether the replica answered it. */
  readonly onRead?: (from: 'replica' | 'primary') => void
}

/** The replica as searches use it. */
export interface Replica {
  readonly pool: pg.Pool
  /** Returns the maximum age of what is read now; null while the replica must not be read. */
  lagMs(): number | null
  /** Call when it answered a search, or the primary did in its place; `error`: the replica failed. */
  noteRead(from: 'replica' | 'primary', error?: Error): void
}

interface Mark {
  readonly text: string
  readonly startedMs: number
}

/** Time between two marks. */
const MARK_MS = 500
/** Maximum time of a look at the replica. */
const LOOK_MAX_MS = 2_000
/** Marks that are remembered: those of the longest lag that may be allowed. */
const MARKS_MAX = 300

// $1 node   $2 mark
const WRITE = `
  INSERT INTO read_mark (node, mark) VALUES ($1, $2) ON CONFLICT (node) DO UPDATE SET mark = EXCLUDED.mark, at = now()`
const FORGET = `DELETE FROM read_mark WHERE at < now() - interval '1 day'`
// $1 node
const READ = 'SELECT mark FROM read_mark WHERE node = $1'

export class ReadReplica implements Replica {
  readonly pool: pg.Pool
  readonly #options: ReadReplicaOptions
  readonly #life = randomUUID()
  #marks: Mark[] = []
  #count = 0
  /** Time before which everything that was committed is at the replica. */
  #hasUntilMs = Number.NEGATIVE_INFINITY
  #isUsable = false
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: ReadReplicaOptions) {
    this.#options = options
    this.pool = new pg.Pool({
      ...options.clientConfig,
      max: options.poolMax,
      application_name: 'posthorn reads',
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: LOOK_MAX_MS,
    })
    this.pool.on('error', () => {})
    this.pool.on('connect', (client) => client.on('error', () => {}))
    options.pool.query(FORGET).catch(() => {})
    this.#look()
  }

  lagMs(): number | null {
    const lagMs = performance.now() - this.#hasUntilMs
    return lagMs <= this.#options.lagMaxMs ? lagMs : null
  }

  noteRead(from: 'replica' | 'primary', error?: Error): void {
    this.#options.onRead?.(from)
    if (error === undefined) return
    // Until a look succeeds again.
    this.#hasUntilMs = Number.NEGATIVE_INFINITY
    this.#tell(error)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#turn
    await this.pool.end()
  }

  #look(): void {
    this.#turn = this.#mark()
      .then(
        () => this.#tell(),
        (error: Error) => this.#tell(error),
      )
      .finally(() => {
        if (!this.#isClosed) this.#timer = setTimeout(() => this.#look(), MARK_MS)
      })
  }

  async #mark(): Promise<void> {
    const { pool, node } = this.#options
    this.#count += 1
    const mark = { text: `${this.#life} ${this.#count}`, startedMs: performance.now() }
    await pool.query(WRITE, [node, mark.text])
    this.#marks = [...this.#marks, mark].slice(-MARKS_MAX)
    const look = { text: READ, values: [node], query_timeout: LOOK_MAX_MS }
    const { rows } = await this.pool.query<{ mark: string }>(look)
    const found = this.#marks.findIndex(({ text }) => text === rows[0]?.mark)
    if (found === -1) return
    this.#hasUntilMs = this.#marks[found]?.startedMs ?? this.#hasUntilMs
    this.#marks = this.#marks.slice(found)
  }

  /** Says in the log when the replica begins or ends to be read. */
  #tell(error?: Error): void {
    const lagMs = this.lagMs()
    const isUsable = lagMs !== null
    if (isUsable === this.#isUsable) return
    this.#isUsable = isUsable
    const { log } = this.#options
    if (isUsable) log.info({ lagMs: Math.round(lagMs) }, 'Lists and searches are read from the replica.')
    else
      log.warn(
        { error: error?.message },
        'The replica is away or too far behind: lists and searches are read from the primary.',
      )
  }
}

const replicas = new WeakMap<pg.Pool, Replica>()

/** From now on searches over this pool that may lag are read from the replica. */
export function offerReplica(pool: pg.Pool, replica: Replica): void {
  replicas.set(pool, replica)
}

/** Returns the replica of a pool, if it has one. */
export function replicaFor(pool: pg.Pool): Replica | undefined {
  return replicas.get(pool)
}
