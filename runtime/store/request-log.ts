/**
 * The log of each instance's calls of the API. A call costs no write: this node gathers calls for two seconds and writes them at once. Under
 * pressure calls are left out, and counted. A crash loses what is gathered.
 */

import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Logger } from 'pino'
import { entriesMax } from '../../lib/entries-max.js'
import type { InstanceId } from '../../schemas/ids.js'
import type {
  NotedRequest,
  RequestDirectory,
  RequestPage,
  RequestQuery,
  RequestRow,
} from '../../schemas/ports/requests.js'
import { createSamples } from '../work/samples.js'

export interface RequestLog extends RequestDirectory {
  /** Never throws, and waits for nothing. */
  note(request: NotedRequest): void
  /** Writes what is gathered. */
  close(): Promise<void>
}

export interface RequestLogOptions {
  readonly pool: pg.Pool
  /** NODE_ID of this one. */
  readonly node: string
  readonly log: Logger
  readonly everyMs?: number
}

const EVERY_MS = 2_000
/** Calls in memory. While PostgreSQL is away, further ones are left out. */
const GATHERED_MAX = 2_000
const BATCH_MAX = 500
const INSTANCES_MAX = 10_000
/** Rows of an instance by each node: some 8,600 a day, and 500 at once. Failed calls have as many of their own, so that others do not hide them. */
const OF_INSTANCE = { perSecond: 0.1, burst: 500 }
const OF_NODE = { perSecond: 50, burst: 2_000 }
const CLIENT_MAX = 100

// $1 node   $2 rows, as JSON. `ago`: ms
const WRITE = `
  INSERT INTO request_log (instance_id, at, node, operation, actor_kind, key_id, client, has_pass, is_read, status, code, ms, request_id, left_out)
  SELECT r.instance, now() - r.ago * interval '1 millisecond', $1, r.operation, r.by, r.key, r.client, r."hasPass", r."isRead", r.status,
    r.code, r."durationMs", r."requestId", r."leftOut"
  FROM jsonb_to_recordset($2::jsonb) AS r(instance text, ago float8, operation text, by text, key text, client text, "hasPass" bool,
    "isRead" bool, status smallint, code text, "durationMs" int, "requestId" text, "leftOut" int)`
const LEFT_OUT = `
  SELECT coalesce(sum(left_out), 0)::float8 AS count FROM request_log
  WHERE instance_id = $1 AND left_out > 0 AND at > now() - interval '1 day'`

interface Gathered extends NotedRequest {
  readonly atMs: number
  readonly leftOut: number
}

export function createRequestLog({ pool, node, log, everyMs = EVERY_MS }: RequestLogOptions): RequestLog {
  const answered = createSamples(OF_INSTANCE, OF_NODE)
  const failed = createSamples(OF_INSTANCE, OF_NODE)
  /** Calls that were left out since the last write. */
  const leftOut = new LRUCache<InstanceId, number>(entriesMax(INSTANCES_MAX))
  let gathered: Gathered[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  return {
    note(request) {
      const atMs = performance.now()
      const samples = request.status >= 400 ? failed : answered
      if (gathered.length >= GATHERED_MAX || !samples.take(request.instance, atMs))
        leftOut.set(request.instance, (leftOut.get(request.instance) ?? 0) + 1)
      else gathered.push({ ...request, client: shortened(request.client), atMs, leftOut: 0 })
      timer ??= setTimeout(flush, everyMs).unref()
    },
    find: (instance, query) => findRequests(pool, instance, query),
    async close() {
      flush()
      await writing
    },
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const rows = [...gathered, ...[...leftOut].map(([instance, count]) => leftOutRow(instance, count))]
    gathered = []
    leftOut.clear()
    writing = writing.then(async () => {
      for (let from = 0; from < rows.length; from += BATCH_MAX) await write(rows.slice(from, from + BATCH_MAX))
    })
  }

  async function write(rows: readonly Gathered[]): Promise<void> {
    const now = performance.now()
    const values = rows.map(({ atMs, durationMs, ...row }) => ({
      ...row,
      durationMs: Math.round(durationMs),
      ago: now - atMs,
    }))
    try {
      await pool.query(WRITE, [node, JSON.stringify(values)])
    } catch (error) {
      for (const { instance, leftOut: count } of rows)
        leftOut.set(instance, (leftOut.get(instance) ?? 0) + Math.max(1, count))
      log.debug({ err: error, calls: rows.length }, 'Calls were left out of the log of calls.')
    }
  }
}

function leftOutRow(instance: InstanceId, leftOut: number): Gathered {
  const nothing = { operation: '', by: 'token', key: '', client: '', hasPass: false, isRead: false } as const
  return { ...nothing, instance, status: 0, code: '', durationMs: 0, requestId: '', atMs: performance.now(), leftOut }
}

/** PostgreSQL refuses NUL in text. */
function shortened(client: string): string {
  return client.slice(0, CLIENT_MAX).replaceAll('\0', ' ')
}

interface Row extends Omit<RequestRow, 'position' | 'by' | 'hasPass' | 'durationMs' | 'requestId'> {
  readonly position: string
  readonly actor_kind: RequestRow['by']
  readonly key_id: string
  readonly has_pass: boolean
  readonly ms: number
  readonly request_id: string
}

async function findRequests(pool: pg.Pool, instance: InstanceId, query: RequestQuery): Promise<RequestPage> {
  const { text, values } = toStatement(instance, query)
  const { rows } = await pool.query<Row>(text, values)
  const counted = await pool.query<{ count: number }>(LEFT_OUT, [instance])
  return {
    requests: rows.slice(0, query.limit).map(toRequest),
    hasMore: rows.length > query.limit,
    leftOut: counted.rows[0]?.count ?? 0,
  }
}

function toStatement(
  instance: InstanceId,
  { limit, before, operation, key, isFailed, withDashboard }: RequestQuery,
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [instance, limit + 1]
  const conditions = ['instance_id = $1', 'left_out = 0', "at > now() - interval '1 day'"]
  const where = (condition: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`${condition} $${values.length}`)
  }
  where('position <', before)
  where('operation =', operation)
  where('key_id =', key)
  if (isFailed !== undefined) conditions.push(isFailed ? 'status >= 400' : 'status < 400')
  if (!withDashboard) conditions.push('NOT (has_pass AND is_read)')
  return { text: `SELECT * FROM request_log WHERE ${conditions.join(' AND ')} ORDER BY position DESC LIMIT $2`, values }
}

function toRequest(row: Row): RequestRow {
  const { at, node, operation, client, status, code } = row
  return {
    ...{ at, node, operation, client, status, code },
    position: Number(row.position),
    by: row.actor_kind,
    key: row.key_id,
    hasPass: row.has_pass,
    durationMs: row.ms,
    requestId: row.request_id,
  }
}
