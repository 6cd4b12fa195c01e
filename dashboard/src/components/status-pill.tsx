import styles from './controls.module.css'

interface StatusPillProps {
  readonly status: 'connected' | 'connecting' | 'disconnected'
  readonly word: string
}

export function StatusPill({ status, word }: StatusPillProps) {
  return <span className={`${styles.pill} ${styles[status]}`}>{word}</span>
}
