import { makeNumberFormat } from './formats.js'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Returns a number of bytes as a person reads it, such as "1.2 MB". */
export function formatSize(bytes: number, language: string): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  return makeNumberFormat(language, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** step)
}
