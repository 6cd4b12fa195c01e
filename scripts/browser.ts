/** `node dist/scripts/browser.js`: finds or fetches the Chromium of the tests; says which in one line and ends with 0, or why there is none, and with 1. */
import { fetchChromium, findChromium } from '../test/support/chromium-program.js'

try {
  const { program } = (await findChromium()) ?? (await fetchChromium())
  process.stdout.write(`Chromium for the tests: ${program}\n`)
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
