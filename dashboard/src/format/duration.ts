import { makeNumberFormat } from './formats.js'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Returns a time span in its largest unit, such as "3 hours". */
export function formatDuration(ms: number, language: string): string {
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? ['second', 1_000]
  return makeNumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }).format(
    ms / size,
  )
}

/** Returns a short delay, such as "12 ms" or "1.5 sec". */
export function formatDelay(seconds: number, language: string): string {
  const [unit, value] = seconds < 1 ? (['millisecond', seconds * 1_000] as const) : (['second', seconds] as const)
  return makeNumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(
    value,
  )
}
