import { lstatSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { OperatorError } from '../../schemas/operator-error.js'

/**
 * Returns the folder of this user for programs that tests fetch, which outlives a run.
 * @throws OperatorError when somebody else made it: programs run from it
 */
export function testCacheFolder(): string {
  const folder = path.join(os.tmpdir(), `posthorn-test-cache-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new OperatorError(
      `The folder ${folder} belongs to another user: remove it, or set TMPDIR to a folder of yours.`,
    )
  return folder
}
