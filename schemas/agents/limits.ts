/** Bounds of agents, triggers and settings of the chatbot. The schemas of requests name the same; imported files are held against them too. */
import { customLeadFields } from '../lead-fields.js'

export const NAME_LENGTH_MAX = 200
export const MODEL_LENGTH_MAX = 200
export const KEY_LENGTH_MAX = 500
export const BASE_URL_LENGTH_MAX = 2_048
export const PROMPT_LENGTH_MAX = 50_000
export const ANSWER_TOKENS_MAX = 32_000
export const SCALE_MAX = 100
export const MESSAGE_LENGTH_MAX = 65_536
export const TYPING_SECONDS_MAX = 60
/** A year. */
export const CONTEXT_HOURS_MAX = 8_760
export const CONTEXT_MESSAGES_MAX = 200
export const ALLOWED_IDS_MAX = 1_000
export const ID_LENGTH_MAX = 40
export const FALLBACK_LENGTH_MAX = 4_096
/** A million in the caller's currency, in millionths. */
export const PRICE_MAX = 1e12
export const BLOCKED_REASON_LENGTH_MAX = 500

export const PRIORITY_MAX = 1_000_000
export const WORDS_LENGTH_MAX = 2_000
export const LEAD_VALUE_LENGTH_MAX = 200
export const DELAY_SECONDS_MAX = 300
export const WINDOWS_MAX = 20
export const CLOSED_LENGTH_MAX = 4_096

export const STOP_WORD_LENGTH_MAX = 60
/** About 19 years. */
export const PAUSE_MINUTES_MAX = 10_000_000

/** Fields of the chat record that a trigger may ask about. */
export const TRIGGER_LEAD_FIELDS: readonly string[] = [
  'lead_name',
  'lead_fullName',
  'lead_email',
  'lead_personalid',
  'lead_status',
  'lead_tags',
  'lead_notes',
  'lead_isTicketOpen',
  ...customLeadFields,
]
