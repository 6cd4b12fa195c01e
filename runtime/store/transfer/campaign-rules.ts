/** Rules for campaigns of an imported file. */

import { isObject } from '../../../lib/is-object.js'
import type {
  CampaignOptions,
  CampaignSend,
  CampaignStatus,
  FrequencyCap,
  PauseReason,
  TextVariant,
} from '../../../schemas/campaign.js'
import { CAMPAIGN_RECIPIENTS_MAX, recipientStatus } from '../../../schemas/campaign.js'
import { isSendContent } from '../../../schemas/scheduled-send.js'
import { isSendWindow } from '../../../schemas/send-window.js'
import { isTimeZone } from '../../../schemas/time-zone.js'
import { checkJson, isNear, jid, jsonObject, type Rule } from './agent-rules.js'
import { namesFile } from './file-names.js'

// Bound: 1,048,576, a value of an imported row.

const STATUSES: ReadonlySet<string> = new Set<CampaignStatus>(['scheduled', 'sending', 'paused', 'done', 'deleting'])
const REASONS: ReadonlySet<string> = new Set<PauseReason | ''>([
  ...(['', 'asked', 'logged_out', 'banned', 'other_account', 'error_rate', 'file_gone'] as const),
])
const RECIPIENT_STATUSES: ReadonlySet<number> = new Set(Object.values(recipientStatus))
const PLACE_MAX = 4
const VARIANTS_MAX = 20
const DELAY_MAX_MS = 86_400_000
const DAYS_MAX = 1_000_000
const FREQUENCY_MESSAGES_MAX = 10
const FREQUENCY_DAYS_MAX = 365

const folderId = (value: string) => (/^r[0-9a-f]{14}$/.test(value) ? null : 'must be the id of a campaign')
const otherFolder = (value: string) => (value === '' ? null : folderId(value))
const upTo = (max: number) => (value: string) => (value.length <= max ? null : `must be at most ${max} characters`)
const between = (min: number, max: number) => (value: number) =>
  value >= min && value <= max ? null : `must be ${min} to ${max}`
const zone = (value: string) => (isTimeZone(value) ? null : 'must be the name of a time zone')
const amount = between(0, CAMPAIGN_RECIPIENTS_MAX)
const wholeSend: Rule = checkJson('send without the name of a stored file', isSend)

export const CAMPAIGN_RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  campaign: {
    id: folderId,
    folder: upTo(1_000),
    unique_name: upTo(1_000),
    info: upTo(1_000),
    status: (value: string) => (STATUSES.has(value) ? null : `must be one of: ${[...STATUSES].join(', ')}`),
    reason: (value: string) => (REASONS.has(value) ? null : `must be one of: ${[...REASONS].join(', ')}`),
    hold_reason: upTo(100),
    template: wholeSend,
    variants: checkJson('list of texts with weights', areVariants),
    options: (value: string) =>
      jsonObject(value) ??
      (areGoodOptions(value)
        ? null
        : 'must have a window that opens, a good frequency cap, and an error rate and a weight of 1 to 100'),
    daily_cap: between(1, CAMPAIGN_RECIPIENTS_MAX),
    timezone: zone,
    delay_min_ms: between(0, DELAY_MAX_MS),
    delay_max_ms: between(0, DELAY_MAX_MS),
    scheduled_at: isNear,
    hold_until: isNear,
    own_account: (value: string) => (value === '' ? null : jid(value)),
    source: otherFolder,
    files_of: otherFolder,
    idempotency_key: upTo(200),
    request_hash: upTo(200),
  },
  campaign_progress: {
    folder_id: folderId,
    next_at: isNear,
    day: between(0, DAYS_MAX),
    day_taken: amount,
    last_ordinal: between(-1, CAMPAIGN_RECIPIENTS_MAX),
    node_wait_ms: between(0, 2_147_483_647),
    recent: (value: string) => (/^[01]{0,50}$/.test(value) ? null : 'must be up to 50 of 0 and 1'),
    ...Object.fromEntries(
      [
        'total',
        'taken',
        'parked',
        'sent',
        'delivered',
        'read',
        'played',
        'replied',
        'failed',
        'skipped',
        'deleted',
      ].map((counter) => [counter, amount]),
    ),
  },
  campaign_recipient: {
    folder_id: folderId,
    ordinal: between(0, CAMPAIGN_RECIPIENTS_MAX - 1),
    address: jid,
    place: between(0, PLACE_MAX),
    status: (value: number) => (RECIPIENT_STATUSES.has(value) ? null : 'must be a status of a recipient'),
    attempts: between(0, 30_000),
    due_at: isNear,
    messageid: upTo(200),
    content: wholeSend,
    vars: checkJson('object of texts', areVars),
    dedupe_key: upTo(110),
    reason: upTo(100),
    error: upTo(10_000),
    replied_at: isNear,
    timezone: zone,
  },
}

function isSend(value: unknown): boolean {
  if (!isObject(value)) return false
  const { content, options } = value as Partial<CampaignSend>
  return isSendContent(content) && isObject(options) && !namesFile(content)
}

function areVariants(value: unknown): boolean {
  const isVariant = (one: Partial<TextVariant> | null) =>
    isObject(one) && typeof one.text === 'string' && Number.isSafeInteger(one.weight) && Number(one.weight) > 0
  return Array.isArray(value) && value.length > 0 && value.length <= VARIANTS_MAX && value.every(isVariant)
}

function areVars(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value) && Object.values(value).every((one) => typeof one === 'string')
}

function isFrequencyCap(value: unknown): boolean {
  if (!isObject(value)) return false
  const { messages, days } = value as Partial<FrequencyCap>
  return (
    [messages, days].every(Number.isSafeInteger) &&
    isWithin(messages, FREQUENCY_MESSAGES_MAX) &&
    isWithin(days, FREQUENCY_DAYS_MAX)
  )
}

function isWithin(value: number | undefined, max: number): boolean {
  return value !== undefined && value >= 1 && value <= max
}

function areGoodOptions(json: string): boolean {
  // Bound: 10,000, options of a campaign.
  const { window, frequencyCap, errorRateMax, weight } = JSON.parse(json) as Partial<
    Record<keyof CampaignOptions, unknown>
  >
  return (
    (window === undefined || isSendWindow(window)) &&
    (frequencyCap === undefined || isFrequencyCap(frequencyCap)) &&
    [errorRateMax, weight].every(
      (one) => one === undefined || (Number.isSafeInteger(one) && isWithin(Number(one), 100)),
    )
  )
}
