import { randomUUID } from 'node:crypto'
import type { InstanceId } from '../../schemas/ids.js'
import type { JoinedNode } from '../cluster/joined-node.js'
import { createSweep } from '../media/sweep.js'
import { createAgentGauges } from '../metrics/agent-metrics.js'
import { createJobMetrics, createSealingMetrics } from '../metrics/job-metrics.js'
import { createBulkChange } from '../queues/bulk-change.js'
import { type ClusterJobs, createClusterJobs } from '../queues/cluster-jobs.js'
import { createQueueConnections } from '../queues/connections.js'
import type { Processor } from '../queues/processor.js'
import { AGENT_FIGURES, agentFiguresJob } from '../queues/processors/agent-figures.js'
import { bulkJobsJob } from '../queues/processors/bulk-jobs.js'
import { functionHeadersJob } from '../queues/processors/function-headers.js'
import { KEY_ROTATION, type KeyRotationReport, keyRotationJob } from '../queues/processors/key-rotation.js'
import { KNOWLEDGE, knowledgeJob } from '../queues/processors/knowledge.js'
import { countsJob, fileSweepJob, retentionJob } from '../queues/processors/retention.js'
import { unpairedInstancesJob } from '../queues/processors/unpaired-instances.js'
import { type AgentFigures, readAgentFigures } from '../store/agents/agent-figures.js'
import { sealClearHeaders } from '../store/agents/function-headers.js'
import { BULK_JOBS } from '../store/bulk-jobs.js'
import { createBulkWork } from '../store/bulk-work.js'
import { createClusterJobStore } from '../store/cluster-jobs.js'
import { addUpCounts, noteAccountStates } from '../store/instance-counts.js'
import { createKeyRotation, type KeyRotation } from '../store/key-rotation.js'
import { createRetention } from '../store/retention.js'
import { deleteUnpairedInstances } from '../store/unpaired-instances.js'
import { askAfterRefusals, type NodeClientVersion } from './client-version.js'
import type { ClusterParts } from './cluster.js'
import type { NodeContext } from './context.js'
import type { NodeKnowledge } from './knowledge.js'
import type { Stores } from './stores.js'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** Time in which the part of a job that is under way ends. */
const STOP_MAX_MS = 15_000

/** Starts the jobs that the cluster shares: those that keep the stores small and sealed, the version of the client, and changes of many instances. */
export async function startUpkeep(
  node: NodeContext,
  parts: Pick<ClusterParts, 'stores' | 'directories'> & {
    readonly cluster: JoinedNode
    readonly knowledge: NodeKnowledge
  },
  clientVersion: NodeClientVersion,
): Promise<ClusterJobs> {
  const { stores } = parts
  const rotation = stores.secrets.encryptionKeysOld.length > 0 ? createRotation(stores) : undefined
  const processors = [
    retention(node, stores),
    countsJob(async () => {
      await addUpCounts(stores.database.lanes.jobs)
      await noteAccountStates(stores.database.lanes.jobs)
    }),
    fileSweep(node, stores),
    bulkJobs(node, parts),
    knowledgeJob(parts.knowledge.index),
    functionHeadersJob((signal) => sealClearHeaders(stores.database.lanes.jobs, stores.encryption, signal), stores.log),
    agentFiguresJob(() => readAgentFigures(stores.database.lanes.jobs)),
  ]
  if (node.config.data.unpairedInstanceDays > 0) processors.push(unpairedInstances(node, stores))
  if (rotation !== undefined) processors.push(keyRotationJob(rotation, stores.encryption.keyId))
  if (clientVersion.job !== undefined) processors.push(clientVersion.job)
  const jobs = await startJobs(node, stores, processors)
  askAfterRefusals(clientVersion.keeper, jobs)
  // If the request is lost, the job finds the entry at its next run.
  node.events.on('knowledgeDue', () => void jobs.request(KNOWLEDGE).catch(() => {}))
  createJobMetrics(node.registry, jobs)
  createAgentGauges(node.registry, () => {
    const state = jobs.states().find(({ name }) => name === AGENT_FIGURES)
    return (state?.result ?? null) as AgentFigures | null
  })
  createSealingMetrics(node.registry, () => findProgress(rotation, stores.encryption.keyId, jobs))
  // This node may be the first with a new key. Another may be at it, or may have just done it.
  if (rotation !== undefined) void jobs.request(KEY_ROTATION).catch(() => {})
  return jobs
}

function retention({ config }: NodeContext, { database, log }: Stores): Processor {
  const rounds = createRetention({
    pool: database.lanes.jobs,
    messagesMs: keptMs(config.data.retentionDays),
    eventsMs: keptMs(config.data.retentionDays),
    auditMs: keptMs(config.data.auditRetentionDays),
  })
  return retentionJob(rounds, log)
}

function fileSweep({ config }: NodeContext, { storage, files }: Stores): Processor {
  const { retentionHours, campaignMaxBytes: campaignBytes } = config.media
  return fileSweepJob(createSweep({ storage, files, receivedMs: retentionHours * HOUR_MS, campaignBytes }))
}

function bulkJobs(
  { nodeId }: NodeContext,
  { stores, directories, cluster }: Parameters<typeof startUpkeep>[1],
): Processor {
  const { database, log } = stores
  const change = createBulkChange({ router: cluster.router, instances: directories.instances, log })
  return bulkJobsJob(BULK_JOBS, () => createBulkWork(database.lanes.jobs, randomUUID(), nodeId), change)
}

function unpairedInstances({ config, events }: NodeContext, { database, log }: Stores): Processor {
  const options = {
    pool: database.lanes.jobs,
    afterMs: config.data.unpairedInstanceDays * DAY_MS,
    onDeleted: (id: InstanceId) => events.emit('instanceWritten', id),
  }
  return unpairedInstancesJob((signal) => deleteUnpairedInstances(options, signal), log)
}

function createRotation({ database, encryption, log }: Stores): KeyRotation {
  return createKeyRotation({ pool: database.lanes.jobs, encryption, log })
}

async function startJobs(
  { life, logger, nodeId }: NodeContext,
  { database, redis, blockedWork }: Stores,
  processors: readonly Processor[],
): Promise<ClusterJobs> {
  const connections = await life.start(
    'queue connections',
    () => createQueueConnections({ redis: redis.connections, logger }),
    (opened) => opened.close(),
  )
  const store = createClusterJobStore({ pool: database.pool, locks: database.locks, node: nodeId })
  return await life.start(
    'jobs of the cluster',
    () => createClusterJobs({ redis: connections, store, processors, blocked: blockedWork, logger }),
    (jobs) => jobs.close(),
    { stopTimeoutMs: STOP_MAX_MS },
  )
}

/** Returns the count of the last pass of any node under this key, and what this node has sealed. */
function findProgress(
  rotation: KeyRotation | undefined,
  keyId: string,
  jobs: ClusterJobs,
): KeyRotation['progress'] | undefined {
  if (rotation === undefined) return undefined
  const last = jobs.states().find(({ name }) => name === KEY_ROTATION)?.result as KeyRotationReport | null | undefined
  return { ...rotation.progress, left: last?.keyId === keyId ? last.left : rotation.progress.left }
}

/** Returns `Infinity` for 0 days, which means for good. */
function keptMs(days: number): number {
  return days === 0 ? Number.POSITIVE_INFINITY : days * DAY_MS
}
