/**
 * The connections that all parts share but the journal, the session of locks and the lease thread. They are few, since PostgreSQL gives a
 * process of its own to each; so each part asks in its lane, and lanes take turns. Within a lane instances have fair shares.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import { asFrequentWork } from '../../schemas/work.js'
import { type LaneFigures, type LaneLimits, StoredLaneSlots } from './lane-slots.js'

/**
 * - `api`: reads of callers, which are quick, and all that has no lane of its own
 * - `writes`: their transactions, which may wait for locks of each other
 * - `searches`: statements whose cost callers choose, for a second
 * - `long`: those that take longer, exports and imports
 * - `actors`: reads of instances; thousands may wait
 * - `deliveries`: webhooks
 * - `jobs`: work of the cluster
 */
export type LaneName = 'api' | 'writes' | 'searches' | 'long' | 'actors' | 'deliveries' | 'jobs'

export interface SharedPoolOptions {
  readonly clientConfig: pg.ClientConfig
  /** Maximum of connections. */
  readonly max: number
  /** Maximum wait of calls of the API for a connection. */
  readonly waitMaxMs: number
  /** Maximum time of a statement, and of the wait of all others for a connection. */
  readonly statementTimeoutMs: number
  readonly onWaited?: (lane: LaneName, ms: number) => void
}

export interface SharedPool {
  /** All connections, for their events. */
  readonly connections: pg.Pool
  readonly lanes: Readonly<Record<LaneName, pg.Pool>>
  figures(): readonly LaneFigures<LaneName>[]
  /** Ends every connection when it is free, so that new ones reach the server that the settings name now. */
  renew(): void
  end(): Promise<void>
}

const RETRY_AFTER_SECONDS = 2
// Bound: 15, the id of an instance.
const IS_INSTANCE = /^i[a-z0-9]{15}$/
/** The instance for which a connection that is taken works. */
const workers = new WeakMap<pg.PoolClient, string>()

export function createSharedPool(options: SharedPoolOptions): SharedPool {
  const { clientConfig, max, statementTimeoutMs, onWaited } = options
  // Client-side: a session setting would not survive a connection pooler.
  const connections = new pg.Pool({
    ...clientConfig,
    max,
    idleTimeoutMillis: 30_000,
    query_timeout: statementTimeoutMs,
  })
  const limits = computeLimits(options)
  const turns = new StoredLaneSlots<LaneName>({
    places: max,
    lanes: limits,
    refuse: () =>
      new GatewayError('STORE_UNAVAILABLE', {
        message: 'Too much waits for PostgreSQL on this node; nothing was changed.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
    ...(onWaited === undefined ? {} : { onWaited }),
  })
  /** Connections made since the last renewal. */
  let current = new WeakSet<pg.PoolClient>()
  connections.on('connect', (client) => {
    current.add(client)
    countRows(client)
  })
  const isOld = (client: pg.PoolClient): boolean => !current.has(client)
  const lanes = {} as Record<LaneName, Lane>
  for (const name of Object.keys(limits) as LaneName[])
    lanes[name] = new Lane({ name, places: limits[name].max, connections, turns, lanes, isOld })
  return {
    connections,
    lanes,
    figures: () => turns.figures(),
    renew() {
      current = new WeakSet()
    },
    async end() {
      turns.close()
      await connections.end()
    },
  }
}

/** Logins of instances and callers of the API leave a connection to each other, and an instance leaves one of its lane to others. */
function computeLimits({ max, waitMaxMs, statementTimeoutMs }: SharedPoolOptions): Record<LaneName, LaneLimits> {
  const allButOne = Math.max(1, max - 1)
  const allButTwo = Math.max(1, max - 2)
  const few = Math.max(1, Math.floor(max / 3))
  return {
    api: { max, ownerMax: allButOne, waitingMax: 1_000, waitMaxMs },
    writes: { max: allButOne, ownerMax: allButTwo, waitingMax: 1_000, waitMaxMs },
    searches: { max: allButOne, waitingMax: 500, waitMaxMs, isSlow: true },
    long: { max: few, waitingMax: 50, waitMaxMs, isSlow: true },
    actors: { max: allButOne, waitingMax: 20_000, waitMaxMs: statementTimeoutMs },
    deliveries: { max: allButOne, ownerMax: allButTwo, waitingMax: 5_000, waitMaxMs: statementTimeoutMs },
    jobs: { max: few, waitingMax: 200, waitMaxMs: statementTimeoutMs, isSlow: true },
  }
}

/** Returns the lane for such work of the API. Other parts have one lane for all that they do. */
export function laneFor(pool: pg.Pool, work: 'writes' | 'searches' | 'long'): pg.Pool {
  return pool instanceof Lane && pool.name === 'api' ? pool.lanes[work] : pool
}

/** Returns how many statements of such work of the API run at once. */
export function countPlaces(pool: pg.Pool): number {
  return pool instanceof Lane ? pool.places : pool.options.max
}

/** Tells whether a statement of a lane would get a connection at once. */
export function hasFreeConnection(pool: pg.Pool): boolean {
  return pool instanceof Lane ? pool.isFree() : true
}

/**
 * Takes a connection for work of an instance, which gets its fair share. The statements of a pool itself are those of the instance that their first
 * value names.
 */
export function connectFor(pool: pg.Pool, instance: string): Promise<pg.PoolClient> {
  return pool instanceof Lane ? pool.connectFor(instanceIn(instance)) : pool.connect()
}

interface LaneParts {
  readonly name: LaneName
  readonly places: number
  readonly connections: pg.Pool
  readonly turns: StoredLaneSlots<LaneName>
  readonly lanes: Readonly<Record<LaneName, pg.Pool>>
  /** Tells whether a connection must end when it is free. */
  readonly isOld: (client: pg.PoolClient) => boolean
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: pg.PoolClient['release']) => void

/** A pool that takes the connections of another, when it is its turn. */
class Lane extends pg.Pool {
  readonly name: LaneName
  readonly places: number
  readonly lanes: LaneParts['lanes']
  readonly #connections: pg.Pool
  readonly #turns: StoredLaneSlots<LaneName>
  readonly #isOld: LaneParts['isOld']
  /** The instance whose statement asks for a connection in this step. */
  #asking = ''

  constructor({ name, places, connections, turns, lanes, isOld }: LaneParts) {
    const { password } = connections.options
    super({ ...connections.options, ...(password === undefined ? {} : { password }) })
    this.name = name
    this.places = places
    this.lanes = lanes
    this.#connections = connections
    this.#turns = turns
    this.#isOld = isOld
    const query = this.query.bind(this) as (...given: unknown[]) => unknown
    const queryFor = (...given: unknown[]): unknown => this.#askFor(findInstance(given), () => query(...given))
    this.query = queryFor as pg.Pool['query']
  }

  isFree(): boolean {
    return this.#turns.isFree(this.name)
  }

  connectFor(instance: string): Promise<pg.PoolClient> {
    return this.#askFor(instance, () => this.connect())
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connected = this.#take()
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  override end(): Promise<void> {
    return Promise.resolve()
  }

  /** Asks for a connection in this step. */
  #askFor<T>(instance: string, ask: () => T): T {
    this.#asking = instance
    try {
      return ask()
    } finally {
      this.#asking = ''
    }
  }

  async #take(): Promise<pg.PoolClient> {
    refuseNested()
    const instance = this.#asking
    const giveBack = await this.#turns.take(this.name, instance)
    try {
      const client = await this.#newest()
      workers.set(client, instance)
      const release = client.release.bind(client)
      client.release = (error) => {
        release(error ?? this.#isOld(client))
        giveBack()
        this.emit('release', error as Error, client)
      }
      this.emit('acquire', client)
      return client
    } catch (error) {
      giveBack()
      throw error
    }
  }

  async #newest(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connections.connect()
      if (!this.#isOld(client)) return client
      client.release(true)
    }
  }
}

/** Returns the instance that the first value of a statement names; '' if it names none. */
function findInstance([, values]: readonly unknown[]): string {
  return Array.isArray(values) ? instanceIn(values[0]) : ''
}

function instanceIn(value: unknown): string {
  return typeof value === 'string' && IS_INSTANCE.test(value) ? value : ''
}

/** Counts the time in which the driver reads the rows that a connection brings for its instance. */
function countRows(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: NodeJS.EventEmitter } }).connection
  const emit = stream.emit.bind(stream)
  stream.emit = (event: string | symbol, ...values: unknown[]) => {
    const instance = event === 'data' ? (workers.get(client) ?? '') : ''
    if (instance === '') return emit(event, ...values)
    const work = { kind: 'job', operation: 'rows', feature: 'store', instance, id: '' } as const
    return asFrequentWork(work, () => emit(event, ...values))
  }
}

let holders: AsyncLocalStorage<true> | undefined

/** For tests: work that holds a connection fails when it asks for another. A few of these at once would wait for each other. */
export function refuseNestedConnections(): void {
  holders ??= new AsyncLocalStorage()
}

/** Does work that holds a connection. */
export function whileHolding<T>(work: () => Promise<T>): Promise<T> {
  return holders === undefined ? work() : holders.run(true, work)
}

function refuseNested(): void {
  if (holders?.getStore() === true) throw new Error('This work holds a connection to PostgreSQL and asks for another.')
}
