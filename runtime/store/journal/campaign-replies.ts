/** Notes the first message of a person after a message of a campaign, in the transaction that stores it. */
import type { Change } from '../../../actors/instance/ports.js'
import { REPLY_DAYS } from '../../../schemas/campaign.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { personAddresses } from '../../../schemas/jid.js'
import { bigintArray, boolArray, textArray } from '../arrays.js'
import { spellingsSql } from '../suppressions.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { Insertion } from './message-inserts.js'

type ReplyChange = Extract<Change, { type: 'campaign.reply' }>

/** Maximum difference of PostgreSQL's clock and the network's. A message from before that of the campaign is no reply to it. */
const CLOCKS_SECONDS = 60

// Of a person who is in no campaign it reads one key of campaign_contact for each address. That row notes that the reply is counted. A message of the campaign in this same transaction has not left yet, so nothing replies to it.
// $1 instances   $2 addresses   $3 times of the messages   $4 the person's other address is not known
const REPLY = `
  WITH u AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bool[]) AS u(instance_id, address, sent_ms, is_half)
  ), people AS (
    SELECT instance_id, address, sent_ms FROM u
    UNION ALL SELECT u.instance_id, unnest(${spellingsSql('m.pn')}), sent_ms FROM u JOIN lid_mapping AS m
      ON u.is_half AND m.instance_id = u.instance_id AND m.lid = u.address
    UNION ALL SELECT u.instance_id, m.lid, sent_ms FROM u JOIN lid_mapping AS m
      ON u.is_half AND m.instance_id = u.instance_id AND m.pn = u.address
  ), awaited AS (
    SELECT c.instance_id, c.address, c.folder_id, c.ordinal FROM campaign_contact AS c JOIN people AS p
      ON c.instance_id = p.instance_id AND c.address = p.address
    WHERE c.folder_id IS NOT NULL AND NOT c.answered AND c.last_at < now() AND c.last_at > now() - interval '${REPLY_DAYS} days'
      AND c.last_at < to_timestamp(p.sent_ms / 1000.0) + interval '${CLOCKS_SECONDS} seconds'
    FOR UPDATE OF c
  ), answered AS (
    UPDATE campaign_contact AS c SET answered = true FROM awaited AS a
    WHERE c.instance_id = a.instance_id AND c.address = a.address
  ), replied AS (
    UPDATE campaign_recipient AS r SET replied_at = now(), updated = now() FROM awaited AS a
    WHERE r.instance_id = a.instance_id AND r.folder_id = a.folder_id AND r.ordinal = a.ordinal
      AND r.replied_at IS NULL AND r.status BETWEEN 1 AND 5
    RETURNING r.instance_id, r.folder_id
  )
  UPDATE campaign_progress AS p SET replied = p.replied + n.replied
  FROM (SELECT instance_id, folder_id, count(*) AS replied FROM replied GROUP BY instance_id, folder_id) AS n
  WHERE p.instance_id = n.instance_id AND p.folder_id = n.folder_id`

/** Call it after the messages were inserted: one that was stored before is no further reply. */
export function sendCampaignReplies(
  client: Statements,
  writes: readonly Write[],
  insertions: ReadonlyMap<object, Insertion>,
): Promise<unknown>[] {
  const replies = newReplies(writes, insertions)
  if (replies.length === 0) return []
  const spellings = replies.flatMap(({ instance, change: { chat, sentAtMs } }) => {
    const isHalf = chat.pn === undefined || chat.lid === undefined
    return personAddresses(chat).map((address) => ({ instance, address, sentAtMs, isHalf }))
  })
  const values = [
    textArray(spellings.map(({ instance }) => instance)),
    textArray(spellings.map(({ address }) => address)),
    bigintArray(spellings.map(({ sentAtMs }) => sentAtMs)),
    boolArray(spellings.map(({ isHalf }) => isHalf)),
  ]
  return [client.query(REPLY, values)]
}

/** Returns the replies whose messages are new. Each stands behind its message in the same write. */
function newReplies(writes: readonly Write[], insertions: ReadonlyMap<object, Insertion>) {
  const replies: { readonly instance: InstanceId; readonly change: ReplyChange }[] = []
  for (const { instance, changes } of writes) {
    let last: Insertion | undefined
    for (const change of changes) {
      if (change.type === 'message') last = insertions.get(change)
      if (change.type !== 'campaign.reply' || last?.message.messageid !== change.messageid) continue
      if (last.isNew && last.sameAs === null) replies.push({ instance, change })
    }
  }
  return replies
}
