import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { CallContext } from '../schemas/call-context.js'
import type { InstanceId, MessageId } from '../schemas/ids.js'
import { ShardMoved } from '../schemas/shard-moved.js'
import { Instance, type InstanceDependencies } from './instance/instance.js'
import type { Change, InstanceJournal } from './instance/ports.js'
import type { ResolvedChatCache } from './operations/context.js'
import type { Command, ReplyOf } from './operations/index.js'
import { operationOf } from './operations/index.js'
import { createTokenBucket } from './token-bucket.js'

export interface HostOptions
  extends Omit<InstanceDependencies, 'journal' | 'epoch' | 'resolvedChats' | 'logger' | 'wakeQueue' | 'logins'> {
  readonly logger: Logger
  readonly shardOf: (instance: InstanceId) => number
  readonly journalOf: (instance: InstanceId, epoch: number) => InstanceJournal
  /** Those of these shards that should be connected; they take their turns at the login rate in this order. */
  readonly wanted: (shards: readonly number[]) => Promise<readonly InstanceId[]>
  /** An instance has something queued; wakes the queue's lane. */
  readonly queued: (instance: InstanceId) => void
  /** Logins a second, for all instances of the node together. */
  readonly loginRatePerSecond: number
}

/**
 * The actors of a node, by shard: one root per instance, in plain maps (thousands of children under one parent make each stop walk all
 * their timers). A shard takes commands when it was activated and those of its instances that should be connected have been told so.
 */
export interface Host {
  /** The shard is ours under this epoch. Its actors are made from the store, where it replaces a former epoch too. */
  activate(shard: number, epoch: number): void
  /** Not ours any more: sockets end at once, actors are forgotten. */
  deactivate(shard: number): void
  /**
   * Takes no more commands, gives what is on its way to the network a moment, makes all durable and ends the sockets. Calls without an
   * answer go to the next owner. @throws when that did not work in time; `activate` starts the actors anew.
   */
  quiet(shard: number, epoch: number): Promise<void>
  /** All sockets end in this turn of the event loop, and all actors are forgotten. */
  fence(): void
  /** As `quiet`, for all. Never throws. */
  stopAll(): Promise<void>

  isReady(shard: number): boolean
  /** Shards that take commands. */
  ready(): readonly number[]
  /** Calls when `isReady` of some shard has changed, with those that have become ready. */
  onChange(listener: (nowReady: readonly number[]) => void): void
  /** @throws ShardMoved, and what the instance throws */
  ask<C extends Command>(instance: InstanceId, command: C, context?: CallContext): Promise<ReplyOf[C['type']]>
  /** Sends what an instance has queued; nothing where it is not ours. */
  runQueue(instance: InstanceId): Promise<void>
  /** So many logins could begin now that those of one more shard would not wait. */
  canLogin(): boolean
  counts(): Readonly<Record<'disconnected' | 'connecting' | 'connected', number>>
  /** Since the start, and those that wait for their turn. */
  logins(): { readonly begun: number; readonly waiting: number }
}

interface HeldShard {
  readonly shard: number
  readonly epoch: number
  isReady: boolean
  readonly instances: Map<InstanceId, Instance>
}

const KNOWN_CHATS_MAX = 50_000
/** Messages of ours whose calls are remembered, so that what becomes of them is told in their traces. */
const TRACES_MAX = 20_000
const KNOWN_CHATS_TTL_MS = 6 * 60 * 60_000
/** The network answers a message in a tenth of a second or two; what it has not answered by then is sent again by the next owner, under its id. */
const FINISH_MS = 500
/** To make all durable; above it the store is in trouble, and the shard stays. */
const QUIET_MS = 5_000
const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 2_000

export function createHost(options: HostOptions): Host {
  const { shardOf, logger } = options
  const shards = new Map<number, HeldShard>()
  /** Of each shard, actors that have ended and whose last writes are under way. Under the same epoch none is read before they are done. */
  const ending = new Map<number, Promise<unknown>>()
  const listeners = new Set<(nowReady: readonly number[]) => void>()
  const resolvedChats: ResolvedChatCache = new LRUCache({ max: KNOWN_CHATS_MAX, ttl: KNOWN_CHATS_TTL_MS })
  const traces: Traces = new LRUCache({ max: TRACES_MAX })
  const { loginRatePerSecond } = options
  const logins = createTokenBucket({ perSecond: loginRatePerSecond, burst: loginRatePerSecond })
  let toLoad: HeldShard[] = []
  /** Of the last shards that were loaded, on average. */
  let instancesPerShard = 1
  let isStopping = false

  function activate(shard: number, epoch: number): void {
    const known = shards.get(shard)
    if (known?.epoch === epoch || isStopping) return
    if (known !== undefined) void drop(known)
    const held: HeldShard = { shard, epoch, isReady: false, instances: new Map() }
    shards.set(shard, held)
    toLoad.push(held)
    // All that one claim has given are read at once, and come back in the order of their activity.
    if (toLoad.length === 1) queueMicrotask(() => void load(takeLoads(), 0))
  }

  function takeLoads(): readonly HeldShard[] {
    const loads = toLoad
    toLoad = []
    return loads
  }

  async function load(loads: readonly HeldShard[], failures: number): Promise<void> {
    await Promise.allSettled(loads.map(({ shard }) => ending.get(shard)))
    const current = loads.filter((held) => shards.get(held.shard) === held)
    if (current.length === 0) return
    let wanted: readonly InstanceId[]
    try {
      wanted = await options.wanted(current.map(({ shard }) => shard))
    } catch (error) {
      logger.warn({ err: error, shards: current.length }, 'Shards of ours could not be read; they are tried again.')
      const waitMs = Math.min(RETRY_MIN_MS * 2 ** failures, RETRY_MAX_MS) * (0.5 + Math.random() / 2)
      setTimeout(() => void load(current, failures + 1), waitMs)
      return
    }
    instancesPerShard = (instancesPerShard + wanted.length / current.length) / 2
    await resume(wanted, new Set(current))
    const nowReady = current.filter((held) => shards.get(held.shard) === held)
    for (const held of nowReady) held.isReady = true
    if (nowReady.length > 0) tell(nowReady.map(({ shard }) => shard))
  }

  async function resume(wanted: readonly InstanceId[], of: ReadonlySet<HeldShard>): Promise<void> {
    for (const [index, id] of wanted.entries()) {
      const held = shards.get(shardOf(id))
      if (held !== undefined && of.has(held)) actorOf(held, id).resume()
      // Thousands of actors are not made in one turn of the event loop.
      if (index % 50 === 49) await setImmediate()
    }
  }

  function actorOf(held: HeldShard, id: InstanceId): Instance {
    const known = held.instances.get(id)
    if (known !== undefined) return known
    const instance = new Instance(id, {
      ...options,
      journal: inTraces(id, options.journalOf(id, held.epoch), traces),
      epoch: () => held.epoch,
      resolvedChats,
      logins,
      wakeQueue: () => options.queued(id),
    })
    held.instances.set(id, instance)
    return instance
  }

  /** Ends the sockets in this turn; what the actors wrote may still become durable. */
  function drop(held: HeldShard): Promise<unknown> {
    if (shards.get(held.shard) === held) shards.delete(held.shard)
    held.isReady = false
    const former = ending.get(held.shard)
    const ended = Promise.allSettled([former, ...[...held.instances.values()].map((instance) => instance.stop())])
    ending.set(held.shard, ended)
    void ended.then(() => {
      if (ending.get(held.shard) === ended) ending.delete(held.shard)
    })
    return ended
  }

  async function finish(held: HeldShard): Promise<unknown> {
    held.isReady = false
    await Promise.all([...held.instances.values()].map((instance) => instance.finish(FINISH_MS)))
    return drop(held)
  }

  function tell(nowReady: readonly number[]): void {
    for (const listener of listeners) listener(nowReady)
  }

  return {
    activate,

    deactivate(shard) {
      const held = shards.get(shard)
      if (held === undefined) return
      void drop(held)
      tell([])
    },

    async quiet(shard, epoch) {
      const held = shards.get(shard)
      if (held?.epoch === epoch) {
        const finished = finish(held)
        tell([])
        await within(QUIET_MS, finished)
      } else await within(QUIET_MS, ending.get(shard) ?? Promise.resolve())
    },

    fence() {
      for (const held of [...shards.values()]) void drop(held)
      tell([])
    },

    async stopAll() {
      isStopping = true
      const finished = [...shards.values()].map(finish)
      tell([])
      await Promise.allSettled([...finished, ...ending.values()])
    },

    isReady: (shard) => shards.get(shard)?.isReady ?? false,
    ready: () => [...shards.values()].filter(({ isReady }) => isReady).map(({ shard }) => shard),
    onChange: (listener) => void listeners.add(listener),

    async ask(id, command, context) {
      const held = shards.get(shardOf(id))
      if (!held?.isReady) throw new ShardMoved({ wasBegun: false })
      if (context !== undefined && 'messageid' in command)
        traces.set(traceKey(id, command.messageid), context.traceparent)
      const actor = actorOf(held, id)
      const reply = await actor.ask(command)
      if (operationOf(command.type)?.endsActor === true && held.instances.get(id) === actor) held.instances.delete(id)
      return reply
    },

    async runQueue(id) {
      const held = shards.get(shardOf(id))
      if (held?.isReady) await actorOf(held, id).runQueue()
    },

    canLogin() {
      const comingShards = 1 + [...shards.values()].filter(({ isReady }) => !isReady).length
      return logins.available() >= Math.min(loginRatePerSecond, Math.max(1, comingShards * instancesPerShard))
    },

    counts() {
      const counts = { disconnected: 0, connecting: 0, connected: 0 }
      for (const { instances } of shards.values())
        for (const instance of instances.values()) counts[instance.status] += 1
      return counts
    },

    logins: () => ({ begun: logins.taken, waiting: logins.waiting }),
  }
}

type Traces = Pick<LRUCache<string, string>, 'get' | 'set'>

/** The message has the same id where it is received, and what happens there is another account's. */
function traceKey(instance: InstanceId, messageid: MessageId): string {
  return `${instance} ${messageid}`
}

/** What is written of a message carries the trace of the call that sent it, as long as that is known. */
function inTraces(instance: InstanceId, journal: InstanceJournal, traces: Traces): InstanceJournal {
  const traced = (change: Change): Change => {
    if (change.type !== 'message' && change.type !== 'message.update') return change
    // A receipt of several messages may be of several calls.
    const [messageid, ...others] = change.type === 'message' ? [change.message.messageid] : change.messageids
    if (messageid === undefined || others.length > 0) return change
    const traceparent = traces.get(traceKey(instance, messageid))
    return traceparent === undefined ? change : { ...change, traceparent }
  }
  return { ...journal, write: (changes) => journal.write(changes.map(traced)) }
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
