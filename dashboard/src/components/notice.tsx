import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const LOOKS: Readonly<Record<string, readonly [colours: string, picture: LucideIcon]>> = {
  plain: ['border-line bg-surface text-text', Info],
  busy: ['border-transparent bg-busy-back text-busy', TriangleAlert],
  bad: ['border-transparent bg-bad-back text-bad', CircleAlert],
}

interface NoticeProps {
  readonly look?: 'plain' | 'bad' | 'busy'
  readonly children: ReactNode
}

/** A sentence that screen readers tell when it appears. */
export function Notice({ look = 'plain', children }: NoticeProps) {
  const [colours, Picture] = LOOKS[look] ?? ['', Info]
  return (
    <div
      className={`flex gap-2.5 rounded-lg border px-3.5 py-2.5 ${colours}`}
      role={look === 'bad' ? 'alert' : 'status'}
    >
      <Picture size={18} aria-hidden className="mt-0.5 shrink-0" />
      <div className="grid min-w-0 flex-1 justify-items-start gap-2">{children}</div>
    </div>
  )
}

export function Card({ children, labelledBy }: { readonly children: ReactNode; readonly labelledBy?: string }) {
  return (
    <section
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line bg-surface p-5 shadow-card"
      aria-labelledby={labelledBy}
    >
      {children}
    </section>
  )
}
