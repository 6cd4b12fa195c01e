/** Restrictions of an account by the network, as actors, store and API share them. */

/** The account may not begin chats. */
export interface ReachoutLock {
  readonly isActive: boolean
  /** End of the lock, Unix milliseconds; null when the network gave none. */
  readonly untilMs: number | null
  /** The network's word for the kind. Kinds come and go: it is shown, and nothing depends on it. */
  readonly type: string
}

/** The quota of messages to people who have not answered. */
export interface NewChatCap {
  /** The network's word: `NONE`, `FIRST_WARNING`, `SECOND_WARNING`, `CAPPED`, or one that is not known here. */
  readonly status: string
  /** -1: no quota. Null: the network gave none. */
  readonly totalQuota: number | null
  readonly usedQuota: number | null
  /** Unix milliseconds. */
  readonly cycleStartMs: number | null
  readonly cycleEndMs: number | null
  readonly oteStatus: string
  readonly mvStatus: string
}

/** The last known restrictions. Null: the network has told nothing yet. */
export interface AccountLimits {
  readonly reachout: ReachoutLock | null
  readonly cap: NewChatCap | null
  /** Time at which the network last answered or told, Unix milliseconds; null: never. */
  readonly checkedAtMs: number | null
}

export const NO_LIMITS: AccountLimits = { reachout: null, cap: null, checkedAtMs: null }

export type LimitKind = 'reachout_timelock' | 'new_chat_message_capping'

/** Stages of the cap in which new chats can be begun. Any other word counts as a refusal, because an unknown one may be one. */
const CAP_OPEN: ReadonlySet<string> = new Set(['', 'NONE', 'FIRST_WARNING', 'SECOND_WARNING'])

/** Returns true if the lock holds at that time. The kind of the lock does not matter. */
export function isLocked({ reachout }: AccountLimits, nowMs: number): boolean {
  return reachout?.isActive === true && (reachout.untilMs === null || reachout.untilMs > nowMs)
}

/** Returns true if the quota is used up at that time. */
export function isCapped({ cap }: AccountLimits, nowMs: number): boolean {
  if (cap === null || (cap.cycleEndMs !== null && cap.cycleEndMs <= nowMs)) return false
  const { status, totalQuota, usedQuota } = cap
  const isUsedUp = totalQuota !== null && totalQuota >= 0 && usedQuota !== null && usedQuota >= totalQuota
  return !CAP_OPEN.has(status) || (isUsedUp && status !== '' && status !== 'NONE')
}

/** Returns the time at which new chats can be begun again; null if they can now, or if the network gave no time. */
export function endOfLimits(limits: AccountLimits, nowMs: number): number | null {
  const ends = [
    ...(isLocked(limits, nowMs) ? [limits.reachout?.untilMs ?? null] : []),
    ...(isCapped(limits, nowMs) ? [limits.cap?.cycleEndMs ?? null] : []),
  ]
  return ends.length === 0 || ends.includes(null) ? null : Math.max(...(ends as number[]))
}

/** Reads stored limits. Anything that is not readable counts as unknown. */
export function parseLimits(stored: string): AccountLimits {
  try {
    // Ours: limits, as we stored them.
    const { reachout = null, cap = null, checkedAtMs = null } = JSON.parse(stored || '{}') as Partial<AccountLimits>
    return { reachout, cap, checkedAtMs }
  } catch {
    return NO_LIMITS
  }
}

/** Restrictions as callers see them: in `/instance/wa_messages_limits`, in events, and beside the refusal of a message. */
interface LimitsReport {
  readonly can_send_new_messages: boolean
  readonly error_key: string
  readonly message: string
  readonly message_ptbr: string
  readonly new_chat_message_capping: CappingReport
  readonly reachout_timelock: TimelockReport
}

interface CappingReport {
  readonly available: boolean
  readonly active: boolean
  readonly status: string
  readonly used_quota: number | null
  readonly total_quota: number | null
  readonly cycle_start: string | null
  readonly cycle_end: string | null
  readonly ote_status: string
  readonly mv_status: string
}

interface TimelockReport {
  readonly available: boolean
  readonly active: boolean
  readonly until: string | null
  readonly enforcement_type: string
}

const TEXTS = {
  WHATSAPP_REACHOUT_TIMELOCK: {
    message: 'WhatsApp does not let this account begin new chats at present. Existing chats continue.',
    message_ptbr:
      'O WhatsApp não permite que esta conta inicie novas conversas no momento. As conversas existentes continuam.',
  },
  WHATSAPP_NEW_CHAT_MESSAGE_CAPPING: {
    message: 'The account has used up its messages to new contacts in this cycle. Existing chats continue.',
    message_ptbr: 'A conta esgotou as mensagens para novos contatos neste ciclo. As conversas existentes continuam.',
  },
  '': {
    message: 'WhatsApp has reported no restriction of this account.',
    message_ptbr: 'O WhatsApp não informou nenhuma restrição desta conta.',
  },
} as const

export function limitsReport(limits: AccountLimits, nowMs: number): LimitsReport {
  const { reachout, cap } = limits
  const locked = isLocked(limits, nowMs)
  const capped = isCapped(limits, nowMs)
  const error_key = locked ? 'WHATSAPP_REACHOUT_TIMELOCK' : capped ? 'WHATSAPP_NEW_CHAT_MESSAGE_CAPPING' : ''
  return {
    can_send_new_messages: !locked && !capped,
    error_key,
    ...TEXTS[error_key],
    new_chat_message_capping: {
      available: cap !== null,
      active: capped,
      status: cap?.status ?? '',
      used_quota: cap?.usedQuota ?? null,
      total_quota: cap?.totalQuota ?? null,
      cycle_start: toIsoTime(cap?.cycleStartMs),
      cycle_end: toIsoTime(cap?.cycleEndMs),
      ote_status: cap?.oteStatus ?? '',
      mv_status: cap?.mvStatus ?? '',
    },
    reachout_timelock: {
      available: reachout !== null,
      active: locked,
      until: locked ? toIsoTime(reachout?.untilMs) : null,
      enforcement_type: reachout?.type ?? '',
    },
  }
}

function toIsoTime(timeMs: number | null | undefined): string | null {
  const time = new Date(timeMs ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
