/** Node.js in the major versions that we support: the running one, and binaries of others from the npm registry. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '../../schemas/operator-error.js'
import { testCacheFolder } from './cache-folder.js'

const run = promisify(execFile)

/** The majors that `.ci/run` runs, oldest first. `engines` in package.json and the README name them too. */
export const NODE_MAJORS = [20, 22, 24] as const

export const runningMajor = parseMajor(process.versions.node)

function parseMajor(version: string): number {
  return Number.parseInt(version.replace(/^v/, ''), 10)
}

/**
 * Finds the newest Node.js of a major version: the running one, one fetched before, or one fetched now. Resolves with its program.
 * @throws OperatorError when it cannot be fetched or does not run here
 */
export async function findNode(major: number): Promise<string> {
  if (major === runningMajor) return process.execPath
  const cache = testCacheFolder()
  const folder = path.join(cache, `node-${major}`)
  const program = path.join(folder, 'node_modules', packageName(), 'bin', 'node')
  if (!existsSync(program)) await fetchNode(major, cache, folder)
  const { stdout } = await run(program, ['--version'], { timeout: 60_000 }).catch((error: unknown) => {
    throw new OperatorError(`The Node.js ${major} of the npm registry does not run here: ${firstLine(error)}`)
  })
  if (parseMajor(stdout.trim()) !== major)
    throw new OperatorError(`${program} is Node.js ${stdout.trim()}, not ${major}.`)
  return program
}

/** The environment of a program whose `node` on the PATH is that one too. */
export function environmentWith(program: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH ?? ''}` }
}

/** Fetches into a folder of its own and renames that, so that two processes may do it at once. */
async function fetchNode(major: number, cache: string, folder: string): Promise<void> {
  const fresh = mkdtempSync(path.join(cache, 'fetch-'))
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    await run('npm', ['install', '--prefix', fresh, ...options, `${packageName()}@${major}`], { timeout: 300_000 })
    renameSync(fresh, folder)
  } catch (error) {
    if (!existsSync(folder)) throw new OperatorError(`Node.js ${major} could not be fetched: ${firstLine(error)}`)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** File that the npm package `node` installs for this machine in its own install script. */
function packageName(): string {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${process.platform}-${process.arch}`
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message: string }
  return (stderr?.trim() || message).split('\n')[0] ?? ''
}
