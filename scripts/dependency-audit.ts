/**
 * Asks the registry for known vulnerabilities of what is shipped; high and critical ones fail. Not every registry answers that (a mirror may
 * give packages only): then it says so, and does not fail, since nothing is known.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../lib/package-root.js'

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

const FAILING: ReadonlySet<string> = new Set(['high', 'critical'])

/** Returns the findings of `npm audit --json`, as lines for people. */
export function judgeAudit(output: string): { readonly isBad: boolean; readonly lines: readonly string[] } {
  const { vulnerabilities } = parsed(output)
  if (vulnerabilities === undefined)
    return { isBad: false, lines: ['Dependencies were NOT audited: the registry does not answer audits.'] }
  const found = Object.entries(vulnerabilities)
  if (found.length === 0) return { isBad: false, lines: ['Dependencies were audited: no vulnerability is known.'] }
  return {
    isBad: found.some(([, { severity }]) => FAILING.has(severity)),
    lines: found.map(([name, { severity, range }]) => `${severity}: ${name} ${range}`).sort(),
  }
}

function parsed(output: string): Report {
  try {
    return JSON.parse(output) as Report
  } catch {
    return {}
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    cwd: packageRoot,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { isBad, lines } = judgeAudit(stdout ?? '')
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = isBad ? 1 : 0
}
