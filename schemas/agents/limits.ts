/** Bounds of agents, triggers and settings of the chatbot. The schemas of requests name the same; imported files are held against them too. */

import { isObject } from '../../lib/is-object.js'
import { customLeadFields } from '../lead-fields.js'
import { isSendWindow } from '../send-window.js'
import type { TriggerSchedule } from './records.js'

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
const WINDOWS_MAX = 20
const CLOSED_LENGTH_MAX = 4_096

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

/** Reads a stored schedule; empty: there is none. Returns undefined if it is not of the form that this program writes. */
export function parseTriggerSchedule(stored: string): TriggerSchedule | null | undefined {
  if (stored === '') return null
  let value: unknown
  try {
    // Bound: 16,384, 1,000 values, the schedule of a trigger.
    value = JSON.parse(stored)
  } catch {
    return undefined
  }
  const { windows, closedMessage } = isObject(value) ? value : {}
  if (!Array.isArray(windows) || windows.length === 0 || windows.length > WINDOWS_MAX) return undefined
  const areGood = windows.every((window) => isSendWindow(window) && !window.byRecipient)
  if (!areGood || typeof closedMessage !== 'string' || closedMessage.length > CLOSED_LENGTH_MAX) return undefined
  return { windows, closedMessage }
}

export function storedTriggerSchedule(schedule: TriggerSchedule | null): string {
  return schedule === null ? '' : JSON.stringify(schedule)
}
