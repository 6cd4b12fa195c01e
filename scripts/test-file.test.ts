import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type FileResult, runFile } from './test-file.js'

const header = "const { it } = require('node:test');"

describe('a test file', () => {
  it('passes with its report and its sums', async (t) => {
    const result = await run(t, `${header} it('one', () => console.log('a line')); it.skip('two', () => {})`)
    assert.equal(result.passed, true)
    assert.match(result.report, /a line[\s\S]*✔ one/)
    assert.doesNotMatch(result.report, /ℹ tests/)
    assert.deepEqual([result.sums.tests, result.sums.pass, result.sums.skipped, result.sums.fail], [2, 1, 1, 0])
    assert.equal(result.failures, '')
  })

  it('fails with the failed tests for the end of the run', async (t) => {
    const result = await run(t, `${header} it('good', () => {}); it('bad', () => { throw new Error('because') })`)
    assert.equal(result.passed, false)
    assert.equal(result.sums.fail, 1)
    assert.match(result.report, /✔ good/)
    assert.match(result.failures, /✖ bad \([\d.]+ms\)[\s\S]*because/)
    assert.doesNotMatch(result.failures, /good/)
  })

  it('fails under its own name when it ends outside of a test', async (t) => {
    const result = await run(t, `${header} it('good', () => {}); process.once('exit', () => (process.exitCode = 3))`)
    assert.match(result.failures, /^✖ a file \(\d+ms\)\n {2}ended with 3\n[\s\S]*✔ good/)
  })

  it('is killed and fails when it does not end in time', async (t) => {
    const result = await run(t, 'for (;;);', 300)
    assert.equal(result.passed, false)
    assert.match(result.failures, /^✖ a file \(\d+ms\)\n {2}did not end within 0.3 s\n/)
  })
})

async function run(t: TestContext, source: string, timeoutMs = 30_000): Promise<FileResult> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'test-file-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'a.cjs')
  writeFileSync(file, source)
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  return await runFile(file, { options: [], env, timeoutMs, folder, name: 'a file' })
}
