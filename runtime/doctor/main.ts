/** Checks whether a gateway can run here, with the settings of the environment: `npm run doctor`, `node dist/doctor.js`. */

import { errorText } from '../../lib/error-text.js'
import { ConfigError, readConfig } from '../config.js'
import { examine } from './examine.js'
import { type Finding, failed } from './finding.js'
import { hasFailed, jsonReport, textReport } from './report.js'

const USAGE = 'usage: doctor [--json]\n  Status 0: the gateway can run; 1: something failed; 2: this usage.\n'

async function main(options: readonly string[]): Promise<number> {
  if (options.some((option) => option !== '--json')) {
    process.stderr.write(USAGE)
    return 2
  }
  const findings = await findingsOf(process.env)
  const isColored = process.stdout.isTTY && !process.env.NO_COLOR
  process.stdout.write(options.includes('--json') ? jsonReport(findings) : textReport(findings, isColored))
  return hasFailed(findings) ? 1 : 0
}

async function findingsOf(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
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
