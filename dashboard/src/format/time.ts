import { makeDateFormat, makeRelativeFormat } from './formats.js'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns the time from now, such as "3 minutes ago". */
export function formatRelativeTime(time: Date, language: string, nowMs = Date.now()): string {
  const seconds = Math.round((time.getTime() - nowMs) / 1_000)
  const [unit, size] = UNITS.find(([, unitSize]) => Math.abs(seconds) >= unitSize) ?? ['second', 1]
  return makeRelativeFormat(language).format(Math.trunc(seconds / size), unit)
}

export function formatExactTime(time: Date, language: string): string {
  return makeDateFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)
}
