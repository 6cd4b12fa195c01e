import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: LucideIcon
  /** Sentence that says that there is nothing. */
  readonly title: string
  /** What belongs here, and how it gets here. */
  readonly children?: ReactNode
  /** The next step. */
  readonly action?: ReactNode
}

/** What a page shows while it has nothing: a picture, why, and the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-button-line bg-surface px-6 py-10 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-accent-back text-accent-text">
        <Icon size={22} aria-hidden />
      </span>
      <div className="grid max-w-prose gap-1">
        <p className="text-lg font-semibold">{title}</p>
        {children === undefined ? null : <div className="text-muted">{children}</div>}
      </div>
      {action === undefined ? null : <div className="flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
