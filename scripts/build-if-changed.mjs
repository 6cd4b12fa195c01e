/** Builds the program when a source is newer than the last build, so that `npm start` does not wait for a build that changes nothing. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const skipped = new Set(['node_modules', 'dist', 'data', '.git', '.tmp'])

const builtMs = modifiedMs(path.join(root, 'dist', 'main.js'))
if (builtMs === 0 || isNewer(root)) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exit(status ?? 1)
}

/** @param {string} folder */
function isNewer(folder) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) return !skipped.has(entry.name) && isNewer(place)
    return /\.(tsx?|css|html)$|^(package-lock|tsconfig)\.json$/.test(entry.name) && modifiedMs(place) > builtMs
  })
}

/** Returns 0 when there is no such file. @param {string} file */
function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
