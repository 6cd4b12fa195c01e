import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { CommandRouter } from '../../actors/operations/router.js'
import { entriesMax } from '../../lib/entries-max.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatwootDirectory } from '../../schemas/ports/chatwoot.js'
import type { MediaService } from '../../schemas/ports/media.js'
import { ChatwootCarrier } from '../chatwoot/carrier.js'
import { createChatwootDirectory, createConfigCache } from '../chatwoot/directory.js'
import type { MissedRepliesOptions } from '../chatwoot/missed-replies.js'
import type { ChatwootParts, ChatwootStore } from '../chatwoot/parts.js'
import { ChatwootReceiver } from '../chatwoot/receiver.js'
import { Recovery } from '../chatwoot/recovery.js'
import { ChatwootReplies, instanceOfLane, laneName } from '../chatwoot/replies.js'
import type { HintScope } from '../cluster/hint-batch.js'
import type { Carrier } from '../delivery/ports.js'
import { createChatwootMetrics } from '../metrics/chatwoot-metrics.js'
import { createScheduler, type Scheduler } from '../queues/scheduler.js'
import { createChatwootChats } from '../store/chatwoot/chat-rows.js'
import { createChatwootConfigs } from '../store/chatwoot/config-rows.js'
import { type ChatwootWrite, fencedWrites, openWrites } from '../store/chatwoot/fenced-writes.js'
import { createChatwootIncomings } from '../store/chatwoot/incoming-rows.js'
import { createChatwootMessages } from '../store/chatwoot/message-rows.js'
import { createDatabaseClock } from '../store/database-clock.js'
import type { Channels } from './channels.js'
import type { NodeContext } from './context.js'
import type { Actors } from './ports.js'
import type { Stores } from './stores.js'

/** These start after the deliveries. */
export interface ChatwootServers {
  readonly router: CommandRouter
  readonly media: MediaService
}

/** The Chatwoots of all instances, and the work for those whose shards this node has. */
export interface NodeChatwoot {
  readonly carrier: Carrier
  readonly directory: ChatwootDirectory
  readonly replies: Scheduler
  /** What was asked for before waits for this call. */
  use(servers: ChatwootServers): void
  /** Looks for replies that Chatwoot could not bring while the API did not listen. */
  listens(): void
  /** Looks at what another node has written. */
  hinted(instances: HintScope<InstanceId>): void
  close(): Promise<void>
}

export interface NodeChatwootParts {
  readonly stores: Stores
  readonly channels: Channels
  readonly actors: Actors
}

/** Lanes that send, or wait for their turn (`chatwoot_reply` of the scheduler of work). */
const LANES_MAX = 50_000
const LANES_FOUND_MAX = 5_000
/** Time after an old message in which greetings of its conversation are held back. */
const REPLAY_MS = 60_000

export function createChatwoot(node: NodeContext, parts: NodeChatwootParts): NodeChatwoot {
  const { logger, registry, events, work } = node
  const { channels, actors, stores } = parts
  const { pool, lanes } = stores.database
  const servers = new LateServers()
  const closing = new AbortController()
  const storeBy = (lane: typeof pool, write: ChatwootWrite): ChatwootStore => ({
    configs: createChatwootConfigs(lane, stores.encryption, write),
    chats: createChatwootChats(lane, write),
    messages: createChatwootMessages(lane, write),
    incomings: createChatwootIncomings(lane, write),
  })
  const { findShard } = stores
  const findEpoch = (instance: InstanceId) => actors.host.findEpoch(findShard(instance))
  // In the lane of webhooks: a flood of replies of one Chatwoot held up all calls of the API.
  const store = storeBy(lanes.deliveries, fencedWrites(lanes.deliveries, findEpoch, node.incarnation))
  // Any node takes webhooks and settings.
  const open = storeBy(pool, openWrites(pool))
  const own: ChatwootParts = {
    store,
    known: createConfigCache(open.configs),
    clock: createDatabaseClock(pool),
    outgoing: channels.chatwoot,
    media: () => servers.now().media,
    count: createChatwootMetrics(registry),
    work,
    logger: logger.child({ part: 'chatwoot' }),
    replays: new LRUCache({ ...entriesMax(10_000), ttl: REPLAY_MS }),
  }
  const wake = (instance: InstanceId, conversationId: number) => {
    if (actors.host.isReady(findShard(instance))) replies.wake(laneName({ instance, conversationId }))
    else events.emit('instanceWritten', instance)
  }
  const receiver = new ChatwootReceiver({ ...own, store: open, onStored: wake })
  const isOurs = (instance: InstanceId) => actors.host.isReady(findShard(instance))
  const recovery = new Recovery({ ...own, receiver, isOurs })
  const looks = createChatwootLooks(recovery, own.logger)
  const replies = createReplies(
    node,
    parts,
    { ...own, receiver },
    servers,
    () => looks.again(actors.host.ready()),
    closing.signal,
  )
  events.on('shardsReady', (shards) => {
    void replies.sweepNow()
    looks.atShards(shards)
  })
  const carrier = new ChatwootCarrier({ ...own, onBack: (instance) => looks.at(instance) })
  return {
    carrier: {
      async carry(instance, lane, delivery) {
        await servers.ready
        return await carrier.carry(instance, lane, delivery)
      },
    },
    directory: createChatwootDirectory({
      ...own,
      store: open,
      receiver,
      publicUrl: () => channels.origin.url(),
      onWritten(instance, webhookId) {
        events.emit('instanceWritten', instance)
        events.emit('webhookWritten', webhookId)
        events.emit('webhookChanged', webhookId)
      },
    }),
    replies,
    use: (given) => servers.use(given),
    listens: () => looks.listens(),
    hinted(which) {
      own.known.forget(which)
      void replies.sweepNow()
    },
    async close() {
      looks.close()
      closing.abort()
      await replies.close()
    },
  }
}

/** Ends the work when the node stops, before it leaves the cluster. Call it after the node has joined. */
export async function attachChatwoot({ life }: NodeContext, chatwoot: NodeChatwoot): Promise<void> {
  await life.start(
    'replies of Chatwoot',
    () => chatwoot,
    (open) => open.close(),
  )
}

function createReplies(
  { logger, mainThread }: NodeContext,
  { actors: { host }, stores: { blockedWork: blocked, findShard } }: NodeChatwootParts,
  own: ChatwootParts & MissedRepliesOptions,
  servers: LateServers,
  lookAgain: () => void,
  closing: AbortSignal,
): Scheduler {
  const handler = new ChatwootReplies({
    ...own,
    blocked,
    router: () => servers.now().router,
    isOurs: (instance) => host.isReady(findShard(instance)),
    wakeIn: (lane, inMs) => (inMs <= 0 ? scheduler.wake(lane) : scheduler.wakeIn(lane, inMs)),
  })
  const scheduler = createScheduler({
    kind: 'chatwoot',
    concurrency: LANES_MAX,
    async handle(lane) {
      await servers.ready
      const instance = instanceOfLane(lane)
      const turn = mainThread.fairShare.admit(instance)
      if (turn !== undefined) await turn
      const sent = own.work.run('chatwoot_reply', instance, (place) => place.lend(handler.run(lane)), closing)
      await sent.catch((error: unknown) => {
        if (!closing.aborted) throw error
      })
    },
    async sweep() {
      lookAgain()
      return (await own.store.incomings.lanes(host.ready(), LANES_FOUND_MAX)).map(laneName)
    },
    logger,
  })
  return scheduler
}

/** Parts of the node that start later. */
class LateServers {
  #given: ChatwootServers | undefined
  #open: () => void = () => {}
  readonly ready = new Promise<void>((resolve) => {
    this.#open = resolve
  })

  use(given: ChatwootServers): void {
    this.#given = given
    this.#open()
  }

  now(): ChatwootServers {
    if (this.#given === undefined) throw new Error('The API has not started.')
    return this.#given
  }
}

/** After a move of shards, replies are found then that Chatwoot still brought to the node that has gone. */
const SECOND_LOOK_MS = 20_000

/** Times at which this node looks for replies that Chatwoot could not bring. */
interface ChatwootLooks {
  /** Of shards that this node has got: when the API listens, and once more. */
  atShards(shards: readonly number[]): void
  at(instance: InstanceId): void
  /** Looks at the inboxes that are due. */
  again(shards: readonly number[]): void
  listens(): void
  close(): void
}

function createChatwootLooks(recovery: Recovery, logger: Logger): ChatwootLooks {
  const waiting = new Set<number>()
  const moved = new Set<number>()
  let isListening = false
  let second: NodeJS.Timeout | undefined
  const noted = (looked: Promise<void>) => {
    looked.catch((error: unknown) => logger.warn({ err: error }, 'A look for missed replies failed.'))
  }
  const taken = (shards: Set<number>) => {
    const all = [...shards]
    shards.clear()
    return all
  }
  return {
    atShards(shards) {
      for (const shard of shards) (isListening ? moved : waiting).add(shard)
      if (!isListening) return
      noted(recovery.lookAtShards(shards))
      clearTimeout(second)
      second = setTimeout(() => noted(recovery.lookAtShards(taken(moved))), SECOND_LOOK_MS)
      second.unref()
    },
    at: (instance) => noted(recovery.lookAt(instance)),
    again: (shards) => noted(recovery.lookAgain(shards)),
    // A reply that was refused before was written before, so a look from now on finds it.
    listens() {
      isListening = true
      noted(recovery.lookAtShards(taken(waiting)))
    },
    close: () => clearTimeout(second),
  }
}
