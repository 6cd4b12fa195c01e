import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  AuditQueryParameters,
  AuditReply,
  CancelExportReply,
  CancelExportRequest,
  CancelJobReply,
  CancelJobRequest,
  DrainNodeReply,
  FiguresReply,
  ImportInstanceReply,
  ImportInstanceRequest,
  NodesReply,
  PlacementReply,
  RecordingReply,
  RecordStanzasRequest,
  RestartConnectionsReply,
  RestartConnectionsRequest,
  RotateAdminTokenReply,
  RotateAdminTokenRequest,
  RotateInstanceTokenReply,
  RotateInstanceTokenRequest,
  ShardsReply,
  ShowJobQuery,
  ShowJobReply,
  ShowRecordingReply,
  TrafficQueryParameters,
  TrafficReply,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { matchesNode } from '../../../schemas/node-names.js'
import type { BulkChange } from '../../../schemas/ports/bulk-jobs.js'
import type { MinuteReading, StopReading } from '../../../schemas/ports/cluster.js'
import type { TrafficCounts } from '../../../schemas/ports/traffic.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { nodeRecord, storeStateRecord } from '../../answers/node-record.js'
import { Accepted, adminRoute, type Route } from '../../route.js'
import { giveToken } from '../instance/life.js'
import { bulkInstanceRecord, bulkJobRecord, bulkReply, changeInstances, PER_MINUTE } from './bulk.js'
import { exportInstance, importSession } from './transfer.js'

const importInstance = adminRoute<ImportInstanceRequest>({
  method: 'POST',
  path: '/admin/instance/import',
  name: 'importInstance',
  area: 'Administration',
  summary: 'Import an instance that another installation exported',
  schema: 'admin/import-instance.json',
  idempotent: 'kept',
  fileFields: ['file'],
  errors: [
    'INVALID_EXPORT',
    'INSTANCE_EXISTS',
    'INSTANCE_LIMIT',
    'INSTANCE_MOVING',
    'MEDIA_TOO_LARGE',
    'MEDIA_STORAGE_UNAVAILABLE',
  ],
  async handle({ body, files, warnings, note }, { ports, options }): Promise<ImportInstanceReply> {
    const arrived = files.get(body.file)
    // A short file is still in the body; a long one is in a temporary file.
    const file =
      arrived === undefined
        ? Readable.from([Buffer.from(body.file, 'base64')])
        : createReadStream(arrived.path, { highWaterMark: 256 * 1024 })
    const id = await ports.transfer.write(file, body.passphrase)
    note.subject = id
    if (body.connect === true) {
      // The instance is here, even if it does not connect.
      const refusal = await connect().then(
        () => null,
        (error: unknown) => (error instanceof GatewayError ? error.message : 'an error of ours'),
      )
      if (refusal !== null) warnings.push(`connect: the instance is not connected yet: ${refusal}`)
    }
    const row = await ports.instances.byId(id)
    if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: await instanceRecord(row, options) }

    async function connect(): Promise<void> {
      await ports.instances.setDesired(id, true)
      await ports.router.ask(id, { type: 'connect', waitMs: options.connectWaitMs })
    }
  },
})

const showFigures = adminRoute({
  method: 'GET',
  path: '/admin/figures',
  name: 'showFigures',
  area: 'Cluster',
  isSearch: true,
  summary: 'Show the figures of the last hour of the whole installation',
  schema: 'admin/figures.json',
  errors: [],
  async handle(_call, { ports, options }): Promise<FiguresReply> {
    const [figures, readings] = await Promise.all([ports.figures.read(), ports.readings.read()])
    const { at, instances, minutes, webhooks, sends, troubled } = figures
    const { waiting, oldestWaitingMs, deadLetters, failedAttempts } = webhooks
    return {
      at: at.toISOString(),
      instances: { ...instances },
      minutes: minutes.map((minute) => ({ ...minute, at: minute.at.toISOString() })),
      webhooks: { waiting, oldestWaitingSeconds: Math.round(oldestWaitingMs / 1_000), deadLetters, failedAttempts },
      sends: { ...sends },
      troubled: troubled.map(({ failed, ...owner }) => ({ ...owner, failedSends: failed })),
      nodes: readings.map(({ nodeId: id, incarnation, minutes: told }) => ({
        id,
        incarnation,
        minutes: told?.map(minuteRecord) ?? null,
      })),
      grafanaUrl: options.grafanaUrl,
      retentionDays: options.retentionDays,
    }
  },
})

function minuteRecord({ atMs, lagMs, memoryBytes, commitMs, waitingBytes, stop }: MinuteReading) {
  return {
    at: new Date(atMs).toISOString(),
    lagSeconds: lagMs / 1_000,
    memoryBytes,
    commitSeconds: commitMs / 1_000,
    waitingBytes,
    longestStop: stop === undefined ? null : stopRecord(stop),
  }
}

function stopRecord({ ms, kind, operation, feature = '', instance }: StopReading) {
  return { seconds: ms / 1_000, kind, operation, feature, instance }
}

const DAY_HOURS = 24

const showTraffic = adminRoute<undefined, TrafficQueryParameters>({
  method: 'GET',
  path: '/admin/figures/traffic',
  name: 'showTraffic',
  area: 'Cluster',
  isSearch: true,
  summary: 'Show the traffic of the last days: messages, deliveries, accounts by state and the cost of agents',
  schema: 'admin/traffic.json',
  errors: [],
  async handle({ query: { hours = DAY_HOURS, stepMinutes, node = null } }, { ports }): Promise<TrafficReply> {
    const minutes = stepMinutes ?? (hours > DAY_HOURS ? 60 : 5)
    const { at, rows, nodes, agents, accounts } = await ports.traffic.read({ hours, stepMinutes: minutes, node })
    return {
      at: at.toISOString(),
      hours,
      stepMinutes: minutes,
      rows: rows.map((row) => ({ at: row.at.toISOString(), ...shown(row) })),
      nodes: nodes.map((one) => ({ id: one.id, ...shown(one) })),
      agents: agents.map(({ costMicros, ...day }) => ({ ...day, cost: costMicros / 1e6 })),
      accounts: accounts.map((one) => ({ ...one, at: one.at.toISOString() })),
    }
  },
})

function shown({ sent, received, failed, delivered, p50Ms, p99Ms }: TrafficCounts) {
  return { sent, received, failed, delivered, p50Seconds: toSeconds(p50Ms), p99Seconds: toSeconds(p99Ms) }
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10_000
}

const listAudit = adminRoute<undefined, AuditQueryParameters>({
  method: 'GET',
  path: '/admin/audit',
  name: 'listAudit',
  area: 'Administration',
  summary: 'List the administrative calls: caller, operation and outcome',
  schema: 'admin/audit.json',
  errors: [],
  async handle({ query: { limit = 100, before, subject, operation, pass, from } }, { ports }): Promise<AuditReply> {
    const since = from === undefined ? undefined : new Date(from)
    // Refuses a leap second: it has the form of a time, and is none here.
    if (Number.isNaN(since?.getTime()))
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: from is not a time.',
        details: [{ field: 'from', why: 'is not a time' }],
      })
    const { entries, hasMore } = await ports.audit.find({
      limit,
      ...(before === undefined ? {} : { before }),
      ...(subject === undefined ? {} : { subject }),
      ...(operation === undefined ? {} : { operation }),
      ...(pass === undefined ? {} : { pass }),
      ...(since === undefined ? {} : { from: since }),
    })
    return {
      entries: entries.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
      hasMore,
      next: hasMore ? (entries.at(-1)?.position ?? null) : null,
    }
  },
})

const RESTART: BulkChange = { action: 'restart', add: [], remove: [] }

const restartConnections = adminRoute<RestartConnectionsRequest>({
  method: 'POST',
  path: '/admin/restart',
  isSearch: true,
  accepts: true,
  name: 'restartConnections',
  area: 'Administration',
  summary: 'Close and open again the connections of all instances, or of some, a few at a time',
  schema: 'admin/restart.json',
  idempotent: 'kept',
  errors: ['TOO_MANY_JOBS'],
  async handle({ body, credential: { actor, pass }, note }, { ports }): Promise<RestartConnectionsReply | Accepted> {
    const { ids, filter, nodes, dryRun = false, perMinute = PER_MINUTE } = body
    if (ids !== undefined && filter !== undefined) throw invalidField('ids', 'cannot be given with filter')
    const selection = { ids, filter, nodes }
    if (dryRun) {
      const preview = await ports.bulkJobs.preview(RESTART, selection)
      return { message: `${preview.count} connections would be restarted.`, ...bulkReply(preview, null) }
    }
    const start = { digest: null, perMinute, actor, pass: pass?.id ?? '' }
    const { job, ...preview } = await ports.bulkJobs.start(RESTART, selection, start)
    note.subject = job.id
    return new Accepted({ message: `${preview.count} connections are being restarted.`, ...bulkReply(preview, job) })
  },
})

const tellPlacement = adminRoute({
  method: 'GET',
  path: '/admin/instances/:id/placement',
  name: 'tellPlacement',
  area: 'Cluster',
  summary: 'Show which node owns an instance',
  schema: 'admin/placement.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ params }, { ports }): Promise<PlacementReply> {
    const instance = params.id ?? ''
    const placement = await ports.cluster.placement(instance as InstanceId)
    if (placement === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    const { shard, state, owner, epoch, since } = placement
    return {
      instance,
      shard,
      state,
      node: owner?.nodeId ?? null,
      incarnation: owner?.incarnation ?? null,
      address: owner?.address ?? null,
      epoch,
      since: since.toISOString(),
    }
  },
})

const showJob = adminRoute<undefined, ShowJobQuery>({
  method: 'GET',
  path: '/admin/instances/bulk',
  name: 'showJob',
  area: 'Administration',
  summary: 'Show how far a change of many instances has come, with the outcome of each; without `id`, list the jobs',
  schema: 'admin/bulk-jobs.json',
  errors: ['JOB_NOT_FOUND'],
  async handle({ query: { id, outcome, limit = 100, cursor } }, { ports: { bulkJobs } }): Promise<ShowJobReply> {
    if (id === undefined) {
      const jobs = await bulkJobs.list(limit + 1, cursor)
      return { jobs: jobs.slice(0, limit).map(bulkJobRecord), instances: [], next: findNext(jobs, limit) }
    }
    const job = await bulkJobs.find(id)
    const targets = await bulkJobs.targets(id, { limit: limit + 1, after: cursor, outcome })
    const instances = targets.slice(0, limit).map(bulkInstanceRecord)
    return { jobs: [bulkJobRecord(job)], instances, next: findNext(targets, limit) }
  },
})

/** Returns the place of the last row of a page, if there is a row after it. */
function findNext(rows: readonly { readonly position: number }[], limit: number): number | null {
  return rows.length > limit ? (rows[limit - 1]?.position ?? null) : null
}

const drainNode = adminRoute({
  method: 'POST',
  path: '/admin/nodes/:id/drain',
  name: 'drainNode',
  area: 'Cluster',
  summary: 'Move all instances away from a node; it stays up and takes instances again after a restart',
  schema: 'admin/drain.json',
  errors: ['NODE_NOT_FOUND'],
  async handle({ params, warnings }, { ports }): Promise<DrainNodeReply> {
    const isKnown = await ports.cluster.drain(params.id ?? '')
    const living = (await ports.cluster.nodes()).filter(({ state }) => state !== 'dead')
    const node = living.find(({ nodeId }) => matchesNode(nodeId, params.id ?? ''))
    if (!isKnown || node === undefined) throw new GatewayError('NODE_NOT_FOUND')
    if (living.every(({ state }) => state !== 'active'))
      warnings.push('No other node can take over: it keeps what it has until one comes.')
    return { node: nodeRecord(node) }
  },
})

const rotateAdminToken = adminRoute<RotateAdminTokenRequest>({
  method: 'POST',
  path: '/admin/token/rotate',
  name: 'rotateAdminToken',
  area: 'Administration',
  summary: "Make another administrator's token and end all others, ADMIN_TOKEN too, on every node",
  refusesPass: true,
  schema: 'admin/token-rotate.json',
  errors: [],
  async handle({ body: { graceSeconds = 0 } }, { ports }): Promise<RotateAdminTokenReply> {
    const { token, othersEnd } = await ports.adminTokens.rotate(graceSeconds * 1_000)
    return {
      success: true,
      message: 'Keep the token: it is not told again. If it is lost, start the nodes with another ADMIN_TOKEN.',
      admin_token: token,
      former_end: othersEnd.toISOString(),
      timestamp: new Date().toISOString(),
    }
  },
})

const cancelExport = adminRoute<CancelExportRequest>({
  method: 'POST',
  path: '/admin/instance/export/cancel',
  name: 'cancelExport',
  area: 'Administration',
  summary: 'Keep an exported instance, if nobody imported its file',
  schema: 'admin/cancel-export.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ body: { id }, note }, { ports, options }): Promise<CancelExportReply> {
    note.subject = id
    await ports.transfer.unmark(id as InstanceId)
    const row = await ports.instances.byId(id as InstanceId)
    if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: await instanceRecord(row, options) }
  },
})

const showRecording = adminRoute({
  method: 'GET',
  path: '/admin/instances/:id/recording',
  name: 'showRecording',
  area: 'Administration',
  summary: "Show an instance's latest recording of stanzas",
  schema: 'admin/show-recording.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ params }, { ports }): Promise<ShowRecordingReply> {
    const instance = await ports.instances.byId((params.id ?? '') as InstanceId)
    if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: instance.id, ...(await ports.router.ask(instance.id, { type: 'readRecording' })) }
  },
})

const recordStanzas = adminRoute<RecordStanzasRequest>({
  method: 'POST',
  path: '/admin/instances/:id/recording',
  name: 'recordStanzas',
  area: 'Administration',
  summary: 'Start or stop recording the stanzas of an instance, without contents, keys and names, for a report',
  schema: 'admin/record-stanzas.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'NOT_SUPPORTED'],
  async handle({ params, body: { recording } }, { ports }): Promise<RecordingReply> {
    const instance = await ports.instances.byId((params.id ?? '') as InstanceId)
    if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: instance.id, ...(await ports.router.ask(instance.id, { type: 'recordStanzas', recording })) }
  },
})

const listShards = adminRoute({
  method: 'GET',
  path: '/admin/shards',
  name: 'listShards',
  area: 'Cluster',
  summary: 'List the shards and the nodes that own them',
  schema: 'admin/shards.json',
  errors: [],
  async handle(_call, { ports }): Promise<ShardsReply> {
    const shards = await ports.cluster.shards()
    return {
      shards: shards.map(({ nodeId: node, since, ...shard }) => ({ ...shard, node, since: since.toISOString() })),
    }
  },
})

const cancelJob = adminRoute<CancelJobRequest>({
  method: 'POST',
  path: '/admin/instances/bulk/cancel',
  name: 'cancelJob',
  area: 'Administration',
  summary: 'Cancel a change of many instances; those whose turn has not come stay as they are',
  schema: 'admin/bulk-cancel.json',
  errors: ['JOB_NOT_FOUND'],
  async handle({ body: { id }, note }, { ports }): Promise<CancelJobReply> {
    note.subject = id
    return { job: bulkJobRecord(await ports.bulkJobs.cancel(id)) }
  },
})

const listNodes = adminRoute({
  method: 'GET',
  path: '/admin/nodes',
  name: 'listNodes',
  area: 'Cluster',
  summary: 'List the nodes of the cluster',
  schema: 'admin/nodes.json',
  errors: [],
  async handle(_call, { ports }): Promise<NodesReply> {
    return { nodes: (await ports.cluster.nodes()).map(nodeRecord), store: storeStateRecord(ports.cluster.store()) }
  },
})

const rotateInstanceToken = adminRoute<RotateInstanceTokenRequest>({
  method: 'POST',
  path: '/admin/instances/:id/token/rotate',
  name: 'rotateInstanceToken',
  area: 'Administration',
  summary: 'Give an instance another token, if its token was lost',
  schema: 'admin/instance-token-rotate.json',
  errors: ['INSTANCE_NOT_FOUND'],
  handle: ({ params, body }, { ports }): Promise<RotateInstanceTokenReply> =>
    giveToken(ports.instances, (params.id ?? '') as InstanceId, body),
})

/** Routes of the area, in the order of the documentation. */
export const adminRoutes: readonly Route[] = [
  exportInstance,
  importInstance,
  importSession,
  cancelExport,
  rotateAdminToken,
  listAudit,
  rotateInstanceToken,
  changeInstances,
  showJob,
  cancelJob,
  restartConnections,
  showFigures,
  showTraffic,
  listNodes,
  listShards,
  drainNode,
  tellPlacement,
  recordStanzas,
  showRecording,
]
