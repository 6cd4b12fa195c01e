import { type Check, failed, ok, type Result, skipped, warning } from '../finding.js'

/** A clock of another machine: its offset to ours, once it is known. */
export interface OtherClock {
  readonly name: string
  /** Its time minus ours. Rejects when it was not reached. */
  readonly aheadMs: Promise<number>
}

const WARNING_MS = 2_000
/** Receivers of webhooks refuse signatures that are five minutes old. */
const FAILED_MS = 60_000

/** Compares the clock of this machine with others. */
export function clockCheck(clocks: readonly OtherClock[]): Check {
  return {
    name: 'Clock',
    async run() {
      const results = await Promise.all(clocks.map(resultOf))
      const known = results.filter((result) => result !== null)
      return known.length > 0 ? known : [skipped('No other clock could be asked.')]
    },
  }
}

/** Returns null when the clock was not reached; another check says why. */
async function resultOf({ name, aheadMs }: OtherClock): Promise<Result | null> {
  const ms = await aheadMs.catch(() => null)
  if (ms === null) return null
  const seconds = (Math.abs(ms) / 1_000).toFixed(1)
  const text = `The clock of this machine is ${seconds} s ${ms > 0 ? 'behind' : 'ahead of'} the one of ${name}.`
  const remedy = 'Set both clocks by NTP (timedatectl set-ntp true).'
  if (Math.abs(ms) >= FAILED_MS) return failed(text, remedy)
  return Math.abs(ms) >= WARNING_MS ? warning(text, remedy) : ok(`As the one of ${name}.`)
}
