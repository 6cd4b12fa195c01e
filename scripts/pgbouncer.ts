/** `node dist/scripts/pgbouncer.js`: finds or fetches the PgBouncer of the tests; tells which in one line and ends with 0, or why there is none, and with 1. */
import { findPgbouncer } from '../test/support/pgbouncer-program.js'

try {
  const { program } = await findPgbouncer()
  process.stdout.write(`PgBouncer for the tests: ${program}\n`)
} catch (error) {
  const { stderr, message } = error as { stderr?: string; message: string }
  const said = stderr?.split('\n').find((line) => line.startsWith('E:')) ?? message.split('\n')[0]
  process.stdout.write(`There is no PgBouncer on this machine and none could be fetched: ${said}\n`)
  process.exitCode = 1
}
