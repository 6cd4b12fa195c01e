/**
 * Switches each mechanism of `test/mechanisms/list.ts` off in a copy of the built program and runs the test that must fail then:
 * `npm run test:mechanisms [-- parts of what they say]`; FROM=n begins at the nth. Exits 1 when a test passes without its mechanism.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../lib/package-root.js'
import { type Mechanism, mechanisms } from '../test/mechanisms/list.js'
import { bundle } from './bundle.js'

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
// Below the package, so that the copy finds its libraries.
const copy = path.join(packageRoot, '.tmp', 'mechanisms', 'dist')

async function main(wanted: readonly string[]): Promise<number> {
  const chosen = mechanisms
    .filter(({ what }) => wanted.length === 0 || wanted.some((part) => what.includes(part)))
    .slice(Number(process.env.FROM ?? 1) - 1)
  mkdirSync(copy, { recursive: true })
  cpSync(built, copy, { recursive: true })
  let unseen = 0
  try {
    for (const mechanism of chosen) {
      const failed = await withoutIt(mechanism)
      if (failed.length === 0) unseen += 1
      process.stdout.write(`${failed.length > 0 ? 'seen' : 'NOT SEEN'}: ${mechanism.what}\n`)
      for (const test of failed) process.stdout.write(`    ${test}\n`)
    }
  } finally {
    rmSync(path.dirname(copy), { recursive: true, force: true })
  }
  process.stdout.write(
    `${chosen.length - unseen} of ${chosen.length} are missed by a test when they are switched off.\n`,
  )
  return unseen === 0 ? 0 : 1
}

/** The tests that failed. */
async function withoutIt({ switches, tests }: Mechanism): Promise<string[]> {
  const before = switches.map(({ file, on, off }) => {
    const place = path.join(copy, file)
    const text = readFileSync(place, 'utf8')
    if (!text.includes(on)) throw new Error(`${file} does not hold: ${on}`)
    writeFileSync(
      place,
      text.replace(on, () => off),
    )
    return { place, text }
  })
  try {
    await bundle(copy)
    return await failures(tests)
  } finally {
    for (const { place, text } of before.toReversed()) writeFileSync(place, text)
  }
}

async function failures(tests: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [path.join(copy, 'scripts', 'test.js'), 'chosen', ...tests], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  const failed = [...output.matchAll(/^ *✖ (.+) \([\d.]+ms\)$/gm)].map(([, name]) => name ?? '')
  if (code !== 0 && failed.length === 0) throw new Error(`The tests did not run:\n${output}`)
  return [...new Set(failed)]
}

process.exitCode = await main(process.argv.slice(2))
