/** Reads the restrictions of the account in answers and notices of the network. */
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { NewChatCap, ReachoutLock } from '../../../schemas/account-limits.js'
import type { LimitsEvent } from '../port/limits.js'

// Bound: 65,536, a text or attribute of a stanza.

type Json = Readonly<Record<string, unknown>>

const NOTICE_MAX_BYTES = 64 * 1024
const WORD_MAX = 60
/** A number of seconds beyond this is one of milliseconds. */
const SECONDS_MAX = 100_000_000_000
/** Times beyond the year 2200 are no times. */
const TIME_MAX_MS = 7_258_118_400_000

/** Reads the lock. Its kind is kept as text: the library reads a kind that it does not know as "no restriction" (`Types/State.js` of rc14). */
export function readReachout(value: unknown): ReachoutLock | null {
  if (!isJson(value)) return null
  const isActive = value.is_active === true || value.is_active === 'true'
  return { isActive, untilMs: parseTime(value.time_enforcement_ends), type: parseWord(value.enforcement_type) }
}

export function readCap(value: unknown): NewChatCap | null {
  if (!isJson(value)) return null
  return {
    status: parseWord(value.capping_status),
    totalQuota: parseNumber(value.total_quota),
    usedQuota: parseNumber(value.used_quota),
    cycleStartMs: parseTime(value.cycle_start_timestamp),
    cycleEndMs: parseTime(value.cycle_end_timestamp),
    oteStatus: parseWord(value.ote_status),
    mvStatus: parseWord(value.mv_status),
  }
}

/** Reads a notice about restrictions. Returns null for any other one. */
export function readLimitsNotice(node: BinaryNode): LimitsEvent | null {
  const update = Array.isArray(node.content) ? node.content.find(({ tag }) => tag === 'update') : undefined
  const { content } = update ?? {}
  if (!(content instanceof Uint8Array) || content.length > NOTICE_MAX_BYTES) return null
  // Bound: 65,536, 20,000 values, checked above.
  const { data } = JSON.parse(Buffer.from(content).toString('utf8')) as { data?: unknown }
  if (!isJson(data)) return null
  const reachout = readReachout(data.xwa2_notify_account_reachout_timelock)
  const cap = readCap(data.xwa2_notify_new_chat_messages_capping_info_update)
  if (reachout === null && cap === null) return null
  return { type: 'limits', ...(reachout === null ? {} : { reachout }), ...(cap === null ? {} : { cap }) }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function parseWord(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^\w .-]/g, '').slice(0, WORD_MAX) : ''
}

function parseNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** Returns Unix milliseconds; null for 0 and for anything that is no time. */
function parseTime(value: unknown): number | null {
  const number = parseNumber(value)
  if (number === null || number <= 0) return null
  const timeMs = number > SECONDS_MAX ? number : number * 1_000
  return timeMs > TIME_MAX_MS ? null : timeMs
}
