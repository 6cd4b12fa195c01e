/** Receipts of the members of groups in a batch: one statement for all, whatever the number of members and messages. */
import type { MessageUpdateChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, intArray, textArray } from '../arrays.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'
import type { ChangedMessage, MessageUpdates } from './message-updates.js'
import { findRank } from './message-updates.js'

/** Maximum of people whose receipts of one message are kept. A group has up to 1,024 members; a server names the senders of receipts. */
const PEOPLE_MAX = 2_048

// The number of members is read with the first receipt of a message, from the stored facts about its group: each member has one role there. A
// quotation mark in a name has a backslash before it. The account itself is one of them. LIMIT: without it, PostgreSQL may read all receipts of
// a message for each of its receipts.
// $1 instances   $2 messages   $3 groups   $4 people   $5 ranks of statuses   $6 times, ms
const RECEIVE = `
  WITH given AS (
    SELECT instance_id, messageid, jid, person, min(at) AS delivered, min(at) FILTER (WHERE rank >= 5) AS seen,
      min(at) FILTER (WHERE rank >= 6) AS played
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[])
      AS u(instance_id, messageid, jid, person, rank, at)
    GROUP BY 1, 2, 3, 4
  ), fresh AS (
    SELECT u.*, m.id, m."status" AS former, g.members, o.person IS NULL AS is_first,
      u.seen IS NOT NULL AND o.read_at IS NULL AS is_read, u.played IS NOT NULL AND o.played_at IS NULL AS is_played
    FROM given AS u
    JOIN message AS m ON m.instance_id = u.instance_id AND m."messageid" = u.messageid AND m."fromMe"
    JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id AND c."wa_chatid" = u.jid
    LEFT JOIN group_message AS g ON g.instance_id = m.instance_id AND g.id = m.id
    LEFT JOIN LATERAL (
      SELECT r.person, r.read_at, r.played_at FROM message_receipt AS r
      WHERE r.instance_id = m.instance_id AND r.id = m.id AND r.person = u.person LIMIT 1) AS o ON true
    WHERE (o.person IS NOT NULL OR COALESCE(g.delivered, 0) < ${PEOPLE_MAX})
      AND (o.person IS NULL OR u.seen IS NOT NULL AND o.read_at IS NULL OR u.played IS NOT NULL AND o.played_at IS NULL)
  ), kept AS (
    INSERT INTO message_receipt AS r (instance_id, id, person, delivered_at, read_at, played_at)
    SELECT instance_id, id, person, to_timestamp(delivered / 1000.0), to_timestamp(seen / 1000.0), to_timestamp(played / 1000.0)
    FROM fresh
    ON CONFLICT (instance_id, id, person) DO UPDATE SET delivered_at = LEAST(r.delivered_at, EXCLUDED.delivered_at),
      read_at = LEAST(r.read_at, EXCLUDED.read_at), played_at = LEAST(r.played_at, EXCLUDED.played_at)
  ), counted AS (
    INSERT INTO group_message AS g (instance_id, id, members, delivered, "read", played)
    SELECT instance_id, id, COALESCE(members, (
        SELECT NULLIF(GREATEST((length(i.info) - length(replace(i.info, '"role":"', ''))) / 8 - 1, 0), 0)
        FROM group_info AS i WHERE i.instance_id = n.instance_id AND i.jid = n.jid)),
      delivered, seen, played
    FROM (
      SELECT instance_id, id, jid, members, count(*) FILTER (WHERE is_first) AS delivered,
        count(*) FILTER (WHERE is_read) AS seen, count(*) FILTER (WHERE is_played) AS played
      FROM fresh GROUP BY 1, 2, 3, 4) AS n
    ON CONFLICT (instance_id, id) DO UPDATE SET members = EXCLUDED.members, delivered = g.delivered + EXCLUDED.delivered,
      "read" = g."read" + EXCLUDED."read", played = g.played + EXCLUDED.played
    RETURNING g.instance_id, g.id,
      CASE WHEN g.members <= g.played THEN 'played' WHEN g.members <= g."read" THEN 'read'
        WHEN g.members <= g.delivered THEN 'delivered' END AS status
  )
  UPDATE message AS m SET "status" = s.status, updated = ${TRANSACTION_TIME}
  FROM (
    SELECT DISTINCT f.instance_id, f.id, f.former, counted.status
    FROM counted JOIN fresh AS f USING (instance_id, id) WHERE counted.status IS NOT NULL) AS s
  WHERE m.instance_id = s.instance_id AND m.id = s.id AND message_status_rank(s.status) > message_status_rank(m."status")
  RETURNING m.instance_id AS instance, s.former, m.id, m."messageid", m.chat_id, m."status", m.send_folder_id, m.send_ordinal,
    NULL::bool AS "isLast",
    (SELECT ARRAY[c."wa_chatid", c."wa_chatlid", c."wa_username", c."name"] FROM chat AS c WHERE c.instance_id = m.instance_id AND c.id = m.chat_id) AS "chatNames"`

interface Row {
  readonly instance: InstanceId
  readonly messageid: string
  readonly change: MessageUpdateChange
}

type Raised = ChangedMessage & { readonly instance: InstanceId; readonly former: string }

export class GroupReceipts {
  readonly #rows: Row[] = []

  add(instance: InstanceId, change: MessageUpdateChange): void {
    for (const messageid of new Set(change.messageids)) this.#rows.push({ instance, messageid, change })
  }

  /** Sent behind the inserts of the same batch: what is not stored has no receipts. Notes the messages whose status has moved. */
  async apply(client: Statements, updates: MessageUpdates): Promise<void> {
    const rows = this.#rows
    if (rows.length === 0) return
    const { rows: raised } = await client.query<Raised>(RECEIVE, [
      textArray(rows.map(({ instance }) => instance)),
      textArray(rows.map(({ messageid }) => messageid)),
      textArray(rows.map(({ change }) => change.member?.group)),
      textArray(rows.map(({ change }) => change.member?.person)),
      intArray(rows.map(({ change }) => findRank(change))),
      bigintArray(rows.map(({ change }) => change.member?.atMs)),
    ])
    if (raised.length === 0) return
    const lastByName = new Map(rows.map((row) => [formatName(row, row.change.set.status), row.change]))
    for (const { former, ...message } of raised)
      for (const status of ['delivered', 'read', 'played'] as const) {
        const change = lastByName.get(formatName(message, status))
        const [rank, rankBefore] = [
          findRank({ set: { status } }),
          findRank({ set: { status: former as typeof status } }),
        ]
        const isReached = (rank ?? 0) <= (findRank({ set: { status: message.status as typeof status } }) ?? 0)
        if (change !== undefined && isReached && (rank ?? 0) > (rankBefore ?? Number.POSITIVE_INFINITY))
          updates.note(message.instance, change, { ...message, status })
      }
  }
}

function formatName({ instance, messageid }: Pick<Row, 'instance' | 'messageid'>, status: string | undefined): string {
  return joinKey(instance, messageid, status ?? '')
}
