import { dateFormat, relativeFormat } from './formats.js'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns the time from now, such as "3 minutes ago". */
export function relativeTime(time: Date, language: string, nowMs = Date.now()): string {
  const seconds = Math.round((time.getTime() - nowMs) / 1_000)
  const [unit, size] = UNITS.find(([, unitSize]) => Math.abs(seconds) >= unitSize) ?? ['second', 1]
  return relativeFormat(language).format(Math.trunc(seconds / size), unit)
}

export function exactTime(time: Date, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)
}
