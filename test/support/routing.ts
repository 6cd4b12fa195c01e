/** Nodes that only route: real peer servers, sockets and routers around actors that write down what they did, and a table set by hand. */
import { pino } from 'pino'
import type { Command, ReplyOf } from '../../actors/operations/index.js'
import { repeatRules } from '../../actors/operations/index.js'
import { type PeerClient, type PeerClientOptions, PeerLinks } from '../../runtime/cluster/peers/client.js'
import type { Owner } from '../../runtime/cluster/peers/protocol.js'
import { HttpPeerServer, type PeerServer } from '../../runtime/cluster/peers/server.js'
import { OwnerRouter } from '../../runtime/cluster/router.js'
import type { Router, RouterOptions } from '../../runtime/cluster/router-types.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { SendCommand } from '../../schemas/send-request.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import type { Cleanup } from './cleanup.js'
import { type CuttableProxy, startProxy } from './proxy.js'

export const SHARDS_OF_TEST = 8

/** Instances of these tests are named by a number, which names their shard as well. */
export function createInstanceId(number: number): InstanceId {
  return `i${String(number).padStart(15, '0')}` as InstanceId
}

export function shardOfTest(instance: InstanceId): number {
  return Number(instance.slice(1)) % SHARDS_OF_TEST
}

export function text(messageid: string, number = '551190000001'): SendCommand {
  return {
    type: 'send',
    messageid: messageid as MessageId,
    number,
    content: { kind: 'text', text: messageid },
    options: {},
  }
}

/** State that SQL would hold. */
export class Truth {
  readonly owners = new Map<number, { incarnation: string; epoch: number }>()
  /** Actions, in order; each message once. */
  readonly done: { readonly messageid: string; readonly by: string; readonly epoch: number }[] = []
  readonly rows = new Map<string, Readonly<Record<string, unknown>>>()

  give(shard: number, incarnation: string): number {
    const epoch = (this.owners.get(shard)?.epoch ?? 0) + 1
    this.owners.set(shard, { incarnation, epoch })
    return epoch
  }
}

export interface RoutingNode {
  readonly incarnation: string
  /** Its own. */
  readonly address: string
  /** A way to it that can be cut, for the tables of others. */
  readonly proxy: CuttableProxy
  readonly router: Router
  readonly client: PeerClient
  readonly server: PeerServer
  /** Calls of its actors that are under way. */
  readonly running: Set<Promise<unknown>>
  /** Entry of a shard in its table. */
  tell(shard: number, owner: Owner | 'moving' | 'none'): void
  /** Its actors of a shard end: what is under way comes to an end first. */
  quiet(shard: number): Promise<void>
}

export interface RoutingNodeOptions {
  readonly truth: Truth
  /** How long an actor takes. */
  readonly workMs?: () => number
  readonly client?: Partial<PeerClientOptions>
  readonly router?: Partial<RouterOptions>
}

export async function startRoutingNode(
  t: Cleanup,
  incarnation: string,
  { truth, workMs = () => 0, ...options }: RoutingNodeOptions,
): Promise<RoutingNode> {
  const secret = 'a secret of the whole cluster'
  const view = new Map<number, Owner | 'moving' | 'none'>()
  const listeners = new Set<() => void>()
  const running = new Map<Promise<unknown>, number>()
  const runningSet = new Set<Promise<unknown>>()
  const ended = new Set<number>()

  const underWay = new Map<string, Promise<ReplyOf['send']>>()

  /** An action that is under way under an id is not started again. */
  function sendOnce(instance: InstanceId, command: SendCommand, epoch: number): Promise<ReplyOf['send']> {
    const known = underWay.get(command.messageid)
    if (known !== undefined) return known
    const work = send(instance, command, epoch)
    underWay.set(command.messageid, work)
    const end = (): void => void underWay.delete(command.messageid)
    work.then(end, end)
    return work
  }

  async function send(instance: InstanceId, command: SendCommand, epoch: number): Promise<ReplyOf['send']> {
    const shard = shardOfTest(instance)
    await new Promise((resolve) => setTimeout(resolve, workMs()))
    const row = truth.rows.get(command.messageid)
    // Not looking for the row unless it is a repeat, as the real actors.
    if (command.isRepeat && row !== undefined) return { record: row, warnings: [] }
    const owner = truth.owners.get(shard)
    // The locking check of the epoch.
    if (owner?.incarnation !== incarnation || owner.epoch !== epoch) throw new GatewayError('NOT_OWNER')
    const record = { messageid: command.messageid, by: incarnation }
    truth.rows.set(command.messageid, record)
    truth.done.push({ messageid: command.messageid, by: incarnation, epoch })
    await new Promise((resolve) => setTimeout(resolve, workMs()))
    return { record, warnings: [] }
  }

  const local = {
    ask(instance: InstanceId, command: Command): Promise<ReplyOf[Command['type']]> {
      const shard = shardOfTest(instance)
      const told = view.get(shard)
      if (command.type !== 'send') throw new GatewayError('INSTANCE_NOT_FOUND')
      if (typeof told !== 'object' || told.incarnation !== incarnation || ended.has(shard))
        return Promise.reject(new ShardMoved({ wasBegun: false }))
      const work = sendOnce(instance, command, told.epoch)
      running.set(work, shard)
      runningSet.add(work)
      const end = (): void => {
        running.delete(work)
        runningSet.delete(work)
      }
      work.then(end, end)
      return work
    },
  }

  const client = new PeerLinks({ secret, ...options.client })
  const router = new OwnerRouter({
    table: {
      findOwner: (shard) => view.get(shard) ?? 'none',
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    self: incarnation,
    local,
    peers: client,
    findShard: shardOfTest,
    rules: repeatRules,
    ...options.router,
  })
  const server = new HttpPeerServer({
    secret,
    state: () => ({ incarnation, nodeId: incarnation, version: '1.0.0', isDraining: false, isGuardOpen: true }),
    serve: (command) => router.serve(command),
    pull: async () => ({ epoch: null }),
    readings: () => [],
    store: () => ({ incarnation, nodeId: incarnation, isHeeded: true, nodes: [] }),
    logger: pino({ level: process.env.POSTHORN_TEST_LOG_LEVEL ?? 'silent' }),
    closeTimeoutMs: 100,
  })
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  const proxy = await startProxy(t, () => ({ host: '127.0.0.1', port }))
  t.after(async () => {
    router.close()
    await client.close()
    await server.close()
  })
  return {
    incarnation,
    address: `127.0.0.1:${port}`,
    proxy,
    router,
    client,
    server,
    running: runningSet,
    tell(shard, owner) {
      ended.delete(shard)
      view.set(shard, owner)
      for (const listener of listeners) listener()
    },
    async quiet(shard) {
      ended.add(shard)
      await Promise.allSettled([...running].filter(([, of]) => of === shard).map(([work]) => work))
    },
  }
}
