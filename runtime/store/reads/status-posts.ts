import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { toChatAddress } from '../../../schemas/jid.js'
import type { AudienceReport, StatusAudience } from '../../../schemas/status-post.js'
import { textArray } from '../arrays.js'

interface PostRow {
  readonly audience: StatusAudience
  readonly people: readonly Jid[]
  readonly reached: number
  readonly report: string
}

const POST = 'SELECT audience, people, reached, report FROM status_post WHERE instance_id = $1 AND messageid = $2'
const REPORT = `
  SELECT audience, ARRAY[]::text[] AS people, reached, report FROM status_post WHERE instance_id = $1 AND messageid = $2`
const COUNTS = `
  SELECT count(*)::int AS delivered, count(seen_at)::int AS seen FROM status_view WHERE instance_id = $1 AND messageid = $2`
// Those who have seen it first, the last one before the others.
// $3 limit   $4 offset
const VIEWS = `
  SELECT v.person, other.jid AS other, COALESCE(NULLIF(k."contact_name", ''), k.push_name, '') AS name,
    (extract(epoch FROM v.delivered_at) * 1000)::float8 AS delivered, (extract(epoch FROM v.seen_at) * 1000)::float8 AS seen
  FROM (
    SELECT * FROM status_view WHERE instance_id = $1 AND messageid = $2
    ORDER BY seen_at DESC NULLS LAST, delivered_at DESC, person LIMIT $3 OFFSET $4) AS v
  LEFT JOIN LATERAL (
    SELECT m.pn AS jid FROM lid_mapping AS m WHERE m.instance_id = $1 AND m.lid = v.person
    UNION ALL SELECT m.lid FROM lid_mapping AS m WHERE m.instance_id = $1 AND m.pn = v.person LIMIT 1) AS other ON true
  LEFT JOIN LATERAL (
    SELECT * FROM contact AS c WHERE c.instance_id = $1 AND c.jid IN (v.person, other.jid)
    ORDER BY c."contact_name" = '' LIMIT 1) AS k ON true
  ORDER BY v.seen_at DESC NULLS LAST, v.delivered_at DESC, v.person`
// As the partial index of the address book says it.
// $2 limit
const ADDRESS_BOOK = `
  SELECT jid, lid FROM contact WHERE instance_id = $1 AND ("contact_name" <> '' OR "contact_FirstName" <> '')
  ORDER BY jid LIMIT $2`
// $2 JIDs
const MAPPINGS = `
  SELECT u.jid, COALESCE(
    (SELECT lid FROM lid_mapping WHERE instance_id = $1 AND pn = u.jid ORDER BY updated DESC LIMIT 1),
    (SELECT pn FROM lid_mapping WHERE instance_id = $1 AND lid = u.jid)) AS other
  FROM unnest($2::text[]) AS u(jid)`

/** Reads status posts, and the people who may get them. */
export function statusPostReads(
  pool: pg.Pool,
): Pick<InstanceReader, 'statusPost' | 'statusReport' | 'statusViews' | 'addressBook' | 'mappings'> {
  const post = async (statement: string, values: readonly string[]) => {
    const { rows } = await pool.query<PostRow>(statement, [...values])
    const [row] = rows
    // Bound: 200,000, 5,000 values, the report of a post with the first 1,000 people who were left out.
    return row === undefined ? null : { ...row, report: JSON.parse(row.report) as AudienceReport }
  }
  return {
    statusPost: (instance, messageid) => post(POST, [instance, messageid]),

    statusReport: (instance, messageid) => post(REPORT, [instance, messageid]),

    async statusViews(instance, messageid, { limit, offset }) {
      const [counts, views] = await Promise.all([
        pool.query<{ delivered: number; seen: number }>(COUNTS, [instance, messageid]),
        pool.query<{ person: Jid; other: Jid | null; name: string; delivered: number; seen: number | null }>(VIEWS, [
          instance,
          messageid,
          limit,
          offset,
        ]),
      ])
      return {
        ...(counts.rows[0] ?? { delivered: 0, seen: 0 }),
        views: views.rows.map(({ person, other, name, delivered, seen }) => ({
          person: toChatAddress(person, other),
          name,
          deliveredMs: Math.round(delivered),
          seenMs: seen === null ? null : Math.round(seen),
        })),
      }
    },

    async addressBook(instance, limit) {
      const { rows } = await pool.query<{ jid: Jid; lid: Jid | null }>(ADDRESS_BOOK, [instance, limit])
      return rows.map(({ jid, lid }) => toChatAddress(jid, lid || null))
    },

    async mappings(instance, jids) {
      if (jids.length === 0) return new Map()
      const { rows } = await pool.query<{ jid: Jid; other: Jid | null }>(MAPPINGS, [instance, textArray(jids)])
      return new Map(rows.flatMap(({ jid, other }) => (other === null ? [] : [[jid, other] as const])))
    },
  }
}

// $2 channel   $3 number
const MESSAGE = `
  SELECT messageid FROM channel_post WHERE instance_id = $1 AND channel = $2 AND server_id = $3 AND messageid <> ''`

/** Reads the numbers of posts of channels. */
export function channelPostReads(pool: pg.Pool): Pick<InstanceReader, 'postOfNumber'> {
  return {
    async postOfNumber(instance, channel, serverid) {
      const { rows } = await pool.query<{ messageid: MessageId }>(MESSAGE, [instance, channel, serverid])
      return rows[0]?.messageid ?? null
    },
  }
}
