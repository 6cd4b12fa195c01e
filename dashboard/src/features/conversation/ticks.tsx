import { useConversationWords } from '../../words/conversation/index.js'
import styles from './message.module.css'

const SIGNS: Readonly<Record<string, string>> = {
  sending: '…',
  waiting: '◷',
  scheduled: '◷',
  queued: '◷',
  pending: '◷',
  sent: '✓',
  delivered: '✓✓',
  read: '✓✓',
  played: '✓✓',
  failed: '!',
  canceled: '×',
  deleted: '×',
}

/** How far a message has come, as a sign and a word. */
export function Ticks({ status }: { readonly status: string }) {
  const said = useConversationWords()
  return (
    <span className={`${styles.ticks} ${styles[status] ?? ''}`} data-status={status}>
      <span aria-hidden="true">{SIGNS[status] ?? ''}</span> {said.status[status] ?? status}
    </span>
  )
}
