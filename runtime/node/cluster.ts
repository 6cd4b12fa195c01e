import { repeatRules } from '../../actors/operations/index.js'
import { storeLossRecord } from '../../api/answers/node-record.js'
import { checkAddress } from '../../api/listen-errors.js'
import { packageVersion } from '../../lib/package-root.js'
import { GatewayError } from '../../schemas/errors.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { isStoreTrouble } from '../../schemas/store-trouble.js'
import { createCallMetrics } from '../cluster/call-metrics.js'
import { type ClusterMetrics, createClusterMetrics } from '../cluster/cluster-metrics.js'
import { createHints, type Hints } from '../cluster/hints.js'
import type { JoinedNode } from '../cluster/joined-node.js'
import { ClusterMember, type LocalSockets, type Member, type MemberParts } from '../cluster/member.js'
import { joinAddress, splitAddress } from '../cluster/node-address.js'
import type { WatchdogSettings } from '../cluster/watchdog/watchdog.js'
import { isPretty } from '../logging.js'
import { healthSocket, peerSocket } from '../processes/peer-folder.js'
import { choosePort, listNodeIds, type ProcessPlace } from '../processes/process-place.js'
import { removeNodeQueues } from '../queues/connections.js'
import type { Channels } from './channels.js'
import type { NodeChatwoot } from './chatwoot.js'
import { machineName, type NodeContext } from './context.js'
import type { NodeDelivery } from './delivery.js'
import type { Directories } from './directories.js'
import type { Actors, ClusterMembership } from './ports.js'
import { withStorePatience } from './store-patience.js'
import type { Stores } from './stores.js'

/** The parts that act for the cluster. */
export interface ClusterParts {
  readonly stores: Stores
  readonly membership: ClusterMembership
  readonly directories: Directories
  readonly channels: Channels
  readonly actors: Actors
  readonly delivery: NodeDelivery
  readonly chatwoot: NodeChatwoot
}

/** Starts the proof of life and the hints. */
export async function startMembership(node: NodeContext, stores: Stores): Promise<ClusterMembership> {
  const { registry, events } = node
  await checkHealthAddress(node)
  const member = await startMember(node, stores)
  let joined: JoinedNode | undefined
  const metrics = createClusterMetrics(registry, {
    node: () => joined?.node,
    lease: () => member.lease,
    isHearing: () => hints.isHearing,
    store: () => member.store,
  })
  member.store.observe({
    wentBack(loss) {
      metrics.store.wentBack(loss)
      events.emit('storeWentBack', loss)
    },
    moved: metrics.store.moved,
  })
  const hints = await startHints(node, stores, { isAlone: () => joined?.isAlone() ?? false, observe: metrics.hint })
  return {
    guard: member.guard,
    hints,
    metrics,
    store: member.store,
    get joined() {
      return joined
    },
    async join(parts) {
      joined = await member.join(parts)
      return joined
    },
    lookAtTable: () => joined?.node.hint(),
    findEpoch: (shard) => joined?.node.findEpoch(shard),
  }
}

function startMember(node: NodeContext, stores: Stores): Promise<Member> {
  const { config, life, logger, nodeId, incarnation, group, readings } = node
  const { nodeAddress, peerPort } = config.cluster
  const isEmbedded = config.database.url === undefined
  const place = group?.place ?? null
  return life.start(
    'proof of life',
    () =>
      new ClusterMember({
        incarnation,
        nodeId,
        version: `${packageVersion}+${config.cluster.nodeRevision}`,
        timing: config.cluster.timing,
        address: findAddress(nodeAddress, place),
        // No other node looks for a node with a database of its own, so it takes any free port.
        port: isEmbedded ? 0 : choosePort(peerPort, place),
        local: localSockets(machineName(config), place),
        secret: stores.secrets.clusterSecret,
        redis: stores.redis.place,
        replicas: config.redis.replicas,
        database: stores.database,
        shards: stores.installation.shards,
        // The lock of the data folder proves that no other process runs on this database under this name. The lock of a supervisor does
        // not: when it is killed, its processes live on for a moment.
        isNameOurs: isEmbedded && group === null,
        keepsInstances: stores.isStorageTaken,
        watchdog: watchdogSettings(node),
        startsWith: place?.startsTogether ? listNodeIds(machineName(config), place) : [],
        readings: readings.minutes,
        logger,
      }),
    (one) => one.close(),
  )
}

/** Checks that the port for probes is free. The supervisor of several processes has checked it, and holds it. @throws OperatorError */
async function checkHealthAddress({ config: { http, cluster }, group }: NodeContext): Promise<void> {
  if (group !== null || cluster.healthPort === 0) return
  await checkAddress({ host: http.host, port: cluster.healthPort, hostSetting: 'HOST', portSetting: 'HEALTH_PORT' })
}

function watchdogSettings({ config, group }: NodeContext): WatchdogSettings {
  const { http, cluster, logging } = config
  return {
    reportMs: cluster.blockedReportMs,
    endMs: cluster.timing.mainSilenceMs,
    health: cluster.healthPort === 0 ? null : healthPlace(http.host, cluster.healthPort, group?.place ?? null),
    logFields: group === null ? {} : { process: group.place.index },
    isPretty: isPretty(logging),
  }
}

/** Returns where the thread answers probes: with several processes on a socket, which their supervisor asks. */
function healthPlace(host: string, port: number, place: ProcessPlace | null): WatchdogSettings['health'] {
  if (place === null) return { host, port }
  return place.peerFolder === undefined ? null : { path: healthSocket(place.peerFolder, place.index) }
}

/** Returns the address for other nodes, with the port of this process if the address has a port. */
function findAddress(address: string, place: ProcessPlace | null): string {
  const { host, port } = splitAddress(address)
  return port === undefined ? address : joinAddress(host, choosePort(port, place))
}

function localSockets(machine: string, place: ProcessPlace | null): LocalSockets | null {
  if (place?.peerFolder === undefined) return null
  const { peerFolder, index } = place
  const names = listNodeIds(machine, place)
  return {
    own: peerSocket(peerFolder, index),
    of(node) {
      const before = names.indexOf(node)
      return before === -1 ? undefined : peerSocket(peerFolder, before + 1)
    },
  }
}

async function startHints(
  { life, logger, incarnation, events }: NodeContext,
  { redis }: Stores,
  { isAlone, observe }: { isAlone: () => boolean; observe: ClusterMetrics['hint'] },
): Promise<Hints> {
  const hints = await life.start(
    'hints',
    () => createHints({ redis: redis.client, connections: redis.connections, incarnation, isAlone, observe, logger }),
    (heard) => heard.close(),
  )
  events.on('instanceWritten', (id) => hints.instances([id]))
  events.on('administratorsWritten', () => hints.administrators())
  events.on('webhookWritten', (webhookId) => hints.webhooks([webhookId]))
  events.on('tableWritten', () => hints.table())
  return hints
}

/** Joins the cluster: from now on this node owns shards, and its sockets end when it cannot prove that it lives. */
export async function joinCluster(node: NodeContext, parts: ClusterParts): Promise<JoinedNode> {
  const { life, registry } = node
  const { membership, actors } = parts
  const calls = createCallMetrics(registry, {
    calls: () => membership.joined?.router.counts() ?? { parked: 0, unanswered: 0 },
    served: () => membership.joined?.served() ?? 0,
  })
  followHints(node, parts)
  life.onFatal(() => {
    actors.host.fence()
    membership.joined?.abandon()
  })
  return await life.start(
    'cluster',
    () => membership.join(memberParts(node, parts, { ...calls, node: membership.metrics.node })),
    (one) => one.leave(),
  )
}

/** Makes other parts look at changes that other nodes have made. */
function followHints(
  { events }: NodeContext,
  { membership, directories, channels, delivery, chatwoot }: ClusterParts,
): void {
  const { instances, adminTokens } = directories
  const { webhooks, lanes } = delivery
  const heard: Parameters<Hints['follow']>[0] = {
    events: (which) => channels.streams.wake(which),
    instances(which) {
      instances.forget(which)
      chatwoot.hinted(which)
    },
    webhooks(which) {
      webhooks.refresh(which)
      if (which === 'all') void lanes.sweepNow()
      else for (const id of which) lanes.changed(id)
    },
    table: () => membership.joined?.node.hint(),
    administrators: () => adminTokens.forget(),
  }
  membership.hints.follow(heard)
  events.on('storeWentBack', (loss) => {
    heard.instances('all')
    heard.webhooks('all')
    heard.administrators()
    channels.streams.announce('store', storeLossRecord(loss))
    channels.streams.compare()
    heard.events('all')
  })
}

function memberParts(
  { config, life, events }: NodeContext,
  { stores, actors: { host, journal }, delivery }: ClusterParts,
  observe: MemberParts['observe'],
): MemberParts {
  return {
    actors: {
      deactivate: (shard) => host.deactivate(shard),
      fence: () => host.fence(),
      stopAll: () => host.stopAll(),
      isReady: (shard) => host.isReady(shard),
      onChange: (listener) => host.onChange(listener),
      canLogin: () => host.canLogin(),
      activate(shard, epoch) {
        stores.blockedWork.refresh()
        delivery.resume(shard)
        host.activate(shard, epoch)
      },
      async quiet(shard, epoch) {
        await delivery.settle(shard)
        await host.quiet(shard, epoch)
      },
    },
    local: {
      ask: withStorePatience((instance, command, context) => host.ask(instance, command, context), {
        unansweredMs: () => journal.unansweredMs,
        ackTimeoutMs: config.sends.ackTimeoutMs,
      }),
    },
    findShard: stores.findShard,
    rules: repeatRules,
    parkTimeoutMs: config.cluster.parkTimeoutMs,
    announce: () => events.emit('tableWritten'),
    removeLeftOf: (other) => removeNodeQueues(stores.redis.connections, other),
    explain: (error) => (isStoreTrouble(error) ? new GatewayError('STORE_UNAVAILABLE', { cause: error }) : undefined),
    observe,
    onDead() {
      if (!life.isFatal && !life.isStopping)
        life.fail(new OperatorError('The other nodes have declared this one dead; start it again.'))
    },
  }
}
