import { randomUUID } from 'node:crypto'
import os from 'node:os'
import type { Registry } from 'prom-client'
import type { MediaHosts } from '../../actors/network/baileys/media/hosts.js'
import type { Config } from '../config.js'
import type { Lifecycle } from '../lifecycle.js'
import type { Logger } from '../logging.js'
import { createRegistry } from '../metrics/registry.js'
import { createRequestMetrics, type RequestMetrics } from '../metrics/request-metrics.js'
import { InternalEvents } from './internal-events.js'

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
}

export function createNodeContext(parts: Pick<NodeContext, 'config' | 'logger' | 'life' | 'mediaHosts'>): NodeContext {
  const registry = createRegistry()
  return {
    ...parts,
    events: new InternalEvents(),
    nodeId: parts.config.cluster.nodeId ?? os.hostname(),
    incarnation: randomUUID(),
    registry,
    requestMetrics: createRequestMetrics(registry),
  }
}
