import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type {
  ActiveCampaign,
  CampaignOptions,
  CampaignRow,
  CampaignSend,
  TextVariant,
  WaitingRecipient,
} from '../../../schemas/campaign.js'
import { ERROR_RATE_MAX, REPLY_DAYS, WEIGHT } from '../../../schemas/campaign.js'
import type { Jid } from '../../../schemas/ids.js'
import { LOOKED_AT } from '../reads/pacing.js'
import { isSuppressedSql, personAddressesSql } from '../suppressions.js'
import { CAMPAIGNS, counterColumns } from './rows.js'

// Bound: 1,048,576, 20,000 values, what a request sends to one recipient.

/** Whether the person of that address has written, by the newest messages of the chat. */
export function hasWrittenSql(address: string): string {
  return `EXISTS (
    SELECT FROM chat_alias AS a CROSS JOIN LATERAL (
      SELECT FROM (SELECT "fromMe" FROM message WHERE instance_id = $1 AND chat_id = a.chat_id
        ORDER BY "messageTimestamp" DESC, position DESC LIMIT ${LOOKED_AT}) AS newest
      WHERE NOT "fromMe" LIMIT 1) AS written
    WHERE a.instance_id = $1 AND a.jid = ${address})`
}

// PostgreSQL's clock decides what is due.
const ACTIVE = `
  SELECT c.id, c.folder, c.status, c.clears, c.template, c.variants, c.options, c.delay_min_ms AS "delayMinMs", c.delay_max_ms AS "delayMaxMs",
    c.own_account AS "ownAccount", c.hold_reason AS "holdReason", p.recent, p.last_ordinal AS "lastOrdinal", ${counterColumns},
    GREATEST(0, extract(epoch FROM GREATEST(c.scheduled_at, p.next_at) - now()) * 1000)::float8 AS "waitMs"
  FROM campaign AS c JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id
  WHERE c.instance_id = $1 AND c.status IN ('scheduled', 'sending', 'deleting') ORDER BY c.scheduled_at, c.id`
// Parked ones that are due come first: those that wait stand behind them in the list. Without a time of its own, a parked one is
// due when the account may write to people who never wrote.
// $2 campaign   $3 ordinal after which it looks   $4 rows   $5 with those without a time of their own
// $6 messages that a person gets   $7 within so many days; null: any number   $8 whether those who have written are looked for
const NEXT = `
  SELECT n.ordinal, n.address, n."wasParked", n."isParkedAsNew", n.attempts, n.timezone, n.content, n.vars,
    ${isSuppressedSql('n.address')} AS "isSuppressed",
    $6::int IS NOT NULL AND EXISTS (SELECT FROM campaign_contact AS c WHERE c.instance_id = $1
      AND c.address = ANY(${personAddressesSql('n.address')})
      AND COALESCE(c.recent[$6], CASE WHEN $6 = 1 THEN c.last_at END) > now() - $7::int * interval '1 day') AS "isTooFrequent",
    n.dedupe_key IS NULL AND EXISTS (SELECT FROM campaign_recipient AS b WHERE b.instance_id = $1 AND b.folder_id = $2 AND b.place = 2
      AND b.address = n.address AND b.ordinal < n.ordinal AND COALESCE(b.due_at > now(), true)) AS "isBehind",
    CASE WHEN $8::bool THEN ${hasWrittenSql('n.address')} END AS "hasWritten"
  FROM (
  (SELECT *, true AS "wasParked", false AS "isParkedAsNew" FROM campaign_recipient
   WHERE instance_id = $1 AND folder_id = $2 AND place = 2 AND due_at <= now() ORDER BY due_at, ordinal LIMIT $4)
  UNION ALL
  (SELECT *, true, true FROM campaign_recipient
   WHERE $5::bool AND instance_id = $1 AND folder_id = $2 AND place = 2 AND due_at IS NULL ORDER BY ordinal LIMIT $4)
  UNION ALL
  (SELECT *, false, false FROM campaign_recipient
   WHERE instance_id = $1 AND folder_id = $2 AND place = 1 AND ordinal > $3 ORDER BY ordinal LIMIT $4)
  LIMIT $4) AS n`
// Those whose chat holds no message of theirs.
// $2 campaign   $3 ordinal after which it looks   $4 rows
const STRANGERS = `
  SELECT r.ordinal, r.address FROM (
    SELECT ordinal, address FROM campaign_recipient
    WHERE instance_id = $1 AND folder_id = $2 AND place = 1 AND ordinal > $3 ORDER BY ordinal LIMIT $4) AS r
  WHERE r.address NOT LIKE '%@g.us' AND NOT ${hasWrittenSql('r.address')}`
// $2 campaign
const FIRST_PARKED = `
  SELECT CASE WHEN due_at IS NOT NULL THEN GREATEST(0, extract(epoch FROM due_at - now()) * 1000)::float8 END AS "inMs",
    COALESCE(reason, '') AS reason
  FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 AND place = 2 ORDER BY due_at, ordinal LIMIT 1`
// $2 message
const RECIPIENT_OF = `
  SELECT r.address, r.attempts FROM message AS m
  JOIN campaign_recipient AS r ON r.instance_id = m.instance_id AND r.folder_id = m.send_folder_id AND r.ordinal = m.send_ordinal
    AND r.messageid = m."messageid"
  JOIN campaign AS c ON c.instance_id = m.instance_id AND c.id = m.send_folder_id
  WHERE m.instance_id = $1 AND m."messageid" = $2 AND m."fromMe" AND r.status = 1 AND c.status IN ('scheduled', 'sending', 'paused')`
// $2 campaign   $3 all of them
const TO_DELETE = `
  SELECT FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 AND ($3 OR place IN (1, 2)) LIMIT 1`

const ACCOUNT = 'SELECT own_account AS account FROM campaign WHERE instance_id = $1 AND id = $2'

const AWAITS = `
  SELECT FROM campaign WHERE instance_id = $1 AND started IS NOT NULL AND (ended IS NULL OR ended > now() - interval '${REPLY_DAYS} days') LIMIT 1`

type StoredOptions = Pick<ActiveCampaign, 'window' | 'frequencyCap' | 'errorRateMax' | 'weight'>
type ActiveRow = Omit<ActiveCampaign, 'send' | 'variants' | keyof StoredOptions> & {
  readonly options: string
  readonly template: string | null
  readonly variants: string | null
}
type RecipientRow = Omit<WaitingRecipient, 'send' | 'vars'> & {
  readonly content: string | null
  readonly vars: string | null
}

/** Reads campaigns, for their dispatcher. */
export function campaignReads(
  pool: pg.Pool,
): Pick<
  InstanceReader,
  | 'activeCampaigns'
  | 'nextRecipients'
  | 'strangersAmong'
  | 'firstParked'
  | 'findRecipient'
  | 'hasRecipientsToDelete'
  | 'campaign'
  | 'campaigns'
  | 'accountOfCampaign'
  | 'awaitsReplies'
> {
  return {
    async activeCampaigns(instance) {
      const { rows } = await pool.query<ActiveRow>(ACTIVE, [instance])
      return rows.map(({ template, variants, options, ...row }) => ({
        ...row,
        ...parseOptions(options),
        send: template === null ? null : (JSON.parse(template) as CampaignSend),
        variants: variants === null ? [] : (JSON.parse(variants) as TextVariant[]),
      }))
    },

    async nextRecipients(instance, folderId, after, limit, { withNew, cap, withWritten }) {
      const values = [instance, folderId, after, limit, withNew, cap?.messages ?? null, cap?.days ?? null, withWritten]
      const { rows } = await pool.query<RecipientRow>(NEXT, values)
      return rows.map(({ content, vars, address, ...row }) => ({
        ...row,
        address: address as Jid,
        send: content === null ? null : (JSON.parse(content) as CampaignSend),
        vars: vars === null ? null : (JSON.parse(vars) as Record<string, string>),
      }))
    },

    async strangersAmong(instance, folderId, after, limit) {
      const values = [instance, folderId, after, limit]
      return (await pool.query<{ ordinal: number; address: string }>(STRANGERS, values)).rows
    },

    async firstParked(instance, folderId) {
      const values = [instance, folderId]
      return (await pool.query<{ inMs: number | null; reason: string }>(FIRST_PARKED, values)).rows[0] ?? null
    },

    async findRecipient(instance, messageid) {
      const values = [instance, messageid]
      return (await pool.query<{ address: Jid; attempts: number }>(RECIPIENT_OF, values)).rows[0] ?? null
    },

    async hasRecipientsToDelete(instance, folderId, all) {
      const { rowCount } = await pool.query(TO_DELETE, [instance, folderId, all])
      return (rowCount ?? 0) > 0
    },

    async campaign(instance, folderId) {
      const { rows } = await pool.query<CampaignRow>(`${CAMPAIGNS} AND c.id = $2`, [instance, folderId])
      return rows[0] ?? null
    },

    async accountOfCampaign(instance, folderId) {
      const { rows } = await pool.query<{ account: string }>(ACCOUNT, [instance, folderId])
      return rows[0]?.account ?? ''
    },

    async awaitsReplies(instance) {
      const { rowCount } = await pool.query(AWAITS, [instance])
      return (rowCount ?? 0) > 0
    },

    async campaigns(instance) {
      return (await pool.query<CampaignRow>(`${CAMPAIGNS} ORDER BY c.created DESC, c.id`, [instance])).rows
    },
  }
}

function parseOptions(options: string): StoredOptions {
  const stored = JSON.parse(options) as CampaignOptions
  const { window = null, frequencyCap = null, errorRateMax = ERROR_RATE_MAX, weight = WEIGHT } = stored
  return { window, frequencyCap, errorRateMax, weight }
}
