import { useState } from 'react'
import { formatExactTime } from '../format/time.js'
import { useRelativeTime } from '../hooks/use-relative-time.js'

interface MomentProps {
  readonly at: string
  readonly language: string
}

/** A time as distance from now. The exact one is beside it for the pointer, and takes its place while it has the focus. */
export function Moment({ at, language }: MomentProps) {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? null : <Shown at={at} time={time} language={language} />
}

function Shown({ at, time, language }: MomentProps & { readonly time: Date }) {
  const [hasFocus, setFocus] = useState(false)
  const relative = useRelativeTime(time, language)
  const exact = formatExactTime(time, language)
  return (
    <time
      dateTime={at}
      title={exact}
      className="cursor-help rounded-sm"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer reads the exact time by keys, or by a tap.
      tabIndex={0}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      {hasFocus ? exact : relative}
    </time>
  )
}
