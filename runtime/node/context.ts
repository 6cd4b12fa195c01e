import { randomUUID } from 'node:crypto'
import os from 'node:os'
import type { Registry } from 'prom-client'
import type { MediaHosts } from '../../actors/network/baileys/media/hosts.js'
import type { Config } from '../config.js'
import type { Lifecycle } from '../lifecycle.js'
import type { Logger } from '../logging.js'
import { createReceiverCounts, type ReceiverCounts } from '../metrics/receiver-counts.js'
import { createRecentReadings, type RecentReadings } from '../metrics/recent-readings.js'
import { createRegistry } from '../metrics/registry.js'
import { createTraffic, type Traffic } from '../metrics/traffic.js'
import {
  createProcessMetrics,
  createRequestMetrics,
  createWorkMetrics,
  type RequestMetrics,
} from '../metrics/work-metrics.js'
import type { GroupMembership } from '../processes/membership.js'
import { chooseNodeId } from '../processes/process-place.js'
import { createWork, type SharedWork } from '../work/work.js'
import { InternalEvents } from './internal-events.js'
import { createMainThread, type MainThread } from './main-thread.js'

/** The things that all parts of a node share. */
export interface NodeContext {
  readonly config: Config
  readonly logger: Logger
  readonly life: Lifecycle
  readonly events: InternalEvents
  readonly nodeId: string
  /** This process, as other nodes know it. Unique. */
  readonly incarnation: string
  readonly mediaHosts: MediaHosts
  readonly registry: Registry
  readonly requestMetrics: RequestMetrics
  readonly mainThread: MainThread
  /** The last hour of this process. */
  readonly readings: RecentReadings
  /** Messages and deliveries of this process. */
  readonly traffic: Traffic
  /** Attempts of this process to deliver, by webhook. */
  readonly receiverCounts: ReceiverCounts
  /** Null for a process that is alone on its machine (NODE_PROCESSES). */
  readonly group: GroupMembership | null
  /** Work in which the instances of this node have fair shares. */
  readonly work: SharedWork
}

export function createNodeContext(
  parts: Pick<NodeContext, 'config' | 'logger' | 'life' | 'mediaHosts' | 'group'>,
): NodeContext {
  const readings = createRecentReadings()
  const { registry, mainThread } = createMainThread(
    (lagged) =>
      createRegistry((ms) => {
        readings.lagged(ms)
        lagged(ms)
      }),
    readings.stopped,
    parts.logger,
  )
  const requestMetrics = createRequestMetrics(registry)
  createProcessMetrics(registry, { restarts: () => parts.group?.restarts() ?? [0] })
  return {
    ...parts,
    events: new InternalEvents(),
    nodeId: chooseNodeId(machineName(parts.config), parts.group?.place ?? null),
    incarnation: randomUUID(),
    registry,
    requestMetrics,
    mainThread,
    readings,
    traffic: createTraffic(),
    receiverCounts: createReceiverCounts(),
    work: createNodeWork(parts.config, registry, requestMetrics),
  }
}

function createNodeWork({ outgoing }: Config, registry: Registry, { refused }: RequestMetrics): SharedWork {
  const metrics = createWorkMetrics(registry, () => work.counts())
  const limits = { preview: { ownerMax: outgoing.fetchesPerInstanceMax } }
  const work = createWork({ limits, onBegun: metrics.begun, onRefused: refused })
  return work
}

/** Returns the name of this node without the number of its process. */
export function machineName({ cluster }: Config): string {
  return cluster.nodeId ?? os.hostname()
}
