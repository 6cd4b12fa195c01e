import { useWords } from '../words/index.js'

const WIDTHS = ['w-11/12', 'w-3/4', 'w-5/6', 'w-2/3'] as const
/** Rows that fill a page until its own come. */
const ROWS = 6

interface SkeletonProps {
  readonly rows?: number
}

/** Bars in the place of rows that are on their way, so that nothing jumps when they come. They appear after a moment only. */
export function Skeleton({ rows = ROWS }: SkeletonProps) {
  const words = useWords()
  return (
    <div className="late-in grid gap-3 rounded-xl border border-line bg-surface p-5" role="status">
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: rows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have nothing but their place.
        <span key={place} className={`h-4 animate-pulse rounded-sm bg-sunken ${WIDTHS[place % WIDTHS.length]}`} />
      ))}
    </div>
  )
}
