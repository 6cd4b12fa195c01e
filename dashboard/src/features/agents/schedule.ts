/** Hours of the week as lines, such as `mon,tue 09:00-18:00`. */

interface Window {
  readonly days?: string[]
  readonly from?: string
  readonly to?: string
}

export function formatWindows(windows: readonly Window[]): string {
  return windows
    .map(({ days, from = '00:00', to = '24:00' }) =>
      [...(days === undefined ? [] : [days.join(',')]), `${from}-${to}`].join(' '),
    )
    .join('\n')
}

/** Returns the windows of the lines. The gateway refuses what does not fit, so that nothing is checked here. */
export function parseWindows(lines: string): Window[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [first = '', second] = line.split(/\s+/)
      const hours = second ?? (first.includes(':') ? first : '')
      const [from, to] = hours.split('-')
      return {
        ...(first.includes(':') ? {} : { days: first.toLowerCase().split(',').filter(Boolean) }),
        ...(from ? { from } : {}),
        ...(to ? { to } : {}),
      }
    })
}
