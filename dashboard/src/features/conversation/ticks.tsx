import { Ban, Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import type { ComponentType } from 'react'
import { useConversationWords } from '../../words/conversation/index.js'
import styles from './ticks.module.css'

const SIGNS: Readonly<Record<string, ComponentType<{ size?: number; 'aria-hidden'?: 'true' }>>> = {
  sending: Clock,
  waiting: Clock,
  scheduled: Clock,
  queued: Clock,
  pending: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  played: CheckCheck,
  failed: CircleAlert,
  canceled: Ban,
  deleted: Ban,
}
/** States that need a word in sight: something is to be done, or to be known. */
const WITH_WORD = new Set(['waiting', 'scheduled', 'failed', 'canceled'])

interface TicksProps {
  readonly status: string
  /** When it came so far, as a person reads it. */
  readonly at?: string | undefined
}

/** How far a message has come, as a sign, with the word for it over the sign and for screen readers. */
export function Ticks({ status, at }: TicksProps) {
  const said = useConversationWords()
  const Sign = SIGNS[status]
  const word = said.status[status] ?? status
  return (
    <span
      className={`${styles.ticks} ${styles[status] ?? ''}`}
      data-status={status}
      title={at === undefined ? word : `${word}, ${at}`}
    >
      {Sign === undefined ? null : <Sign size={16} aria-hidden="true" />}
      <span className={WITH_WORD.has(status) ? styles.word : 'sr-only'}> {word}</span>
    </span>
  )
}
