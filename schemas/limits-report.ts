import { type AccountLimits, isCapped, isLocked } from './account-limits.js'

/** Restrictions as callers see them: in `/instance/wa_messages_limits`, in events, and beside the refusal of a message. */
export interface LimitsReport {
  readonly can_send_new_messages: boolean
  readonly error_key: string
  readonly message: string
  readonly message_ptbr: string
  readonly new_chat_message_capping: CappingReport
  readonly reachout_timelock: TimelockReport
}

export interface CappingReport {
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

export interface TimelockReport {
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
      cycle_start: isoOf(cap?.cycleStartMs),
      cycle_end: isoOf(cap?.cycleEndMs),
      ote_status: cap?.oteStatus ?? '',
      mv_status: cap?.mvStatus ?? '',
    },
    reachout_timelock: {
      available: reachout !== null,
      active: locked,
      until: locked ? isoOf(reachout?.untilMs) : null,
      enforcement_type: reachout?.type ?? '',
    },
  }
}

function isoOf(timeMs: number | null | undefined): string | null {
  const time = new Date(timeMs ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
