import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressDashboard } from './compress-dashboard.js'

it('puts compressed copies beside large texts, again only when they changed', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-compress-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'assets'))
  const script = path.join(folder, 'assets', 'a.js')
  writeFileSync(script, 'a()\n'.repeat(1_000))
  writeFileSync(path.join(folder, 'assets', 'b.png'), Buffer.alloc(5_000))
  writeFileSync(path.join(folder, 'small.js'), 'b()')
  compressDashboard(folder)
  assert.deepEqual(gunzipSync(readFileSync(`${script}.gz`)), readFileSync(script))
  assert.deepEqual(brotliDecompressSync(readFileSync(`${script}.br`)), readFileSync(script))
  for (const name of ['assets/b.png.gz', 'small.js.gz']) assert.equal(existsSync(path.join(folder, name)), false, name)

  writeFileSync(`${script}.gz`, 'as it was')
  compressDashboard(folder)
  assert.equal(readFileSync(`${script}.gz`, 'utf8'), 'as it was')
  writeFileSync(script, 'c()\n'.repeat(1_000))
  utimesSync(script, new Date(), new Date(Date.now() + 10_000))
  compressDashboard(folder)
  assert.deepEqual(gunzipSync(readFileSync(`${script}.gz`)), readFileSync(script))
  compressDashboard(path.join(folder, 'no such folder'))
})
