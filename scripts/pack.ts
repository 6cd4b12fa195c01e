/**
 * `node dist/scripts/pack.js FOLDER`: puts the npm package into a new folder and packs it there; prints the path of the archive. The package has what
 * `files` of package.json names, and npm-shrinkwrap.json, so that those who install it get the versions that were tested.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packageRoot } from '../lib/package-root.js'

// Ours: our own files.

const run = promisify(execFile)

type Json = Record<string, unknown>

interface Lock {
  readonly name: string
  readonly version: string
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, Json>>
}

/** Fields of package.json that are for the development of the package. */
const NOT_SHIPPED = ['private', 'devDependencies', 'scripts', 'workspaces', 'overrides', 'allowScripts', 'files']

export async function packPackage(folder: string): Promise<string> {
  mkdirSync(folder)
  const stage = path.join(folder, 'package')
  for (const file of await shippedFiles()) cpSync(path.join(packageRoot, file), path.join(stage, file))
  const manifest = readJson<Json>('package.json')
  const shipped = Object.fromEntries(Object.entries(manifest).filter(([name]) => !NOT_SHIPPED.includes(name)))
  // Everything in the folder is shipped.
  writeJson(path.join(stage, 'package.json'), { ...shipped, files: ['**/*'] })
  writeJson(path.join(stage, 'npm-shrinkwrap.json'), shrinkwrap(readJson<Lock>('package-lock.json'), shipped))
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: stage })
  return path.join(folder, filename(packed.stdout))
}

/** Lists what `files` of package.json names, without parts of programs that an earlier build has left. */
async function shippedFiles(): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: packageRoot,
    maxBuffer: 64 * 1024 * 1024,
  })
  const files = entries<{ files: readonly { path: string }[] }>(stdout).flatMap((one) =>
    one.files.map((file) => file.path),
  )
  const used = usedParts(files)
  return files.filter((file) => !isPart(file) || used.has(file.replace(/\.map$/, '')))
}

function isPart(file: string): boolean {
  return /^dist\/(part-|network-classes-)/.test(file)
}

/** Returns the parts that the programs name, directly or through other parts. */
function usedParts(files: readonly string[]): ReadonlySet<string> {
  const used = new Set<string>()
  const look = (file: string): void => {
    for (const [, name] of readFileSync(path.join(packageRoot, file), 'utf8').matchAll(
      /\/((?:part|network-classes)-[\w-]+\.js)["']/g,
    )) {
      const part = `dist/${name}`
      if (used.has(part)) continue
      used.add(part)
      look(part)
    }
  }
  for (const file of files) if (/^dist\/[^/]+\.js$/.test(file) && !isPart(file)) look(file)
  return used
}

/** Returns the lock file without packages that only the development needs. */
function shrinkwrap({ packages, ...lock }: Lock, manifest: Json): Json {
  const kept = Object.entries(packages).filter(
    ([place, { dev, link }]) => place.startsWith('node_modules/') && dev !== true && link !== true,
  )
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = manifest
  const root = { name, version, license, bin, engines, dependencies, optionalDependencies }
  return { ...lock, packages: { '': root, ...Object.fromEntries(kept) } }
}

function filename(stdout: string): string {
  const [name] = entries<{ filename: string }>(stdout).map((one) => one.filename)
  if (name === undefined) throw new Error('npm pack names no archive.')
  return name
}

/** npm 11 answers with a list, later versions with a record by name. */
function entries<T>(stdout: string): readonly T[] {
  const said = JSON.parse(stdout) as readonly T[] | Readonly<Record<string, T>>
  return Object.values(said)
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(packageRoot, file), 'utf8')) as T
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) {
    process.stderr.write('usage: node dist/scripts/pack.js FOLDER\n')
    process.exitCode = 2
  } else process.stdout.write(`${await packPackage(path.resolve(folder))}\n`)
}
