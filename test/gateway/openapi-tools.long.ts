/** Public tools read the OpenAPI document: two linters and a generator of types. They are installed from the npm registry, in a folder of their own. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openApiDocument } from '../../api/openapi.js'
import { routes } from '../../api/routes.js'
import { packageRoot } from '../../lib/package-root.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import { suiteCleanup } from '../support/cleanup.js'
import { testFolder } from '../support/embedded.js'

const run = promisify(execFile)
/** An installation over a slow line. */
const INSTALL_MAX_MS = 10 * 60_000
const OUTPUT_MAX_BYTES = 64 * 2 ** 20

describe('the OpenAPI document', () => {
  const cleanup = suiteCleanup()
  let folder: string

  before(async () => {
    folder = testFolder(cleanup)
    cpSync(path.join(packageRoot, 'test/openapi-tools'), folder, { recursive: true })
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: INSTALL_MAX_MS })
    writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(openApiDocument(routes, loadSchemas())))
    writeFileSync(path.join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
  })

  /** Runs a tool. Its output tells what is wrong when it fails. */
  const tool = async (name: string, ...args: readonly string[]): Promise<string> => {
    const program = path.join(folder, 'node_modules/.bin', name)
    const options = { cwd: folder, maxBuffer: OUTPUT_MAX_BYTES, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } }
    const { stdout } = await run(program, args, options).catch((error: { stdout?: string; stderr?: string }) =>
      assert.fail(`${name}: ${String(error.stdout).slice(-5_000)} ${String(error.stderr).slice(-5_000)}`),
    )
    return stdout
  }

  it('has no error and no warning by the recommended rules of Redocly', async () => {
    const args = ['--extends', 'recommended', '--format', 'json', 'openapi.json']
    const { totals } = JSON.parse(await tool('redocly', 'lint', ...args)) as { totals: Record<string, number> }
    assert.deepEqual([totals.errors, totals.warnings], [0, 0])
  })

  it('has no error and no warning by the OpenAPI rules of Spectral', async () => {
    assert.match(await tool('spectral', 'lint', '--fail-severity', 'warn', 'openapi.json'), /No results/)
  })

  it('gives types that compile', async () => {
    await tool('openapi-typescript', 'openapi.json', '--output', 'types.d.ts')
    assert.match(readFileSync(path.join(folder, 'types.d.ts'), 'utf8'), /sendText: \{/)
    await tool('tsc', '--noEmit', '--strict', 'types.d.ts')
  })
})
