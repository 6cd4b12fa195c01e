import { exactTime, relativeTime } from '../format/time.js'

/** A time as distance from now, with the exact one beside it for the pointer. */
export function Moment({ at, language }: { readonly at: string; readonly language: string }) {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return null
  return (
    <time dateTime={at} title={exactTime(time, language)}>
      {relativeTime(time, language)}
    </time>
  )
}
