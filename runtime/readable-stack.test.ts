import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

it('a logged error names the line of its source, without the option of Node.js for source maps', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'stack-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const logging = pathToFileURL(path.join(import.meta.dirname, 'logging.js')).href
  const lines = [
    `import { createLogger } from ${JSON.stringify(logging)}`,
    `const logger = createLogger({ level: 'info', format: 'json' })`,
    `function fails() {`,
    `  throw new Error('it failed', { cause: new Error('the cause') })`,
    `}`,
    `try { fails() } catch (err) { logger.error({ err }, 'Seen.') }`,
  ]
  writeFileSync(path.join(folder, 'source.mjs'), lines.join('\n'))
  const outfile = path.join(folder, 'made.js')
  const banner = { js: '// A line\n// and another' }
  const entryPoints = [path.join(folder, 'source.mjs')]
  const external = [logging]
  await build({
    entryPoints,
    outfile,
    banner,
    external,
    bundle: true,
    format: 'esm',
    sourcemap: true,
    minifyWhitespace: true,
  })
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8', env: {} })
  assert.equal(stderr, '')
  const { err } = JSON.parse(stdout) as { readonly err: { readonly stack: string; readonly message: string } }
  assert.match(err.stack, /at fails \(\S*source\.mjs:4\)/)
  assert.match(err.stack, /caused by: Error: the cause/)
  assert.equal(err.message, 'it failed: the cause')
})
