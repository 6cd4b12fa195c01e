/**
 * `node dist/scripts/build-dashboard.js`, a step of `npm run build`: builds `dashboard/` into `dist/dashboard`. Does nothing if the build there is
 * of the same sources and the same packages. Vite is loaded only when it is needed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../lib/package-root.js'
import { OperatorError } from '../schemas/operator-error.js'

const source = path.join(packageRoot, 'dashboard')
const target = path.join(packageRoot, 'dist', 'dashboard')
/** Holds the fingerprint of the sources, beside the files and not among them, since the gateway serves all of those. */
const mark = path.join(packageRoot, 'dist', '.dashboard')

async function main(): Promise<void> {
  const print = fingerprint()
  if (existsSync(path.join(target, 'index.html')) && existsSync(mark) && readFileSync(mark, 'utf8') === print) return
  const { build } = await import('vite').catch((error: unknown) => {
    throw new OperatorError('The packages of the dashboard are not installed here: run `npm ci`.', { cause: error })
  })
  await build({ configFile: path.join(source, 'vite.config.ts'), logLevel: 'error' })
  writeFileSync(mark, print)
}

function fingerprint(): string {
  const hash = createHash('sha256')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  for (const file of [...files, path.join(packageRoot, 'package-lock.json')])
    hash.update(path.relative(packageRoot, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    await main()
  } catch (error) {
    process.stderr.write(`${error instanceof OperatorError ? error.message : String((error as Error).stack)}\n`)
    process.exitCode = 1
  }
