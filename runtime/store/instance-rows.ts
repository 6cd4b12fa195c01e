/** Reads rows of instances as the API sees them. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { readUser } from '../../schemas/jid.js'
import type { FieldsMap } from '../../schemas/lead-fields.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import { readSettingsRow, SETTINGS, type StoredSettings } from './agents/settings-store.js'
import { timeText } from './page-cursor.js'
import type { Search } from './timed-search.js'

// Bound: 8,192, the names of the twenty fields of a lead.

/** A pool, or the connection of a transaction. */
export interface Queries {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

export interface StoredInstance extends StoredSettings {
  readonly id: string
  readonly name: string
  readonly system_name: string
  readonly admin_field_01: string
  readonly admin_field_02: string
  readonly status: string
  readonly status_epoch: number
  readonly desired_connected: boolean
  readonly is_stopped: boolean
  readonly owner_jid: string | null
  readonly profile_name: string
  readonly profile_username: string
  readonly profile_pic_url: string
  readonly is_business: boolean
  readonly platform: string
  readonly last_disconnect: Date | null
  readonly last_disconnect_reason: string
  /** JSON, from custom lead field to name. */
  readonly fields_map: string
  readonly tags: string[]
  readonly default_country: string
  readonly presence: string
  readonly delay_min_ms: number | null
  readonly delay_max_ms: number | null
  readonly in_use_since: Date | null
  readonly paired_at: Date | null
  /** Time since which it is another installation's. */
  readonly exported_at: Date | null
  readonly created: Date
  readonly updated: Date
  readonly token_hash: Buffer
  /** Epoch of its shard. A status that was written under another epoch says little. */
  readonly epoch: number
}

/** Columns of `StoredInstance`, of the tables in `INSTANCE_TABLES`. */
export const INSTANCE_COLUMNS = `
  i.id, i.name, i.system_name, i.admin_field_01, i.admin_field_02, i.status, i.status_epoch, i.desired_connected, i.is_stopped, i.owner_jid,
  i.profile_name, i.profile_username, i.profile_pic_url, i.is_business, i.platform, i.last_disconnect, i.last_disconnect_reason, i.fields_map, i.tags, i.default_country,
  i.presence, p.delay_min_ms, p.delay_max_ms, p.in_use_since, p.paired_at, ${SETTINGS},
  i.exported_at, i.created, i.updated, i.token_hash, COALESCE(o.epoch, 0) AS epoch`
export const INSTANCE_TABLES = `
  instance AS i LEFT JOIN shard_owner AS o ON o.shard = i.shard LEFT JOIN send_pacer AS p ON p.instance_id = i.id
  LEFT JOIN chatbot_settings AS b ON b.instance_id = i.id`
/** Status as `presentStatus` returns it. */
export const PRESENT_STATUS = `
  CASE WHEN i.status_epoch = COALESCE(o.epoch, 0) THEN i.status WHEN i.desired_connected THEN 'connecting' ELSE 'disconnected' END`
const INSTANCES = `SELECT ${INSTANCE_COLUMNS} FROM ${INSTANCE_TABLES}`
// $1 id
const BY_ID = `${INSTANCES} WHERE i.id = $1`
// $1 SHA-256 of the token
const BY_TOKEN = `${INSTANCES} WHERE i.token_hash = $1`
/** Rows that are read and turned into an answer in one step of the event loop. */
const PAGE_ROWS = 100
// $1 time and $2 id of the last row before the page   $3 rows
const PAGE = `
  SELECT ${INSTANCE_COLUMNS}, ${timeText('i.created')} AS place FROM ${INSTANCE_TABLES}
  WHERE (i.created, i.id) > ($1::timestamptz, $2) ORDER BY i.created, i.id LIMIT $3`

export async function readInstance(queries: Queries, id: InstanceId): Promise<InstanceRow | null> {
  const [row] = (await queries.query<StoredInstance>(BY_ID, [id])).rows
  return row === undefined ? null : toRow(row)
}

export async function readInstanceOfToken(queries: Queries, tokenHash: Buffer): Promise<StoredInstance | null> {
  return (await queries.query<StoredInstance>(BY_TOKEN, [tokenHash])).rows[0] ?? null
}

/** Reads all instances page by page. One that is made meanwhile may be in a later page, none is in two. */
export async function* readAllInstances(search: Search): AsyncGenerator<readonly InstanceRow[]> {
  let after = ['-infinity', '']
  for (;;) {
    const rows = await search<StoredInstance & { place: string }>(PAGE, [...after, PAGE_ROWS])
    if (rows.length > 0) yield rows.map(toRow)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    after = [last.place, last.id]
  }
}

export function toRow(row: StoredInstance): InstanceRow {
  return {
    id: row.id as InstanceId,
    name: row.name,
    systemName: row.system_name,
    adminField01: row.admin_field_01,
    adminField02: row.admin_field_02,
    status: presentStatus(row),
    desiredConnected: row.desired_connected,
    isStopped: row.is_stopped,
    owner: row.owner_jid === null ? '' : readUser(row.owner_jid),
    profileName: row.profile_name,
    profileUsername: row.profile_username,
    profilePicUrl: row.profile_pic_url,
    isBusiness: row.is_business,
    platform: row.platform,
    lastDisconnect: row.last_disconnect,
    lastDisconnectReason: row.last_disconnect_reason,
    fieldsMap: JSON.parse(row.fields_map) as FieldsMap,
    tags: row.tags,
    defaultCountry: row.default_country,
    presence: row.presence,
    delayMinMs: row.delay_min_ms,
    delayMaxMs: row.delay_max_ms,
    inUseSince: row.in_use_since ?? row.paired_at ?? row.created,
    chatbot: readSettingsRow(row),
    isExported: row.exported_at !== null,
    created: row.created,
    updated: row.updated,
  }
}

/** Returns the status. If a former owner wrote it, only tells whether the instance will be connected. */
function presentStatus(row: StoredInstance): InstanceRow['status'] {
  if (row.status_epoch === row.epoch) return row.status as InstanceRow['status']
  return row.desired_connected ? 'connecting' : 'disconnected'
}
