/**
 * Rules for columns of an imported file, beyond their types. The file is made elsewhere, perhaps by a tenant: a value that breaks a reader
 * (JSON that does not parse, a time that is no `Date`), names a file of another tenant, or that the API would refuse is refused here.
 */
import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { CAMPAIGN_RECIPIENTS_MAX } from '../../../schemas/campaign.js'
import { messageFilters } from '../../../schemas/event-kinds.js'
import { changedTags, INSTANCE_TAG_LENGTH_MAX, INSTANCE_TAGS_MAX } from '../../../schemas/instance-tags.js'
import { changedFieldsMap, type FieldsMap } from '../../../schemas/lead-fields.js'
import { OPT_OUT_LENGTH_MAX, OPT_OUT_WORDS_MAX } from '../../../schemas/opt-out.js'
import { isCountry } from '../../../schemas/phone-number.js'
import { parseProxySettings } from '../../../schemas/proxy.js'
import { suppressionLimit } from '../../../schemas/record-limits.js'
import { parseScheduledContent } from '../../../schemas/scheduled-send.js'
import { FIRST_SEND_KIND } from '../../../schemas/sealed-kinds.js'
import { SEND_AHEAD_MAX_MS } from '../../../schemas/send-time.js'
import { parseWebhookAccess } from '../../../schemas/webhook-access.js'
import { parseChatwootSecrets } from '../chatwoot/config-rows.js'
import { AGENT_RULES, checkJson, isNear, jid, jsonObject, type Rule } from './agent-rules.js'
import { CAMPAIGN_RULES } from './campaign-rules.js'
import { hasStoredFile } from './file-names.js'

// Bound: 1,048,576, a value of an imported row.

const SHA256 = /^\\x[0-9a-f]{64}$/
const SCOPES = new Set(['read', 'send', 'change'])
const STATUSES = new Set(['queued', 'pending', 'sent', 'delivered', 'read', 'played', 'failed', 'deleted', 'canceled'])
const SCHEDULED_STATUSES = new Set(['scheduled', 'canceled', 'failed'])
const CONNECTION_STATUSES = new Set(['disconnected', 'connecting', 'connected'])
const FILTERS = new Set(messageFilters.map((filter) => filter.toLowerCase()))
/** Leaves room above for all that will come, within what a number holds exactly. */
const SEQUENCE_MAX = 2 ** 48
const PAUSE_MAX_MS = 86_400_000
/** In base64: 50,000 characters of up to 4 bytes. */
const HEADERS_LENGTH_MAX = 300_000

const sha256 = (value: string) => (SHA256.test(value) ? null : 'must be a SHA-256 hash')
const pause = (value: number) =>
  value >= 0 && value <= PAUSE_MAX_MS ? null : `must be 0 to ${PAUSE_MAX_MS} milliseconds`
const wholeAbove0 = (value: number) => (value > 0 ? null : 'must be above 0')
const jsonTexts = checkJson(
  'list of texts',
  (parsed) => Array.isArray(parsed) && parsed.every((one) => typeof one === 'string'),
)

export const COLUMN_RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  instance: {
    token_hash: sha256,
    owner_jid: jid,
    owner_lid: jid,
    presence: (value: string) =>
      value === 'available' || value === 'unavailable' ? null : 'must be available or unavailable',
    tags: (value: string[]) =>
      areTags(value) ? null : 'must be at most 20 different tags of 1 to 50 characters, in order',
    call_settings: (value: string) =>
      value === '' || (value.length <= 10_000 && jsonObject(value) === null)
        ? null
        : 'must be an object of JSON, not too long',
    reading_settings: (value: string) =>
      value === '' || (value.length <= 1_000 && jsonObject(value) === null)
        ? null
        : 'must be an object of JSON, not too long',
    opt_out_words: (value: string) =>
      value.length <= OPT_OUT_WORDS_MAX * (OPT_OUT_LENGTH_MAX + 1) ? null : 'must be at most 50 words',
    default_country: (value: string) =>
      value === '' || isCountry(value) ? null : 'must be the ISO code of a country, or empty',
    fields_map: (value: string) => jsonObject(value) ?? (isFieldsMap(value) ? null : 'must name custom lead fields'),
  },
  instance_proxy: {
    // A base64 text: see `checkedRow`.
    settings: (value: string) =>
      parseProxySettings(Buffer.from(value, 'base64').toString()) === null ? 'must be the settings of a proxy' : null,
  },
  dialect_instance: {
    dialect: (value: string) => (value === 'evolution' ? null : 'must be evolution'),
    name: (value: string) => (/^[^/?#\p{Cc}]{1,100}$/u.test(value) ? null : 'must be a name of 1 to 100 characters'),
    // A base64 text: see `checkedRow`.
    token: (value: string) =>
      /^[\x21-\x7e]{8,200}$/.test(Buffer.from(value, 'base64').toString()) ? null : 'must be a token',
    settings: (value: string) =>
      value.length <= 10_000 && jsonObject(value) === null ? null : 'must be an object of JSON, not too long',
  },
  connection_history: {
    status: (value: string) =>
      CONNECTION_STATUSES.has(value) ? null : `must be one of: ${[...CONNECTION_STATUSES].join(', ')}`,
    reason: (value: string) => (value.length <= 1_000 ? null : 'must be at most 1000 characters'),
  },
  send_pacer: {
    delay_min_ms: pause,
    delay_max_ms: pause,
    state: (value: string) =>
      value === '' || (value.length <= 10_000 && jsonObject(value) === null)
        ? null
        : 'must be an object of JSON, not too long',
  },
  event_sequence: {
    last: (value: number) => (value >= 0 && value <= SEQUENCE_MAX ? null : `must be 0 to ${SEQUENCE_MAX}`),
  },
  access_key: {
    id: (value: string) => (/^[0-9a-f-]{8,36}$/.test(value) ? null : 'must be the id of a key'),
    hash: sha256,
    // A former token is in no list and cannot be revoked, so it must end by itself.
    kind: (value: string, { ends }) =>
      value === 'key' || (value === 'former' && ends !== null) ? null : 'must be key, or former with an end',
    scopes: (value: string[], { kind }) => {
      if (kind === 'former') return value.length === 0 ? null : 'must be empty for a former token'
      return value.length > 0 && value.every((scope) => SCOPES.has(scope)) ? null : 'must be read, send or both'
    },
    chat: jid,
  },
  chat: { wa_chatid: jid, wa_label: jsonTexts },
  group_info: { jid, info: jsonObject },
  agent_function: {
    parameters: checkJson('list', Array.isArray),
    // A base64 text: see `checkedRow`.
    headers_sealed: (value: string) =>
      isUtf8(Buffer.from(value, 'base64')) && value.length <= HEADERS_LENGTH_MAX ? null : 'must be headers',
  },
  message: {
    status: (value: string) => (STATUSES.has(value) ? null : `must be one of: ${[...STATUSES].join(', ')}`),
    content: checkJson('value', () => true),
    ad: (value: string) => (value.length <= 70_000 ? jsonObject(value) : 'must be at most 70000 characters'),
    ai_metadata: (value: string) => (value.length <= 70_000 ? jsonObject(value) : 'must be at most 70000 characters'),
    // Ours: a file that the administrator brings; its values are counted before.
    queued_request: (value: string) => jsonObject(value) ?? (hasStoredFile(JSON.parse(value)) ? FILE_LEFT : null),
  },
  campaign_contact: {
    address: jid,
    folder_id: (value: string) => (/^r[0-9a-f]{14}$/.test(value) ? null : 'must be the id of a campaign'),
    ordinal: (value: number) =>
      value >= 0 && value < CAMPAIGN_RECIPIENTS_MAX ? null : 'must be the place of a recipient',
  },
  suppression: {
    address: jid,
    reason: (value: string) =>
      value.length <= suppressionLimit.reasonLengthMax ? null : 'must be at most 200 characters',
    source: (value: string) => (value === 'api' || value === 'opt_out' ? null : 'must be api or opt_out'),
  },
  signal_key: {
    kind: (value: string) => (value === FIRST_SEND_KIND ? 'must not be that of a send, which stays behind' : null),
  },
  scheduled_send: {
    status: (value: string) =>
      SCHEDULED_STATUSES.has(value) ? null : `must be one of: ${[...SCHEDULED_STATUSES].join(', ')}`,
    messageid: (value: string) => (/^[\x21-\x7e]{1,200}$/.test(value) ? null : 'must be the id of a message'),
    record_id: (value: string) => (/^(r[0-9a-f]{7})?$/.test(value) ? null : 'must be the id of a record'),
    chat: (value: string[]) => (value.length > 0 && value.every((one) => jid(one) === null) ? null : 'must be JIDs'),
    asked: (value: string) => (value.length <= 100 ? null : 'must be at most 100 characters'),
    zone: (value: string) => (value.length <= 64 ? null : 'must be at most 64 characters'),
    track_id: (value: string) => (value.length <= 500 ? null : 'must be at most 500 characters'),
    due: isNear,
    expire_after_ms: (value: number) =>
      value >= 0 && value <= SEND_AHEAD_MAX_MS ? null : `must be 0 to ${SEND_AHEAD_MAX_MS}`,
    revision: (value: number) => (value >= 1 && value <= 2 ** 30 ? null : 'must be a small number'),
    has_file: (value: boolean) => (value ? FILE_LEFT : null),
    // A base64 text: see `checkedRow`.
    request: (value: string, { messageid }) => {
      const content = parseScheduledContent(Buffer.from(value, 'base64').toString(), String(messageid))
      return content === null ? 'must be a send of this message' : hasStoredFile(content) ? FILE_LEFT : null
    },
  },
  ...CAMPAIGN_RULES,
  ...AGENT_RULES,
  chatwoot_config: {
    url: (value: string) =>
      value.length <= 2_000 && /^https?:\/\//.test(value) && URL.canParse(value) ? null : 'must be an address of HTTP',
    account_id: wholeAbove0,
    inbox_id: wholeAbove0,
    inbox_identifier: (value: string) => (value.length <= 500 ? null : 'must be at most 500 characters'),
    token_mask: (value: string) => (value.length <= 10 ? null : 'must be at most 10 characters'),
    // A base64 text: see `checkedRow`.
    secrets: (value: string) =>
      parseChatwootSecrets(Buffer.from(value, 'base64').toString()) === null
        ? 'must be the secrets of a Chatwoot'
        : null,
  },
  webhook: {
    // A base64 text: see `checkedRow`.
    access: (value: string) =>
      parseWebhookAccess(Buffer.from(value, 'base64').toString()) === null
        ? 'must be the headers and credentials of a webhook'
        : null,
    batch_max: (value: number, { batch_wait_ms: wait }) =>
      typeof wait === 'number' && value >= 2 && value <= 500 ? null : 'must be 2 to 500, with a batch_wait_ms',
    batch_wait_ms: (value: number, { batch_max: max }) =>
      typeof max === 'number' && value >= 0 && value <= 5_000 ? null : 'must be 0 to 5000, with a batch_max',
    form: (value: string) => (value === '1.0' || value === 'evolution' ? null : 'must be 1.0 or evolution'),
    form_events: (value: string[]) =>
      value.length <= 50 && value.every((name) => /^[A-Z_]{1,64}$/.test(name)) ? null : 'must be names of events',
    exclude_messages: (value: string[]) =>
      value.every((filter) => FILTERS.has(filter.toLowerCase())) ? null : `must be of: ${messageFilters.join(', ')}`,
  },
}

/** Files lie in the storage of an installation and do not travel; the name of one here would be somebody else's. */
const FILE_LEFT = 'must not name a stored file'

function isFieldsMap(value: string): boolean {
  // Bound: 10,000, names of fields.
  const map = JSON.parse(value) as FieldsMap
  if (!Object.values(map).every((name) => typeof name === 'string' && name.length <= 255)) return false
  try {
    return Object.keys(changedFieldsMap({}, map)).length === Object.keys(map).length
  } catch {
    return false
  }
}

function areTags(value: readonly string[]): boolean {
  if (!value.every((tag) => tag.trim() !== '' && tag.length <= INSTANCE_TAG_LENGTH_MAX && !/\p{Cc}/u.test(tag)))
    return false
  return value.length <= INSTANCE_TAGS_MAX && isDeepStrictEqual(changedTags([], { tags: value }), value)
}
