/** `node dist/scripts/php.js`: prints the folder of a PHP for the examples, for the PATH; nothing if the machine has one; why there is none, with 1. */
import { folderWithPhp } from '../test/support/php-program.js'

try {
  process.stdout.write((await folderWithPhp()) ?? '')
} catch (error) {
  const { stderr, message } = error as { stderr?: string; message: string }
  const said = stderr?.split('\n').find((line) => line.startsWith('E:')) ?? message.split('\n')[0]
  process.stderr.write(`There is no PHP on this machine and none could be fetched: ${said}\n`)
  process.exitCode = 1
}
