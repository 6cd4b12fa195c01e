import type { ReactNode } from 'react'

const LOOKS = {
  connected: 'bg-good-back text-good',
  connecting: 'bg-busy-back text-busy',
  disconnected: 'bg-sunken text-muted',
} as const

interface StatusPillProps {
  readonly status: keyof typeof LOOKS
  readonly word: string
}

export function StatusPill({ status, word }: StatusPillProps) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap before:size-1.5 before:rounded-full before:bg-current ${LOOKS[status]}`}
    >
      {word}
    </span>
  )
}

const TONES = {
  plain: 'bg-sunken text-muted',
  good: 'bg-good-back text-good',
  busy: 'bg-busy-back text-busy',
  bad: 'bg-bad-back text-bad',
  info: 'bg-info-back text-info',
} as const

interface BadgeProps {
  readonly tone?: keyof typeof TONES
  readonly children: ReactNode
}

/**
 * A word about a thing, such as its state or its kind.
 * @public
 */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return (
    <span className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium ${TONES[tone]}`}>
      {children}
    </span>
  )
}
