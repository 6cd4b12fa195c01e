/** Rules for agents, triggers and settings of the chatbot of an imported file. */

import { exceededLimit } from '../../../lib/json-shape.js'
import {
  ALLOWED_IDS_MAX,
  ANSWER_TOKENS_MAX,
  BASE_URL_LENGTH_MAX,
  BLOCKED_REASON_LENGTH_MAX,
  CONTEXT_HOURS_MAX,
  CONTEXT_MESSAGES_MAX,
  DELAY_SECONDS_MAX,
  FALLBACK_LENGTH_MAX,
  ID_LENGTH_MAX,
  KEY_LENGTH_MAX,
  LEAD_VALUE_LENGTH_MAX,
  MESSAGE_LENGTH_MAX,
  MODEL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PAUSE_MINUTES_MAX,
  PRICE_MAX,
  PRIORITY_MAX,
  PROMPT_LENGTH_MAX,
  parseTriggerSchedule,
  SCALE_MAX,
  STOP_WORD_LENGTH_MAX,
  TRIGGER_LEAD_FIELDS,
  TYPING_SECONDS_MAX,
  WORDS_LENGTH_MAX,
} from '../../../schemas/agents/limits.js'
import { LEAD_OPERATORS, PROVIDERS } from '../../../schemas/agents/records.js'
import { SEND_AHEAD_MAX_MS } from '../../../schemas/send-time.js'

/** Rules for values of an imported file that several tables share. */

// Bound: 1,048,576, a value of an imported row.

/** Returns what is wrong, as in "must be …"; null when the value is good. `value` has the type of its column and is not null. */
export type Rule = (value: never, row: Readonly<Record<string, unknown>>) => string | null

const JID = /^[\w.:-]{1,80}@[a-z.]{1,20}$/
/** Far more than nested quotes have, far less than what a parser's stack bears. */
const CONTENT = { depthMax: 200, keysMax: 60_000, valuesMax: 60_000 }

export const jid = (value: string) => (JID.test(value) ? null : 'must be a JID')
export const jsonObject = checkJson(
  'object',
  (parsed) => typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed),
)

export function checkJson(what: string, fits: (parsed: unknown) => boolean): (value: string) => string | null {
  return (value) => {
    if (exceededLimit(Buffer.from(value), CONTENT) !== null) return 'must be JSON with fewer values and levels'
    try {
      // Ours: a file that the administrator brings; its values are counted before.
      return fits(JSON.parse(value) as unknown) ? null : `must be JSON of a ${what}`
    } catch {
      return 'must be JSON'
    }
  }
}

/** Rejects a time far ahead, which would never end, and an invalid time, which would break its readers. */
export function isNear(value: string): string | null {
  const atMs = Date.parse(value)
  return atMs > 0 && atMs < Date.now() + 2 * SEND_AHEAD_MAX_MS ? null : 'must be a time of this or the next year'
}

const upTo = (max: number) => (value: string) => (value.length <= max ? null : `must be at most ${max} characters`)
const between = (min: number, max: number) => (value: number) =>
  value >= min && value <= max ? null : `must be ${min} to ${max}`
const recordId = (value: string) => (/^r[0-9a-f]{1,39}$/.test(value) ? null : 'must be the id of a record')
const checkChoice = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? null : `must be one of: ${values.join(', ')}`
const ids = (value: string[]) =>
  value.length <= ALLOWED_IDS_MAX && value.every((id) => id.length <= ID_LENGTH_MAX) ? null : 'must be ids of records'
const mask = (value: string) => (/^(sk-)?\.\.\..{0,4}$|^$/u.test(value) ? null : 'must be the mask of a key')
// A base64 text: see `checkedRow`.
const key = (value: string) => {
  const text = Buffer.from(value, 'base64').toString()
  return /^[\x21-\x7e]+$/.test(text) && text.length <= KEY_LENGTH_MAX ? null : 'must be a key'
}
const baseUrl = (value: string) =>
  value === '' || (value.length <= BASE_URL_LENGTH_MAX && /^https?:/.test(value) && URL.canParse(value))
    ? null
    : 'must be a URL'
const scale = between(0, SCALE_MAX)
const minutes = between(0, PAUSE_MINUTES_MAX)
const price = between(0, PRICE_MAX)

export const AGENT_RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  chatbot_settings: {
    stop_word: upTo(STOP_WORD_LENGTH_MAX),
    stop_minutes: minutes,
    own_message_minutes: minutes,
    cost_per_day_micros: price,
    embedding_price_micros: price,
    transcription_price_micros: price,
    openai_key: key,
    openai_key_mask: mask,
  },
  agent: {
    id: recordId,
    name: upTo(NAME_LENGTH_MAX),
    provider: checkChoice(PROVIDERS),
    model: upTo(MODEL_LENGTH_MAX),
    apikey: key,
    apikey_mask: mask,
    base_url: baseUrl,
    embedding_model: upTo(MODEL_LENGTH_MAX),
    base_prompt: upTo(PROMPT_LENGTH_MAX),
    max_tokens: between(1, ANSWER_TOKENS_MAX),
    temperature: scale,
    diversity_level: scale,
    frequency_penalty: scale,
    presence_penalty: scale,
    max_message_length: between(0, MESSAGE_LENGTH_MAX),
    typing_delay_seconds: between(0, TYPING_SECONDS_MAX),
    context_hours: between(0, CONTEXT_HOURS_MAX),
    context_messages_max: between(0, CONTEXT_MESSAGES_MAX),
    context_messages_min: between(0, CONTEXT_MESSAGES_MAX),
    functions: ids,
    knowledge: ids,
    fallback_message: upTo(FALLBACK_LENGTH_MAX),
    input_price: price,
    output_price: price,
    blocked_reason: upTo(BLOCKED_REASON_LENGTH_MAX),
    blocked_code: checkChoice(['', 'provider_key', 'provider_quota']),
  },
  agent_trigger: {
    id: recordId,
    type: checkChoice(['agent']),
    agent_id: recordId,
    lead_field: checkChoice(['', ...TRIGGER_LEAD_FIELDS]),
    lead_operator: checkChoice(LEAD_OPERATORS),
    lead_value: upTo(LEAD_VALUE_LENGTH_MAX),
    priority: between(-PRIORITY_MAX, PRIORITY_MAX),
    words_to_start: upTo(WORDS_LENGTH_MAX),
    response_delay_seconds: between(0, DELAY_SECONDS_MAX),
    schedule: (value: string) => (parseTriggerSchedule(value) === undefined ? 'must be a schedule' : null),
  },
}
