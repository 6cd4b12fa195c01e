import { errorText } from '../../schemas/error-text.js'
import { withTimeLimit } from '../../schemas/time-limit.js'
import { type Check, type Finding, failed, type Result } from './finding.js'

/** Runs all checks side by side, each for a limited time. Returns their findings in the order of the checks. Never rejects. */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async (check) => {
      const results = await resultsOf(check, limitMs)
      return results.map((result): Finding => ({ check: check.name, ...result }))
    }),
  )
  return findings.flat()
}

async function resultsOf(check: Check, limitMs: number): Promise<readonly Result[]> {
  try {
    return await withTimeLimit(check.run(), limitMs, () => [
      failed(
        `No answer within ${limitMs / 1_000} s.`,
        'Look whether a firewall drops the packets, and whether the other side is overloaded.',
      ),
    ])
  } catch (error) {
    return [failed(`The check itself failed: ${errorText(error)}`, 'Report this with the output of --json.')]
  }
}
