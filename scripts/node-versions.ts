/**
 * `node dist/scripts/node-versions.js [major...]`: runs the demo and a core of the tests on the other major versions of Node.js that we
 * support, or on those named. It fetches their binaries from the npm registry into the folder for temporary files.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../schemas/operator-error.js'
import { environmentWith, findNode, NODE_MAJORS, runningMajor } from '../test/support/node-binary.js'

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Tests that depend most on the version: sockets, timers, streams, contexts and processes, through the whole program. First light, files, webhooks,
 * the kill loop, a node of a cluster that ends, several processes of a machine; and the parts that met differences between versions before.
 */
export const CORE_TESTS = [
  'actors/network/baileys/connector.test',
  'actors/network/baileys/transactions.test',
  'actors/network/baileys/x25519.test',
  'runtime/cluster/peers/peers.test',
  'scripts/package.integration',
  'test/cluster/processes.integration',
  'test/cluster/traffic.integration',
  'test/durability/kill-loop.integration',
  'test/gateway/first-light.integration',
  'test/gateway/media-sends.integration',
  'test/gateway/webhooks.integration',
] as const

async function main(typed: readonly string[]): Promise<number> {
  const majors = typed.length > 0 ? typed.map(Number) : NODE_MAJORS.filter((major) => major !== runningMajor)
  const failed: string[] = []
  for (const major of majors) {
    const program = await findNode(major)
    for (const [name, given] of [
      ['the demo', ['demo.js', '--exit']],
      ['the core tests', ['scripts/test.js', 'chosen', ...CORE_TESTS]],
    ] as const) {
      const startedMs = performance.now()
      const isFine = await runs(program, given)
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
      process.stdout.write(`Node.js ${major}: ${name} ${isFine ? 'passed' : 'FAILED'} in ${seconds} s.\n`)
      if (!isFine) failed.push(`${name} on Node.js ${major}`)
    }
  }
  if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}.\n`)
  return failed.length > 0 ? 1 : 0
}

function runs(program: string, [file, ...given]: readonly [string, ...string[]]): Promise<boolean> {
  const child = spawn(program, [path.join(built, file), ...given], { stdio: 'inherit', env: environmentWith(program) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof OperatorError ? error.message : String((error as Error).stack)}\n`)
    process.exitCode = 1
  }
}
