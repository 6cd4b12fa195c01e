/** Returns a time as an input of the kind `datetime-local` has it, in a time zone. */
export function formatLocalTime(time: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(time)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** Time zone of the reader. */
export function readOwnZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
