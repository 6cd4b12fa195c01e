import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { backOffMs, withHalfJitter } from '../lib/back-off.js'
import { entriesMax } from '../lib/entries-max.js'
import { withTimeLimit } from '../lib/time-limit.js'
import { UnderWay } from '../lib/under-way.js'
import type { LimitKind } from '../schemas/account-limits.js'
import type { CallContext } from '../schemas/call-context.js'
import type { InstanceId, MessageId } from '../schemas/ids.js'
import type { PacingHold, ParkReason } from '../schemas/pacing.js'
import { ShardMoved } from '../schemas/shard-moved.js'
import { asFrequentWork } from '../schemas/work.js'
import type { FairShare } from './fair-share.js'
import { Instance, type InstanceDependencies } from './instance/instance.js'
import type { Change, InstanceJournal } from './instance/ports.js'
import type { ResolvedChatCache } from './instance/sends/context.js'
import { createLogins, type LoginRate, type Logins } from './login-rate.js'
import { LoopBrake } from './loop-brake.js'
import { type Command, findFeature, findOperation, type ReplyOf } from './operations/index.js'
import type { TokenRate } from './token-bucket.js'

export interface HostOptions
  extends Omit<
    InstanceDependencies,
    'journal' | 'epoch' | 'resolvedChats' | 'campaignBrake' | 'logger' | 'wakeQueue' | 'wakeDueIn' | 'logins'
  > {
  readonly logger: Logger
  readonly findShard: (instance: InstanceId) => number
  readonly openJournal: (instance: InstanceId, epoch: number) => InstanceJournal
  /** Returns the instances of these shards that should be connected, in the order in which they log in. */
  readonly wanted: (shards: readonly number[]) => Promise<readonly ActiveInstance[]>
  /** Wakes the queue of an instance after a send was added to it. */
  readonly queued: (instance: InstanceId) => void
  /** Runs `runDue` of an instance after that time. */
  readonly dueIn: (instance: InstanceId, inMs: number) => void
  /** The rate of logins, for all instances of the node together. */
  readonly loginRate: TokenRate | LoginRate
  /** Share of the time of the event loop, of 1, above which campaigns begin no messages. */
  readonly campaignShareMax: number
  /** Shared with the API. The host lets all go on when it stops. */
  readonly fairShare: FairShare
}

/**
 * The actors of a node, by shard. Each instance has a root actor of its own, in plain maps: with thousands of children under one parent,
 * each stop would walk all their timers. A shard takes commands once it was activated and its instances that should be connected know it.
 */
export interface Host {
  /** Starts a shard that is ours under this epoch. Its actors are made from the store, also if it replaces a former epoch. */
  activate(shard: number, epoch: number): void
  /** Drops a shard that another node owns. Its sockets end at once, and its actors are forgotten. */
  deactivate(shard: number): void
  /**
   * Takes no more commands, gives messages that are on their way to the network a moment, makes all durable and ends the sockets. Calls
   * without an answer go to the next owner. @throws if that took too long; `activate` starts the actors again
   */
  quiet(shard: number, epoch: number): Promise<void>
  /** Ends all sockets in this turn of the event loop, and forgets all actors. */
  fence(): void
  /** Does the same as `quiet` for all shards. Never throws. */
  stopAll(): Promise<void>

  isReady(shard: number): boolean
  /** Returns the epoch under which a shard is ours; null if it is not. */
  findEpoch(shard: number): number | null
  /** Returns the shards that take commands. */
  ready(): readonly number[]
  /** Calls the listener when `isReady` of any shard has changed, with the shards that have become ready. */
  onChange(listener: (nowReady: readonly number[]) => void): void
  /** @throws ShardMoved, and the errors of the instance */
  ask<C extends Command>(instance: InstanceId, command: C, context?: CallContext): Promise<ReplyOf[C['type']]>
  /** Sends what an instance has queued. Does nothing if the instance is not ours. */
  runQueue(instance: InstanceId): Promise<void>
  /** Does what is due of an instance. Does nothing if the instance is not ours. */
  runDue(instance: InstanceId): Promise<void>
  /** Connects the instances whose version the network had refused, in the pace of all logins. */
  versionChanged(): void
  /** Returns true if the logins of one more shard could begin now without waiting. */
  canLogin(): boolean
  counts(): Readonly<Record<'disconnected' | 'connecting' | 'connected', number>>
  /** Returns the number of instances under each kind of restriction by the network. */
  restrictions(): Readonly<Record<LimitKind, number>>
  /** Returns the number of instances whose sends wait, by reason. */
  holds(): Readonly<Partial<Record<PacingHold['kind'], number>>>
  /** Returns the number of parked sends, by reason. */
  parked(): Readonly<Record<ParkReason, number>>
  /** Returns the number of logins since the start, and of those that wait for their turn. */
  logins(): { readonly begun: number; readonly waiting: number }
  /** Number of instances whose campaigns wait because the node is busy. */
  braked(): number
}

export interface ActiveInstance {
  readonly id: InstanceId
  /** When its last live message came or went, as far as that is stored; 0 for none. */
  readonly activeAtMs: number
}

interface HeldShard {
  readonly shard: number
  readonly epoch: number
  isReady: boolean
  readonly instances: Map<InstanceId, Instance>
  /** When instances were active last. The most recently active one of the node logs in first. */
  readonly activeAtMs: Map<InstanceId, number>
}

const RESOLVED_CHATS_MAX = 50_000
const RESOLVED_CHATS_TTL_MS = 6 * 60 * 60_000
/**
 * Time for answers of the network, which takes a tenth of a second or two. The next owner sends messages again that have no answer by
 * then, under their ids.
 */
const FINISH_MS = 500
/** Maximum time to make all durable. If it takes longer, the store is in trouble, and the shard stays. */
const QUIET_MS = 5_000
const RETRY_MIN_MS = 100
const RETRY_MAX_MS = 2_000
/** Number of actors that are made in one turn of the event loop. */
const RESUMED_AT_ONCE = 50

export class ShardHost implements Host {
  readonly #options: HostOptions
  readonly #shards = new Map<number, HeldShard>()
  /** For each shard, actors that have ended and whose last writes are under way. Under the same epoch no shard is read before they are done. */
  readonly #ending = new Map<number, Promise<unknown>>()
  readonly #listeners = new Set<(nowReady: readonly number[]) => void>()
  readonly #resolvedChats: ResolvedChatCache = new LRUCache({
    ...entriesMax(RESOLVED_CHATS_MAX),
    ttl: RESOLVED_CHATS_TTL_MS,
  })
  readonly #traces = new Traces()
  readonly #logins: Logins
  readonly #campaignBrake: LoopBrake
  readonly #fairShare: FairShare
  readonly #underWay = new UnderWay()
  #toLoad: HeldShard[] = []
  /** Average over the last shards that were loaded. */
  #instancesPerShard = 1
  #isStopping = false

  constructor(options: HostOptions) {
    this.#options = options
    const { loginRate, campaignShareMax, fairShare } = options
    this.#fairShare = fairShare
    this.#campaignBrake = new LoopBrake({ shareMax: campaignShareMax })
    this.#logins = createLogins(loginRate)
  }

  activate(shard: number, epoch: number): void {
    const known = this.#shards.get(shard)
    if (known?.epoch === epoch || this.#isStopping) return
    if (known !== undefined) void this.#drop(known)
    const held: HeldShard = { shard, epoch, isReady: false, instances: new Map(), activeAtMs: new Map() }
    this.#shards.set(shard, held)
    this.#toLoad.push(held)
    // All shards of one claim are read at once, and come back in the order of their activity.
    if (this.#toLoad.length === 1) queueMicrotask(() => void this.#load(this.#takeLoads(), 0))
  }

  deactivate(shard: number): void {
    const held = this.#shards.get(shard)
    if (held === undefined) return
    void this.#drop(held)
    this.#notify([])
  }

  async quiet(shard: number, epoch: number): Promise<void> {
    const held = this.#shards.get(shard)
    if (held?.epoch === epoch) {
      const finished = this.#finish(held)
      this.#notify([])
      await withTimeLimit(finished, QUIET_MS, tookTooLong)
    } else await withTimeLimit(this.#ending.get(shard) ?? Promise.resolve(), QUIET_MS, tookTooLong)
  }

  fence(): void {
    for (const held of [...this.#shards.values()]) void this.#drop(held)
    this.#notify([])
  }

  async stopAll(): Promise<void> {
    this.#isStopping = true
    this.#fairShare.stop()
    const finished = [...this.#shards.values()].map((held) => this.#finish(held))
    this.#notify([])
    await Promise.allSettled([...finished, ...this.#ending.values()])
  }

  isReady(shard: number): boolean {
    return this.#shards.get(shard)?.isReady ?? false
  }

  findEpoch(shard: number): number | null {
    return this.#shards.get(shard)?.epoch ?? null
  }

  ready(): readonly number[] {
    return [...this.#shards.values()].filter(({ isReady }) => isReady).map(({ shard }) => shard)
  }

  onChange(listener: (nowReady: readonly number[]) => void): void {
    this.#listeners.add(listener)
  }

  ask<C extends Command>(id: InstanceId, command: C, context?: CallContext): Promise<ReplyOf[C['type']]> {
    return this.#underWay.run(id, (others) => this.#ask(id, command, context, others))
  }

  async #ask<C extends Command>(
    id: InstanceId,
    command: C,
    context: CallContext | undefined,
    others: number,
  ): Promise<ReplyOf[C['type']]> {
    const turn = this.#fairShare.admit(id, others)
    if (turn !== undefined) await turn
    const held = this.#findShard(id)
    if (!held?.isReady) throw new ShardMoved({ wasBegun: false })
    if (context !== undefined && 'messageid' in command) this.#traces.note(id, command.messageid, context.traceparent)
    const actor = this.#takeActor(held, id)
    const facts = { kind: 'command', operation: command.type, feature: findFeature(command.type) } as const
    const work = { ...facts, instance: id, id: '' }
    const reply = await asFrequentWork(work, () => actor.ask(command))
    if (findOperation(command.type)?.endsActor === true && held.instances.get(id) === actor) held.instances.delete(id)
    return reply
  }

  async runQueue(id: InstanceId): Promise<void> {
    await this.#runJob(id, 'queue', (instance) => instance.runQueue())
  }

  async runDue(id: InstanceId): Promise<void> {
    await this.#runJob(id, 'due', (instance) => instance.runDue())
  }

  /** Runs work of an instance that nobody waits for. */
  async #runJob(id: InstanceId, operation: 'queue' | 'due', run: (instance: Instance) => Promise<void>): Promise<void> {
    const turn = this.#fairShare.admit(id)
    if (turn !== undefined) await turn
    const held = this.#findShard(id)
    if (!held?.isReady) return
    const actor = this.#takeActor(held, id)
    const feature = operation === 'queue' ? 'send' : 'instance'
    await asFrequentWork({ kind: 'job', operation, feature, instance: id, id: '' }, () => run(actor))
  }

  versionChanged(): void {
    for (const { instances } of this.#shards.values())
      for (const instance of instances.values()) instance.versionChanged()
  }

  canLogin(): boolean {
    const comingShards = 1 + [...this.#shards.values()].filter(({ isReady }) => !isReady).length
    const comingLogins = Math.max(1, comingShards * this.#instancesPerShard)
    return this.#logins.available() >= Math.min(this.#options.loginRate.burst, comingLogins)
  }

  counts(): Readonly<Record<'disconnected' | 'connecting' | 'connected', number>> {
    const counts = { disconnected: 0, connecting: 0, connected: 0 }
    for (const { instances } of this.#shards.values())
      for (const instance of instances.values()) counts[instance.status] += 1
    return counts
  }

  restrictions(): Readonly<Record<LimitKind, number>> {
    const counts = { reachout_timelock: 0, new_chat_message_capping: 0 }
    for (const { instances } of this.#shards.values())
      for (const instance of instances.values()) for (const kind of instance.restrictions) counts[kind] += 1
    return counts
  }

  holds(): Readonly<Partial<Record<PacingHold['kind'], number>>> {
    const counts: Partial<Record<PacingHold['kind'], number>> = {}
    for (const { instances } of this.#shards.values())
      for (const instance of instances.values())
        for (const { kind } of instance.holds) counts[kind] = (counts[kind] ?? 0) + 1
    return counts
  }

  parked(): Readonly<Record<ParkReason, number>> {
    const counts = { limit: 0, budget: 0, network_lock: 0 }
    for (const { instances } of this.#shards.values())
      for (const instance of instances.values()) {
        const { limit, budget, network_lock } = instance.parked()
        counts.limit += limit
        counts.budget += budget
        counts.network_lock += network_lock
      }
    return counts
  }

  logins(): { readonly begun: number; readonly waiting: number } {
    return { begun: this.#logins.taken, waiting: this.#logins.waiting }
  }

  braked(): number {
    return this.#campaignBrake.waiting
  }

  #findShard(id: InstanceId): HeldShard | undefined {
    return this.#shards.get(this.#options.findShard(id))
  }

  #takeLoads(): readonly HeldShard[] {
    const loads = this.#toLoad
    this.#toLoad = []
    return loads
  }

  /** Makes the actors of these shards that should be connected. Then the shards take commands. Retries while the store is away. */
  async #load(loads: readonly HeldShard[], failures: number): Promise<void> {
    await Promise.allSettled(loads.map(({ shard }) => this.#ending.get(shard)))
    const current = loads.filter((held) => this.#isHeld(held))
    if (current.length === 0) return
    let wanted: readonly ActiveInstance[]
    try {
      wanted = await this.#options.wanted(current.map(({ shard }) => shard))
    } catch (error) {
      this.#options.logger.warn({ err: error, shards: current.length }, 'Shards could not be read. They are retried.')
      const waitMs = withHalfJitter(backOffMs(failures, RETRY_MIN_MS, RETRY_MAX_MS))
      setTimeout(() => void this.#load(current, failures + 1), waitMs)
      return
    }
    this.#instancesPerShard = (this.#instancesPerShard + wanted.length / current.length) / 2
    await this.#resume(wanted, new Set(current))
    const nowReady = current.filter((held) => this.#isHeld(held))
    for (const held of nowReady) held.isReady = true
    if (nowReady.length > 0) this.#notify(nowReady.map(({ shard }) => shard))
  }

  #isHeld(held: HeldShard): boolean {
    return this.#shards.get(held.shard) === held
  }

  async #resume(wanted: readonly ActiveInstance[], of: ReadonlySet<HeldShard>): Promise<void> {
    for (const [index, { id, activeAtMs }] of wanted.entries()) {
      const held = this.#findShard(id)
      if (held !== undefined && of.has(held)) {
        held.activeAtMs.set(id, activeAtMs)
        this.#takeActor(held, id).resume()
      }
      if ((index + 1) % RESUMED_AT_ONCE === 0) await setImmediate()
    }
  }

  #takeActor(held: HeldShard, id: InstanceId): Instance {
    const known = held.instances.get(id)
    if (known !== undefined) return known
    const { openJournal, queued, dueIn } = this.#options
    const instance = new Instance(id, {
      ...this.#options,
      journal: this.#traces.traced(id, openJournal(id, held.epoch), () => held.activeAtMs.set(id, Date.now())),
      epoch: () => held.epoch,
      resolvedChats: this.#resolvedChats,
      campaignBrake: this.#campaignBrake,
      logins: {
        take: (go, isUrgent) => this.#logins.take(go, { isUrgent, rank: held.activeAtMs.get(id) ?? 0 }),
        ended: (cause, durationMs) => this.#logins.ended(cause, durationMs),
      },
      wakeQueue: () => queued(id),
      wakeDueIn: (inMs) => dueIn(id, inMs),
    })
    held.instances.set(id, instance)
    return instance
  }

  /** Ends the sockets in this turn of the event loop. Earlier writes of the actors may still become durable. */
  #drop(held: HeldShard): Promise<unknown> {
    if (this.#isHeld(held)) this.#shards.delete(held.shard)
    held.isReady = false
    const former = this.#ending.get(held.shard)
    const ended = Promise.allSettled([former, ...[...held.instances.values()].map((instance) => instance.stop())])
    this.#ending.set(held.shard, ended)
    void ended.then(() => {
      if (this.#ending.get(held.shard) === ended) this.#ending.delete(held.shard)
    })
    return ended
  }

  async #finish(held: HeldShard): Promise<unknown> {
    held.isReady = false
    await Promise.all([...held.instances.values()].map((instance) => instance.finish(FINISH_MS)))
    return this.#drop(held)
  }

  #notify(nowReady: readonly number[]): void {
    for (const listener of this.#listeners) listener(nowReady)
  }
}

/** @throws Error */
function tookTooLong(): never {
  throw new Error(`It took longer than ${QUIET_MS} ms.`)
}

/** Maximum of messages of ours whose calls are remembered, so that later changes of them carry the traces of those calls. */
const TRACES_MAX = 20_000

/** The traces of the calls that sent messages of this node's instances. */
class Traces {
  readonly #traceparents = new LRUCache<string, string>(entriesMax(TRACES_MAX))

  note(instance: InstanceId, messageid: MessageId, traceparent: string): void {
    this.#traceparents.set(formatName(instance, messageid), traceparent)
  }

  /**
   * Returns a journal that adds to what is written of a message the trace of the call that sent it, as long as that is known. Calls `onActive`
   * for live messages.
   */
  traced(instance: InstanceId, journal: InstanceJournal, onActive: () => void): InstanceJournal {
    return {
      write: (changes, when) => {
        if (changes.some((change) => change.type === 'message' && !change.history)) onActive()
        return journal.write(
          changes.map((change) => this.#traced(instance, change)),
          when,
        )
      },
      settled: (when) => journal.settled(when),
      together: (work) => journal.together(work),
    }
  }

  #traced(instance: InstanceId, change: Change): Change {
    if (change.type !== 'message' && change.type !== 'message.update') return change
    // A receipt of several messages may be of several calls.
    const [messageid, ...others] = change.type === 'message' ? [change.message.messageid] : change.messageids
    if (messageid === undefined || others.length > 0) return change
    const traceparent = this.#traceparents.get(formatName(instance, messageid))
    return traceparent === undefined ? change : { ...change, traceparent }
  }
}

/** A message has the same id where it is received. Its trace belongs to the account that sent it. */
function formatName(instance: InstanceId, messageid: MessageId): string {
  return `${instance} ${messageid}`
}
