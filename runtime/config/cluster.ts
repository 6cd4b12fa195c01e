import type { Timing } from '../cluster/ownership/protocol.js'
import type { SettingReader } from './reader.js'

/** Leaves room for `~` and a number of two digits. */
const PROCESS_NODE_ID_MAX = 60

export interface ClusterConfig {
  readonly nodeId: string | undefined
  readonly nodeRevision: number
  /** Undefined: the number that the cluster has. */
  readonly shards: number | undefined
  readonly nodeAddress: string
  readonly peerPort: number
  readonly processes: number | 'auto'
  readonly parkTimeoutMs: number
  readonly shutdownNoticeMs: number
  readonly shutdownTimeoutMs: number
  readonly timing: Timing
  /** 0 means that nothing answers probes on a port of its own. */
  readonly healthPort: number
  readonly blockedReportMs: number
}

export function readCluster(read: SettingReader): ClusterConfig {
  return {
    nodeId: read.optionalText('NODE_ID'),
    nodeRevision: read.number('NODE_REVISION'),
    shards: readShards(read.optionalText('CLUSTER_SHARDS')),
    nodeAddress: read.text('NODE_ADDRESS'),
    peerPort: read.number('PEER_PORT'),
    processes: readProcesses(read.text('NODE_PROCESSES')),
    parkTimeoutMs: read.number('PARK_TIMEOUT_MS'),
    shutdownNoticeMs: read.number('SHUTDOWN_NOTICE_MS'),
    shutdownTimeoutMs: read.number('SHUTDOWN_TIMEOUT_MS'),
    timing: readTiming(read),
    healthPort: read.number('HEALTH_PORT'),
    blockedReportMs: read.number('WATCHDOG_REPORT_MS'),
  }
}

function readProcesses(text: string): number | 'auto' {
  return text === 'auto' ? text : Number(text)
}

function readShards(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function readTiming(read: SettingReader): Timing {
  return {
    leaseMs: read.number('CLUSTER_LEASE_MS'),
    guardMs: read.number('CLUSTER_GUARD_MS'),
    renewMs: read.number('CLUSTER_RENEW_MS'),
    holdAfterMs: read.number('CLUSTER_HOLD_AFTER_MS'),
    holdEveryMs: read.number('CLUSTER_HOLD_EVERY_MS'),
    commandTimeoutMs: read.number('CLUSTER_COMMAND_TIMEOUT_MS'),
    retryMs: read.number('CLUSTER_RETRY_MS'),
    leaseKeptMs: read.number('CLUSTER_LEASE_KEPT_MS'),
    mainSilenceMs: read.number('CLUSTER_MAIN_SILENCE_MS'),
    pollLeasesMs: read.number('CLUSTER_POLL_LEASES_MS'),
    pollTableMs: read.number('CLUSTER_POLL_TABLE_MS'),
    predecessorMs: read.number('CLUSTER_PREDECESSOR_MS'),
    suspectMs: read.number('CLUSTER_SUSPECT_MS'),
    restartMs: read.number('CLUSTER_RESTART_MS'),
    fenceMs: read.number('CLUSTER_FENCE_MS'),
    stableMs: read.number('CLUSTER_STABLE_MS'),
    patienceMs: read.number('CLUSTER_PATIENCE_MS'),
    pullTimeoutMs: read.number('CLUSTER_PULL_TIMEOUT_MS'),
    busyMs: read.number('CLUSTER_BUSY_MS'),
    busyPullMs: read.number('CLUSTER_BUSY_PULL_MS'),
  }
}

/** Checks that the ports of all processes exist, and that none of them is that of the API. */
export function portMistakes(
  { peerPort, processes, healthPort }: Pick<ClusterConfig, 'peerPort' | 'processes' | 'healthPort'>,
  apiPort: number,
): string[] {
  if (peerPort === 0 || processes === 'auto' || processes === 1) return []
  const last = peerPort + processes - 1
  const range = `NODE_PROCESSES=${processes} takes the ports from PEER_PORT to ${last}`
  if (last > 65_535) return [`PEER_PORT: ${range}, and there is none above 65535.`]
  const others = [
    ['PORT', apiPort],
    ['HEALTH_PORT', healthPort],
  ] as const
  return others
    .filter(([, port]) => port >= peerPort && port <= last)
    .map(([name, port]) => `${name}: must not be ${port}, since ${range}.`)
}

/** Checks that the port for probes is no other of ours. */
export function healthPortMistakes(
  { peerPort, healthPort }: Pick<ClusterConfig, 'peerPort' | 'healthPort'>,
  apiPort: number,
): string[] {
  if (healthPort === 0) return []
  return (
    [
      ['PORT', apiPort],
      ['PEER_PORT', peerPort],
    ] as const
  )
    .filter(([, port]) => port === healthPort)
    .map(([name]) => `HEALTH_PORT: must not be ${healthPort}, since ${name} is.`)
}

/** Checks that the names of the processes are not longer than those of nodes may be. */
export function nameMistakes({ nodeId, processes }: Pick<ClusterConfig, 'nodeId' | 'processes'>): string[] {
  if (processes === 1 || nodeId === undefined || nodeId.length <= PROCESS_NODE_ID_MAX) return []
  return [`NODE_ID: must be at most ${PROCESS_NODE_ID_MAX} characters with NODE_PROCESSES, which adds a number to it.`]
}

/** Checks the relations between the times that docs/design/ownership.md relies on. Returns a sentence for each that does not hold. */
export function timingMistakes(ms: (name: string) => number): string[] {
  const least: readonly (readonly [name: string, least: number, why: string])[] = [
    ['LEASE', Math.ceil(ms('GUARD') * 1.03), '3 % more than CLUSTER_GUARD_MS'],
    ['GUARD', 2 * ms('RENEW') + ms('COMMAND_TIMEOUT'), 'two of CLUSTER_RENEW_MS and one CLUSTER_COMMAND_TIMEOUT_MS'],
    [
      'GUARD',
      ms('HOLD_AFTER') + 2 * ms('COMMAND_TIMEOUT'),
      'CLUSTER_HOLD_AFTER_MS and two of CLUSTER_COMMAND_TIMEOUT_MS',
    ],
    ['PREDECESSOR', ms('RENEW') + ms('POLL_LEASES'), 'CLUSTER_RENEW_MS and CLUSTER_POLL_LEASES_MS together'],
    ['SUSPECT', ms('RENEW') + ms('COMMAND_TIMEOUT'), 'CLUSTER_RENEW_MS and CLUSTER_COMMAND_TIMEOUT_MS together'],
    ['LEASE_KEPT', 2 * ms('LEASE'), 'two of CLUSTER_LEASE_MS'],
  ]
  return least
    .filter(([name, bound]) => ms(name) < bound)
    .map(([name, bound, why]) => `CLUSTER_${name}_MS: must be at least ${bound}, which is ${why}.`)
}
