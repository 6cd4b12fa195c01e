/** `node dist/scripts/haproxy.js`: finds or fetches the HAProxy of the tests; tells which in one line and ends with 0, or why there is none, and with 1. */
import { findHaproxy } from '../test/support/haproxy-program.js'

try {
  const { program } = await findHaproxy()
  process.stdout.write(`HAProxy for the tests: ${program}\n`)
} catch (error) {
  const { stderr, message } = error as { stderr?: string; message: string }
  const said = stderr?.split('\n').find((line) => line.startsWith('E:')) ?? message.split('\n')[0]
  process.stdout.write(`There is no HAProxy on this machine and none could be fetched: ${said}\n`)
  process.exitCode = 1
}
