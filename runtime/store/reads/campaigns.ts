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
import { REPLY_DAYS } from '../../../schemas/campaign.js'
import type { Jid } from '../../../schemas/ids.js'
import { CAMPAIGNS, counterColumns } from '../campaign-rows.js'
import { isSuppressedSql, personAddressesSql } from '../suppressions.js'

// PostgreSQL's clock decides what is due.
const ACTIVE = `
  SELECT c.id, c.folder, c.status, c.clears, c.template, c.variants, c.options, c.delay_min_ms AS "delayMinMs", c.delay_max_ms AS "delayMaxMs",
    c.own_account AS "ownAccount", p.last_ordinal AS "lastOrdinal", ${counterColumns},
    GREATEST(0, extract(epoch FROM GREATEST(c.scheduled_at, p.next_at) - now()) * 1000)::float8 AS "waitMs"
  FROM campaign AS c JOIN campaign_progress AS p ON p.instance_id = c.instance_id AND p.folder_id = c.id
  WHERE c.instance_id = $1 AND c.status IN ('scheduled', 'sending', 'deleting') ORDER BY c.scheduled_at, c.id`
// Parked ones that are due come first: those that wait stand behind them in the list.
// $2 campaign   $3 ordinal after which it looks   $4 rows
// $5 messages that a person gets   $6 within so many days; null: any number
const NEXT = `
  SELECT n.*, ${isSuppressedSql('n.address')} AS "isSuppressed",
    $5::int IS NOT NULL AND EXISTS (SELECT FROM campaign_contact AS c WHERE c.instance_id = $1
      AND c.address = ANY(${personAddressesSql('n.address')})
      AND COALESCE(c.recent[$5], CASE WHEN $5 = 1 THEN c.last_at END) > now() - $6::int * interval '1 day') AS "isTooFrequent" FROM (
  (SELECT ordinal, address, true AS "wasParked", attempts, timezone, content, vars FROM campaign_recipient
   WHERE instance_id = $1 AND folder_id = $2 AND place = 2 AND due_at <= now() ORDER BY due_at, ordinal LIMIT $4)
  UNION ALL
  (SELECT ordinal, address, false, attempts, timezone, content, vars FROM campaign_recipient
   WHERE instance_id = $1 AND folder_id = $2 AND place = 1 AND ordinal > $3 ORDER BY ordinal LIMIT $4)
  LIMIT $4) AS n`
// $2 campaign   $3 all of them
const TO_DELETE = `
  SELECT FROM campaign_recipient WHERE instance_id = $1 AND folder_id = $2 AND ($3 OR place IN (1, 2)) LIMIT 1`

const ACCOUNT = 'SELECT own_account AS account FROM campaign WHERE instance_id = $1 AND id = $2'

const AWAITS = `
  SELECT FROM campaign WHERE instance_id = $1 AND started IS NOT NULL AND (ended IS NULL OR ended > now() - interval '${REPLY_DAYS} days') LIMIT 1`

type ActiveRow = Omit<ActiveCampaign, 'send' | 'variants' | 'window' | 'frequencyCap'> & {
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
        ...optionsOf(options),
        send: template === null ? null : (JSON.parse(template) as CampaignSend),
        variants: variants === null ? [] : (JSON.parse(variants) as TextVariant[]),
      }))
    },

    async nextRecipients(instance, folderId, after, limit, cap) {
      const values = [instance, folderId, after, limit, cap?.messages ?? null, cap?.days ?? null]
      const { rows } = await pool.query<RecipientRow>(NEXT, values)
      return rows.map(({ content, vars, address, ...row }) => ({
        ...row,
        address: address as Jid,
        send: content === null ? null : (JSON.parse(content) as CampaignSend),
        vars: vars === null ? null : (JSON.parse(vars) as Record<string, string>),
      }))
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

function optionsOf(options: string): Pick<ActiveCampaign, 'window' | 'frequencyCap'> {
  const { window = null, frequencyCap = null } = JSON.parse(options) as CampaignOptions
  return { window, frequencyCap }
}
