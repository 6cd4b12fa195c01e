import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { findProgram } from './find-program.js'

const run = promisify(execFile)

export interface RealFfmpeg {
  /** A program that runs it with its libraries, in any environment. */
  readonly program: string
  /** Makes a file by these arguments, and returns its bytes. */
  make(name: string, args: readonly string[]): Promise<Buffer>
}

/** Finds the ffmpeg to run. @throws what apt says when there is none */
export function findFfmpeg() {
  return findProgram({
    name: 'ffmpeg',
    // The second is one of several that provide a library of the first.
    packages: ['ffmpeg', 'ocl-icd-libopencl1'],
    file: 'usr/bin/ffmpeg',
    privateLibraries: ['pulseaudio', 'blas', 'lapack'],
    showVersion: '-version',
  })
}

/** Returns the real ffmpeg; undefined where there is none and none can be fetched. */
export async function realFfmpeg(t: Cleanup): Promise<RealFfmpeg | undefined> {
  const found = await findFfmpeg().catch(() => undefined)
  if (found === undefined) return undefined
  const folder = testFolder(t)
  const program = path.join(folder, 'ffmpeg')
  const libraries = found.environment.LD_LIBRARY_PATH ?? ''
  const search = `PATH='${process.env.PATH ?? ''}' LD_LIBRARY_PATH='${libraries}'`
  writeFileSync(program, `#!/bin/sh\n${search} exec '${found.program}' "$@"\n`, { mode: 0o755 })
  return {
    program,
    async make(name, args) {
      const file = path.join(folder, name)
      await run(program, ['-loglevel', 'error', '-y', ...args, file])
      return readFileSync(file)
    },
  }
}
