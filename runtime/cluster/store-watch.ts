/**
 * Watches whether the store goes back in time: a primary without the last commits, an older copy, or the old primary that lives on. Each
 * reading of the table of shards passes here before the ownership core sees it. docs/decisions/0042-store-that-goes-back.md says why.
 */
import type { Logger } from 'pino'
import type { StoreLossView, StoreView } from '../../schemas/ports/cluster.js'
import type { LastCommit } from '../store/journal.js'
import type { StoreIdentity, StoreNote } from './lease-scripts.js'
import type { Leases } from './leases.js'
import type { Incarnation, NodeId, NodeRow } from './ownership/protocol.js'
import type { NodePlace } from './peers/protocol.js'
import type { ShardTable, TableReading } from './shard-table.js'
import type { StoreLossCause, StoreReading } from './store-reading.js'

/**
 * `current`: the store that all use, as far as this node knows. `outdated`: other nodes use a newer timeline or era. `foreign`: other nodes
 * use another database, or this node did. `behind`: it went back, and this node is about to begin an era.
 */
export type StoreState = StoreView['state']

export interface StoreWatchOptions {
  readonly table: Pick<ShardTable, 'read' | 'hasCommit' | 'beginEra' | 'newestChange'>
  readonly leases: Pick<Leases, 'noteStore'>
  readonly incarnation: Incarnation
  readonly nodeId: NodeId
  /** Called with the store that this node uses, whenever another one becomes that. */
  readonly onIdentity: (store: StoreIdentity) => void
  /**
   * Tells other nodes which store is the newest, while Redis is away. Returns true when each of them, and of those that they know, acts by no
   * older store.
   */
  readonly tell: (store: StoreIdentity, nodes: readonly NodePlace[]) => Promise<boolean>
  /** Called when the table should be read soon. */
  readonly onNews: () => void
  /** Ends the connections to PostgreSQL, so that the next ones reach the server that the settings name now. */
  readonly reconnect: () => void
  readonly log: Logger
}

export interface StoreObserver {
  /** The store went back while this node used it, and an era has begun. */
  readonly wentBack?: (loss: StoreLossView) => void
  /** PostgreSQL has another primary, and nothing that this node has stored is missing. */
  readonly moved?: () => void
}

/** A reading that the ownership core may see. `isBack`: the store went back, and an era has begun since the last one, or just before the first. */
export type WatchedReading = Pick<TableReading, 'shards' | 'nodes'> & { readonly isBack: boolean }

/** Next transaction of the store at a time, by which the beginning of a lost span is found. */
interface Sample {
  readonly nextXid: number
  readonly atMs: number
}

/** Readings are a second or two apart, so this is about an hour. */
const SAMPLES_MAX = 2_000

export class StoreWatch {
  readonly #options: StoreWatchOptions
  readonly #samples: Sample[] = []
  #observer: StoreObserver = {}
  #lastCommit: () => LastCommit | null = () => null
  #known: StoreReading | null = null
  /** The reading that the store went back from, until an era has begun. */
  #before: StoreReading | null = null
  /** The nodes of the newest reading that was taken. */
  #nodes: readonly NodeRow[] = []
  /** The newest store of which another node has told this one. */
  #told: StoreIdentity | null = null
  readonly #waiting: (() => void)[] = []
  #epoch = 0
  #state: StoreState = 'current'

  constructor(options: StoreWatchOptions) {
    this.#options = options
  }

  get state(): StoreState {
    return this.#state
  }

  /** The last time that the store went back, by the newest reading; null when it never did. */
  get wentBack(): StoreLossView | null {
    return this.#known?.loss ?? null
  }

  /** Tells whether this node may act by what it reads. */
  get mayAct(): boolean {
    return this.#state === 'current'
  }

  /** The server that has the store, as `readIdentity` names it; null while it is not known, or where PostgreSQL does not say it. */
  get server(): string | null {
    const { system, timeline } = this.#known ?? { system: null, timeline: null }
    return system === null || timeline === null ? null : `${system} ${timeline}`
  }

  /** Asks this for the last commit that must be in the store, from now on. */
  followCommits(lastCommit: () => LastCommit | null): void {
    this.#lastCommit = lastCommit
  }

  observe(observer: StoreObserver): void {
    this.#observer = observer
  }

  /** Reads the table. Returns null when this node must not act by what it found. @throws the errors of the database and of Redis */
  async read(): Promise<WatchedReading | null> {
    const waiting = this.#waiting.splice(0)
    try {
      const reading = await this.#options.table.read()
      const judged = (await this.#judge(reading)) ?? (this.#state === 'behind' ? await this.#readAgain() : null)
      if (judged !== null) for (const resolve of waiting.splice(0)) resolve()
      return judged
    } finally {
      this.#waiting.push(...waiting)
    }
  }

  /**
   * Takes the news of another node of which store is the newest. From then on this node acts by no older one. Returns false if it uses another
   * database.
   */
  heed(news: StoreIdentity): boolean {
    const known = this.#known
    if (known !== null && readIdentity(known).system !== news.system) return false
    if (this.#told === null || isOlder(this.#told, news)) this.#told = news
    if (known === null || !isBehind(known, news)) return true
    this.#refuse('outdated')
    this.#options.onNews()
    return true
  }

  /** Resolves when a reading that begins from now on has shown that this node may act. */
  judged(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Reads the era that has begun. */
  async #readAgain(): Promise<WatchedReading | null> {
    return await this.#judge(await this.#options.table.read())
  }

  async #judge(reading: TableReading): Promise<WatchedReading | null> {
    const { store } = reading
    if (store.isStandby) return this.#skipStandby()
    const noted = await this.#note(reading)
    const others = noted === 'away' || noted?.isUsed !== true ? null : noted
    // While others use the store, a node that starts leaves it to them to compare.
    const isAlone = noted !== null && noted !== 'away' && !noted.isUsed
    const known = this.#known ?? this.#before ?? (isAlone ? applyNote(noted, store) : null)
    const { system } = readIdentity(store)
    if ((others !== null && others.system !== system) || (known !== null && readIdentity(known).system !== system))
      return this.#refuse('foreign')
    if (known !== null && parseTimeline(store) < parseTimeline(known)) return this.#refuse('outdated')
    const cause = known === null || store.era > known.era ? null : await this.#causeOfLoss(store, known)
    const epoch = noted === null || noted === 'away' ? 0 : noted.epoch
    if (known !== null && cause !== null) return await this.#beginEra(store, known, { cause, epoch })
    if (others !== null && isBehind(store, others)) return this.#refuse('outdated')
    const isBack = known !== null && store.era > known.era && (this.#known !== null || this.#before !== null)
    return await this.#pass(reading, { isBack, isRedisAway: noted === 'away' })
  }

  /** Lets a reading pass, when nodes that may act by the former store know of a new era: from Redis, or from this node. */
  async #pass(
    reading: TableReading,
    { isBack, isRedisAway }: { readonly isBack: boolean; readonly isRedisAway: boolean },
  ): Promise<WatchedReading | null> {
    const { store } = reading
    // While nobody has claimed a shard in an era, a node that starts cannot tell whether the others know of it.
    const isNews = isBack || (this.#known === null && isUnclaimed(reading))
    if (isRedisAway && isNews && !(await this.#tell(reading)))
      throw new Error('Redis does not answer, and not all other nodes could be told of the new era.')
    if (this.#told !== null && isBehind(store, this.#told)) return this.#refuse('outdated')
    const isMoved = this.#known !== null && !isSame(store, this.#known)
    // Also while Redis answers here: it may be away for a node that stays at the former primary.
    if (isMoved && !(isRedisAway && isNews)) void this.#tell(reading).catch(() => {})
    return { ...this.#adopt(reading, isBack), isBack: isNews }
  }

  /** Tells all nodes that live by this reading or by the former one. */
  async #tell({ nodes, store }: TableReading): Promise<boolean> {
    const all = [...nodes, ...this.#nodes]
    const ended = new Set(all.filter(({ isDead }) => isDead).map(({ incarnation }) => incarnation))
    const living = all.filter(({ incarnation }) => incarnation !== this.#options.incarnation && !ended.has(incarnation))
    const others = [...new Map(living.map((node) => [node.incarnation, node])).values()]
    return await this.#options.tell(readIdentity(store), others)
  }

  /** Notes a reading for the other nodes. Returns what they had noted; `away`: Redis does not answer. */
  async #note({ shards, store }: TableReading): Promise<Awaited<ReturnType<Leases['noteStore']>> | 'away'> {
    this.#epoch = shards.reduce((highest, { epoch }) => Math.max(highest, epoch), this.#epoch)
    const { counter, position } = store
    const note = { ...readIdentity(store), counter, position, epoch: this.#epoch }
    return await this.#options.leases.noteStore(note).catch(() => 'away' as const)
  }

  /** A primary will follow, or the next connection reaches it: the node keeps what it has, as when PostgreSQL is away. */
  #skipStandby(): null {
    this.#options.log.warn('PostgreSQL is a standby and takes no writes; this node looks for the primary.')
    this.#options.reconnect()
    return null
  }

  /** Returns how the store went back since it was read before; null when nothing is missing. */
  async #causeOfLoss(store: StoreReading, known: StoreReading): Promise<StoreLossCause | null> {
    const isMoved = parseTimeline(store) > parseTimeline(known)
    const cause = isMoved ? 'failover' : 'restore'
    if (store.era < known.era || store.counter < known.counter) return cause
    // After a crash the log may end before its last position, and ids of transactions that wrote nothing are given out again; a lost commit
    // shows in both. A commit of this node says more than either.
    const isShorter = store.position < known.position
    const last = this.#lastCommit()
    if (last === null) return isShorter && store.nextXid <= known.nextXid ? cause : null
    if (!isMoved && !isShorter && store.started === known.started) return null
    return (await this.#options.table.hasCommit(last, this.#options.incarnation)) ? null : cause
  }

  #refuse(state: StoreState): null {
    const { log, reconnect } = this.#options
    if (this.#state !== state) log.error({ state }, SENTENCES[state])
    this.#state = state
    reconnect()
    return null
  }

  async #beginEra(
    store: StoreReading,
    known: StoreReading,
    { cause, epoch }: { readonly cause: StoreLossCause; readonly epoch: number },
  ): Promise<null> {
    const { table, nodeId, log, reconnect } = this.#options
    if (this.#state !== 'behind') log.error({ cause, before: known, now: store }, SENTENCES.behind)
    this.#state = 'behind'
    this.#before = known
    const untilMs = Math.max(known.nowMs, this.#lastCommit()?.at.getTime() ?? 0)
    await table.beginEra({
      over: store.era,
      era: Math.max(store.era, known.era) + 1,
      counter: Math.max(store.counter, known.counter),
      epoch: Math.max(this.#epoch, epoch),
      cause,
      noticedBy: nodeId,
      from: await this.#lostFrom(store),
      until: new Date(untilMs),
    })
    // Connections that the switch left at the old server.
    reconnect()
    return null
  }

  /** The newest time of which this node knows that the store has what was committed. */
  async #lostFrom(store: StoreReading): Promise<Date | null> {
    const there = this.#samples.findLast(({ nextXid }) => nextXid <= store.nextXid)
    return there === undefined ? await this.#options.table.newestChange() : new Date(there.atMs)
  }

  /** Takes a reading for what the store is now. */
  #adopt({ shards, nodes, store }: TableReading, isBack: boolean): Pick<TableReading, 'shards' | 'nodes'> {
    const { log, reconnect, onIdentity } = this.#options
    const known = this.#known
    const isMoved = known !== null && !isSame(store, known)
    this.#known = store
    this.#nodes = nodes
    this.#before = null
    if (isBack) this.#samples.length = 0
    this.#sample(store)
    if (known === null || isMoved) onIdentity(readIdentity(store))
    if (isMoved) reconnect()
    if (this.#state !== 'current') log.info({ was: this.#state }, 'This node uses the store that the others use again.')
    this.#state = 'current'
    if (isBack && store.loss !== null) {
      log.error(
        { ...store.loss },
        'The store went back in time: commits of this span may be missing. All instances connect again.',
      )
      this.#observer.wentBack?.(store.loss)
    } else if (isMoved) {
      log.warn(
        { timeline: store.timeline },
        'PostgreSQL has another primary. Nothing that this node had stored is missing.',
      )
      this.#observer.moved?.()
    }
    return { shards, nodes }
  }

  #sample({ nextXid, nowMs }: StoreReading): void {
    this.#samples.push({ nextXid, atMs: nowMs })
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift()
  }
}

const SENTENCES: Readonly<Record<StoreState, string>> = {
  current: '',
  outdated:
    'This PostgreSQL is an old primary: other nodes use a newer timeline or era. This node serves nothing until it reaches the new primary.',
  foreign:
    'This PostgreSQL has another database than the one that the other nodes use, or that this node used. This node serves nothing; if the change is intended, restart all nodes.',
  behind: 'The store went back in time: commits are missing that this node has seen.',
}

/** Where PostgreSQL does not say who it is, all servers look the same. */
function readIdentity(store: StoreReading): StoreIdentity {
  return { system: store.system ?? 'unknown', timeline: parseTimeline(store), era: store.era }
}

function parseTimeline({ timeline }: Pick<StoreReading, 'timeline'>): number {
  return timeline === null ? 0 : Number.parseInt(timeline, 16)
}

function isSame(store: StoreReading, known: StoreReading): boolean {
  return parseTimeline(store) === parseTimeline(known) && store.era === known.era
}

/** Tells whether an era has begun in which no shard has been claimed so far. */
function isUnclaimed({ shards, store }: TableReading): boolean {
  return store.era > 1 && shards.every(({ owner }) => owner === null)
}

/** Tells whether others have noted a newer timeline or era. */
function isBehind(store: StoreReading, noted: StoreIdentity): boolean {
  return isOlder(readIdentity(store), noted)
}

function isOlder(one: StoreIdentity, other: StoreIdentity): boolean {
  return one.timeline < other.timeline || one.era < other.era
}

/** What nodes have noted that no longer run. Of another database only the highest era and counter count: a dump may have been restored. */
function applyNote(noted: StoreNote, store: StoreReading): StoreReading {
  const position = noted.system === readIdentity(store).system ? noted.position : 0
  return { ...store, position, counter: noted.counter, era: noted.era, loss: null }
}
