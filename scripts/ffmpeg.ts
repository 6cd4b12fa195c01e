/** `node dist/scripts/ffmpeg.js`: finds or fetches the ffmpeg of the tests; tells which in one line and ends with 0, or why there is none, and with 1. */
import { findFfmpeg } from '../test/support/ffmpeg-program.js'

try {
  const { program } = await findFfmpeg()
  process.stdout.write(`ffmpeg for the tests: ${program}\n`)
} catch (error) {
  const { stderr, message } = error as { stderr?: string; message: string }
  const said = stderr?.split('\n').find((line) => line.startsWith('E:')) ?? message.split('\n')[0]
  process.stdout.write(`There is no ffmpeg on this machine and none could be fetched: ${said}\n`)
  process.exitCode = 1
}
