/**
 * Builds the program when a source is newer than the last build or was removed since, so that `npm start` and `npm test` do not wait for a build that changes nothing. Says which step
 * runs, and for how long, since a first build takes most of a minute.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const skipped = new Set(['node_modules', 'dist', 'data', '.git', '.tmp'])
/** Files that the build reads; the program itself reads SQL and JSON. Ours: names of files. */
const SOURCE = /\.(tsx?|m?js|css|html|svg)$|^(package|package-lock|tsconfig[\w.]*)\.json$/
/** Says what a step of the build makes. @type {readonly [RegExp, string][]} */
const titles = [
  [/^tsc .*dashboard/, 'tests of the dashboard'],
  [/^tsc /, 'program'],
  [/bundle\.js/, 'bundles'],
  [/build-dashboard/, 'dashboard'],
  [/compress/, 'compressed files'],
]

const mainMs = modifiedMs(path.join(root, 'dist', 'main.js'))
/** 0 also when the last build has failed after it had made that file. */
const builtMs = modifiedMs(path.join(root, 'dist', '.built')) < mainMs ? 0 : mainMs
if (builtMs === 0 || isNewer(root)) await build()

async function build() {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const steps = scripts.build.split(' && ')
  const startedMs = performance.now()
  process.stderr.write(
    `Building${mainMs === 0 ? ' for the first time, which takes about a minute' : ' what has changed'}.\n`,
  )
  for (const [index, step] of steps.entries()) {
    const title = titles.find(([pattern]) => pattern.test(step))?.[1] ?? step
    const status = await run(step, `${index + 1} of ${steps.length}: ${title}`)
    if (status !== 0) process.exit(status)
  }
  process.stderr.write(`Built in ${seconds(startedMs)}.\n`)
}

/** @param {string} step @param {string} title @returns {Promise<number>} */
function run(step, title) {
  const startedMs = performance.now()
  const isTerminal = process.stderr.isTTY === true
  const show = () =>
    process.stderr.write(`${isTerminal ? '\r' : ''}  ${title} ${isTerminal ? seconds(startedMs) : '…\n'}`)
  show()
  const timer = isTerminal ? setInterval(show, 1_000) : undefined
  const bin = path.join(root, 'node_modules', '.bin')
  const child = spawn(step, {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: true,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
  })
  /** What it says is shown only if it fails: a build has much to say. */
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
  return new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', (code) => {
      clearInterval(timer)
      if (isTerminal) process.stderr.write('\n')
      if (code !== 0) process.stderr.write(said)
      resolve(code ?? 1)
    })
  })
}

/** @param {number} sinceMs */
function seconds(sinceMs) {
  return `${Math.round((performance.now() - sinceMs) / 1_000)} s`
}

/** Removing or renaming a file changes only its folder. That of the root also changes when `dist` is made. @param {string} folder */
function isNewer(folder) {
  if (folder !== root && modifiedMs(folder) > builtMs) return true
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) return !skipped.has(entry.name) && isNewer(place)
    return SOURCE.test(entry.name) && modifiedMs(place) > builtMs
  })
}

/** Returns 0 when there is no such file. @param {string} file */
function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
