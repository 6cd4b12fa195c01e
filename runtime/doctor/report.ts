import type { Finding, FindingState } from './finding.js'

// Ours: answers of our own stores and settings.

const MARKS: Readonly<Record<FindingState, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' }
const COLORS: Readonly<Record<FindingState, number>> = { ok: 32, warning: 33, failed: 31, skipped: 90 }

/** Writes the findings for a person: a line each, and below it the way out. */
export function textReport(findings: readonly Finding[], isColored: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, text, remedy }) => {
    const mark = isColored ? `\u001b[${COLORS[state]}m${MARKS[state]}\u001b[0m` : MARKS[state]
    const line = `${mark} ${check.padEnd(width)}  ${printable(text)}`
    return remedy === undefined ? [line] : [line, `${' '.repeat(width + 4)}→ ${printable(remedy)}`]
  })
  return `${[...lines, '', summaryOf(findings)].join('\n')}\n`
}

/** Writes the findings for a program. */
export function jsonReport(findings: readonly Finding[]): string {
  return `${JSON.stringify({ ok: !hasFailed(findings), findings }, undefined, 2)}\n`
}

export function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'failed')
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (wanted: FindingState) => findings.filter(({ state }) => state === wanted).length
  const [failures, warnings] = [count('failed'), count('warning')]
  if (failures > 0) return `${failures} failed, ${warnings} to look at. The gateway does not work like this.`
  return warnings > 0 ? `Nothing failed, ${warnings} to look at.` : 'All is well.'
}

/** Removes control characters: some texts come from servers. */
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
