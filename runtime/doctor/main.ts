/** Checks whether a gateway can run here, with the settings of the environment: `npm run doctor`, `node dist/doctor.js`. */
import { errorText } from '../../lib/error-text.js'
import { ConfigError, readConfig } from '../config.js'
import { examine } from './examine.js'
import { type Finding, type FindingState, failed } from './finding.js'

const MARKS: Readonly<Record<FindingState, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' }
const COLORS: Readonly<Record<FindingState, number>> = { ok: 32, warning: 33, failed: 31, skipped: 90 }

/** Writes the findings for a person: a line each, and below it the way out. */
function textReport(findings: readonly Finding[], isColored: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, text, remedy }) => {
    const mark = isColored ? `\u001b[${COLORS[state]}m${MARKS[state]}\u001b[0m` : MARKS[state]
    const line = `${mark} ${check.padEnd(width)}  ${printable(text)}`
    return remedy === undefined ? [line] : [line, `${' '.repeat(width + 4)}→ ${printable(remedy)}`]
  })
  return `${[...lines, '', formatSummary(findings)].join('\n')}\n`
}

/** Writes the findings for a program. */
function jsonReport(findings: readonly Finding[]): string {
  return `${JSON.stringify({ ok: !hasFailed(findings), findings }, undefined, 2)}\n`
}

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ state }) => state === 'failed')
}

function formatSummary(findings: readonly Finding[]): string {
  const count = (wanted: FindingState) => findings.filter(({ state }) => state === wanted).length
  const [failures, warnings] = [count('failed'), count('warning')]
  if (failures > 0) return `${failures} failed, ${warnings} to look at. The gateway does not work like this.`
  return warnings > 0 ? `Nothing failed, ${warnings} to look at.` : 'All is well.'
}

/** Removes control characters: some texts come from servers. */
function printable(text: string): string {
  // Ours: answers of our own stores and settings.
  return text.replace(/\p{Cc}+/gu, ' ')
}

const USAGE = 'usage: doctor [--json]\n  Status 0: the gateway can run; 1: something failed; 2: this usage.\n'

async function main(options: readonly string[]): Promise<number> {
  if (options.some((option) => option !== '--json')) {
    process.stderr.write(USAGE)
    return 2
  }
  const findings = await collectFindings(process.env)
  const isColored = process.stdout.isTTY && !process.env.NO_COLOR
  process.stdout.write(options.includes('--json') ? jsonReport(findings) : textReport(findings, isColored))
  return hasFailed(findings) ? 1 : 0
}

async function collectFindings(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  try {
    return await examine(readConfig(environment))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy =
      'Correct it; docs/reference/configuration.md lists all settings. The other checks need valid settings.'
    return error.mistakes.map((mistake) => ({ check: 'Settings', ...failed(mistake, remedy) }))
  }
}

main(process.argv.slice(2)).then(
  // Some checks may have left a connection that never answers.
  (status) => process.stdout.write('', () => process.exit(status)),
  (error: unknown) => {
    process.stderr.write(`The doctor failed: ${errorText(error)}\n`, () => process.exit(1))
  },
)
