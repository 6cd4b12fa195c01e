import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { InstanceId } from '../schemas/ids.js'
import type { Command, ReplyOf } from './instance/commands.js'
import { Instance, type InstanceDependencies } from './instance/instance.js'
import type { InstanceJournal } from './instance/ports.js'
import { createTokenBucket } from './token-bucket.js'

export interface HostOptions
  extends Omit<InstanceDependencies, 'journal' | 'epoch' | 'knownChats' | 'logger' | 'queued' | 'logins'> {
  readonly logger: Logger
  readonly journalOf: (instance: InstanceId) => InstanceJournal
  readonly epochOf: (instance: InstanceId) => number
  /** An instance has something queued; wakes the queue's lane. */
  readonly queued: (instance: InstanceId) => void
  /** Logins a second, for all instances of the node together. */
  readonly loginRatePerSecond: number
}

/** The actors of a node: one root per instance, in a plain map (thousands of children under one parent make each stop walk all their timers). */
export interface Host {
  /** Brings up what should be connected; each waits for its turn in the given order, at the node's login rate. */
  resume(instances: readonly InstanceId[]): Promise<void>
  ask<C extends Command>(instance: InstanceId, command: C): Promise<ReplyOf[C['type']]>
  /** Sends what an instance has queued. */
  runQueue(instance: InstanceId): Promise<void>
  /** Ends every actor and forgets it: another epoch has begun, so they start anew from the store. */
  forgetAll(): Promise<void>
  /** Sockets end at once; instances connect again by themselves. */
  destroySockets(): void
  counts(): Readonly<Record<'disconnected' | 'connecting' | 'connected', number>>
  /** Ends every instance; what they wrote is durable then. */
  stop(): Promise<void>
}

const KNOWN_CHATS_MAX = 50_000
const KNOWN_CHATS_TTL_MS = 6 * 60 * 60_000

export function createHost(options: HostOptions): Host {
  const instances = new Map<InstanceId, Instance>()
  const knownChats: InstanceDependencies['knownChats'] = new LRUCache({ max: KNOWN_CHATS_MAX, ttl: KNOWN_CHATS_TTL_MS })
  const logins = createTokenBucket({ perSecond: options.loginRatePerSecond, burst: options.loginRatePerSecond })
  let isStopping = false

  function actorOf(id: InstanceId): Instance {
    const known = instances.get(id)
    if (known !== undefined) return known
    const instance = new Instance(id, {
      ...options,
      journal: options.journalOf(id),
      epoch: () => options.epochOf(id),
      knownChats,
      logins,
      queued: () => options.queued(id),
    })
    instances.set(id, instance)
    return instance
  }

  async function forgetAll(): Promise<void> {
    const former = [...instances.values()]
    instances.clear()
    await Promise.allSettled(former.map((instance) => instance.stop()))
  }

  return {
    async resume(ids) {
      for (const [index, id] of ids.entries()) {
        if (isStopping) return
        actorOf(id).resume()
        // Thousands of actors are not made in one turn of the event loop.
        if (index % 50 === 49) await setImmediate()
      }
    },

    async ask(id, command) {
      const reply = await actorOf(id).ask(command)
      if (command.type === 'delete') instances.delete(id)
      return reply
    },

    async runQueue(id) {
      if (!isStopping) await actorOf(id).runQueue()
    },

    destroySockets() {
      for (const instance of instances.values()) instance.destroySocket()
    },

    counts() {
      const counts = { disconnected: 0, connecting: 0, connected: 0 }
      for (const instance of instances.values()) counts[instance.status] += 1
      return counts
    },

    forgetAll,

    async stop() {
      isStopping = true
      await forgetAll()
    },
  }
}
