import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Ours: package.json.

/** The folder of our package.json; schemas, SQL and scripts are read from the source tree below it, also by the compiled program. */
export const packageRoot: string = findPackageRoot(path.dirname(fileURLToPath(import.meta.url)))

/** The version of the package, as in package.json. */
export const packageVersion: string = readManifest(packageRoot).version ?? '0.0.0'

function findPackageRoot(folder: string): string {
  if (existsSync(path.join(folder, 'package.json')) && readManifest(folder).name === 'posthorn') return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error('The package.json of posthorn was not found above the code.')
  return findPackageRoot(parent)
}

function readManifest(folder: string): { name?: string; version?: string } {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { name?: string; version?: string }
}
