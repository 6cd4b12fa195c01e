import pg from 'pg'
import type { KnownRevision } from '../client-version/known-versions.js'
import { clientConfigAt, type DatabasePlace } from '../connect/database-place.js'

/** Facts about PostgreSQL, read in one transaction that can write nothing. */
export interface DatabaseFacts {
  readonly version: string
  /** `180004` for 18.4. */
  readonly versionNumber: number
  readonly isReadOnly: boolean
  readonly encoding: string
  readonly isDurable: boolean
  readonly mayCreate: boolean
  readonly connectionsMax: number
  readonly connectionsUsed: number
  /** Its clock minus the one of this machine. */
  readonly clockAheadMs: number
  /** Null when no gateway has used the database yet. */
  readonly schema: { readonly applied: number; readonly oldest: number } | null
  /** Text that is encrypted with the key of the installation, in base64. */
  readonly sealedCheck: string | undefined
  /** Addresses of enabled webhooks, the newest first. */
  readonly webhookUrls: readonly string[]
  /** Proxies of instances, the newest first. */
  readonly proxies: readonly SealedProxy[]
  /** Versions of the web client that the cluster knows. */
  readonly clientVersions: readonly KnownRevision[]
}

export interface SealedProxy {
  readonly instance: string
  readonly sealed: Buffer
}

/** Maximum of webhooks that are checked. */
export const WEBHOOKS_MAX = 200
/** Maximum of proxies that are checked. */
export const PROXIES_MAX = 200

const SERVER = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS read_only,
    current_setting('server_encoding') AS encoding,
    current_setting('fsync')::bool AND current_setting('synchronous_commit') <> 'off' AS durable,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
    current_setting('max_connections')::int AS connections_max,
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections_used`

// $1 table
const HAS_TABLE = 'SELECT to_regclass($1) IS NOT NULL AS is_there'
const SCHEMA = 'SELECT coalesce(max(version), 0) AS applied FROM migration'
/** Installations of release 0.1.0 have no column `oldest`. */
const OLDEST = `SELECT coalesce(max((to_jsonb(m) ->> 'oldest')::int), 0) AS oldest FROM migration AS m`
const SEALED_CHECK = "SELECT value FROM meta WHERE key = 'check'"
// $1 limit
const WEBHOOKS = 'SELECT url FROM webhook WHERE enabled ORDER BY created DESC LIMIT $1'
// $1 limit
const PROXIES = 'SELECT instance_id AS instance, settings AS sealed FROM instance_proxy ORDER BY tested DESC LIMIT $1'
const CLIENT_VERSIONS = 'SELECT revision::float8 AS revision, state FROM client_version'

/** @throws the error of PostgreSQL or of the connection */
export async function readDatabaseFacts(
  place: DatabasePlace,
  timeoutMs: number,
  nowMs: () => number,
): Promise<DatabaseFacts> {
  const client = new pg.Client({
    ...clientConfigAt(place),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'posthorn doctor',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN READ ONLY')
    const clockAheadMs = await readClock(client, nowMs)
    const server = await one(client, SERVER)
    const schema = await readSchema(client)
    return {
      version: String(server.version),
      versionNumber: Number(server.number),
      isReadOnly: server.read_only === true,
      encoding: String(server.encoding),
      isDurable: server.durable === true,
      mayCreate: server.may_create === true,
      connectionsMax: Number(server.connections_max),
      connectionsUsed: Number(server.connections_used),
      clockAheadMs,
      schema,
      sealedCheck: schema === null ? undefined : ((await one(client, SEALED_CHECK)).value as string | undefined),
      webhookUrls: schema === null ? [] : await readWebhookUrls(client),
      proxies: schema === null ? [] : await readProxies(client),
      clientVersions: schema === null ? [] : await readClientVersions(client),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Compares the clocks at the middle of the question. */
async function readClock(client: pg.Client, nowMs: () => number): Promise<number> {
  const askedMs = nowMs()
  const { ms } = await one(client, 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')
  return Number(ms) - (askedMs + nowMs()) / 2
}

async function readSchema(client: pg.Client): Promise<DatabaseFacts['schema']> {
  if (!(await hasTable(client, 'migration'))) return null
  const { applied } = await one(client, SCHEMA)
  const { oldest } = await one(client, OLDEST)
  return Number(applied) === 0 ? null : { applied: Number(applied), oldest: Number(oldest) }
}

async function readWebhookUrls(client: pg.Client): Promise<readonly string[]> {
  if (!(await hasTable(client, 'webhook'))) return []
  const { rows } = await client.query<{ url: string }>(WEBHOOKS, [WEBHOOKS_MAX])
  return rows.map(({ url }) => url)
}

async function readProxies(client: pg.Client): Promise<readonly SealedProxy[]> {
  if (!(await hasTable(client, 'instance_proxy'))) return []
  return (await client.query<{ instance: string; sealed: Buffer }>(PROXIES, [PROXIES_MAX])).rows
}

async function readClientVersions(client: pg.Client): Promise<readonly KnownRevision[]> {
  if (!(await hasTable(client, 'client_version'))) return []
  return (await client.query<KnownRevision>(CLIENT_VERSIONS)).rows
}

async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  return (await one(client, HAS_TABLE, [table])).is_there === true
}

async function one(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>> {
  const { rows } = await client.query<Record<string, unknown>>(text, [...values])
  return rows[0] ?? {}
}
