import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type FileResult, runFiles } from './test-file.js'

const header = "const { after, it, mock } = require('node:test');"
const good = `${header} it('good', () => {})`

describe('a test file', () => {
  it('passes with its report and its sums', async (t) => {
    const result = await run(t, [`${header} it('one', () => console.log('a line')); it.skip('two', () => {})`])
    assert.equal(result.passed, true)
    assert.match(result.report, /a line[\s\S]*▶ file 1\n {2}✔ one/)
    assert.doesNotMatch(result.report, /ℹ tests/)
    assert.deepEqual([result.sums.tests, result.sums.pass, result.sums.skipped, result.sums.fail], [2, 1, 1, 0])
    assert.equal(result.failures, '')
  })

  it('fails with the failed tests for the end of the run', async (t) => {
    const bad = `${header} it('good', () => {}); it('bad', () => { throw new Error('because') })`
    const result = await run(t, [bad])
    assert.equal(result.passed, false)
    assert.equal(result.sums.fail, 1)
    assert.match(result.report, /✔ good/)
    assert.match(result.failures, /✖ bad \([\d.]+ms\)[\s\S]*because/)
    assert.doesNotMatch(result.failures, /good/)
  })

  it('fails under its own name when it ends outside of a test', async (t) => {
    const result = await run(t, [`${good}; process.once('exit', () => (process.exitCode = 3))`])
    assert.match(result.failures, /^✖ file 1 \(\d+ms\)\n {2}ended with 3\n[\s\S]*✔ good/)
  })

  it('is killed and fails when it does not end in time', async (t) => {
    const result = await run(t, ['for (;;);'], 300)
    assert.equal(result.passed, false)
    assert.match(result.failures, /^✖ file 1 \(\d+ms\)\n {2}did not end within 0.3 s\n/)
  })

  it('says what ran, and which error nobody caught, when a hook does not end', async (t) => {
    const hangs = `const { before, describe } = require('node:test'); const { createServer } = require('node:net');
      describe('a suite', () => {
        before(() => new Promise((listening) => createServer().listen(1, '192.0.2.1', listening)))
        it('never begins', () => {})
      })`
    const result = await run(t, [`${good}; ${hangs}`, `${good}; setInterval(() => {}, 1_000); ${hangs}`], 3_000)
    const [first = '', late = ''] = result.failures.split(/^✖ file 2/m)
    assert.match(first, /✖ a suite[\s\S]*nobody caught: Error: listen E\w+/)
    assert.match(late, /did not end within 3 s[\s\S]*What did not end:\n[\s\S]* {2}runs for [\d.]+ s: a suite\n/)
    assert.match(late, /nobody caught: Error: listen E\w+/)
    assert.doesNotMatch(late, /runs for [\d.]+ s: (good|never begins)/)
  })

  it('fails when it cannot be loaded', async (t) => {
    const result = await run(t, ["throw new Error('because')", good])
    assert.deepEqual([result.passed, result.sums.tests], [false, 1])
    assert.match(result.failures, /✖ file 1 \([\s\S]*because/)
  })
})

describe('test files that share a process', () => {
  it('run one after another, each with its own hooks, mocks and name in the report', async (t) => {
    const first = `${header} it('one', () => { mock.method(Math, 'random', () => 7) }); after(() => console.log('after one'))`
    const second = `${header} console.log('loaded'); it('two', () => { if (Math.random() === 7) throw new Error('mocked') })`
    const result = await run(t, [first, second])
    assert.equal(result.passed, true, result.failures)
    assert.deepEqual([result.sums.tests, result.sums.pass], [2, 2])
    assert.match(result.report, /after one[\s\S]*loaded/)
    assert.match(result.report, /✔ file 1 [\s\S]*✔ file 2 /)
  })

  it('all run when one of them ends the process, which fails under the name of that one', async (t) => {
    const crash = `${header} it('dies', () => process.kill(process.pid, 'SIGKILL'))`
    const result = await run(t, [good, crash, good, `${header} it('leaves', () => process.exit(0))`, good])
    assert.equal(result.passed, false)
    assert.match(result.failures, /^✖ file 2 \(\d+ms\)\n {2}ended with SIGKILL\n/)
    assert.match(result.failures, /^✖ file 4 \(\d+ms\)\n {2}ended with 0\n/m)
    assert.deepEqual(result.failed, ['file 2', 'file 4'])
    assert.match(result.report, /✔ file 1 [\s\S]*✔ file 3 [\s\S]*✔ file 5 /)
  })

  it('have each their own time, and the others run when one is late', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const folder = mkdtempSync(path.join(os.tmpdir(), 'test-file-times-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const [begun, ended] = [
      (name: string) => path.join(folder, `${name}-begun`),
      (name: string) => path.join(folder, name),
    ]
    const waits = (name: string): string =>
      `${header} const fs = require('node:fs'); it('waits', () => new Promise((resolve) => {
        fs.writeFileSync('${begun(name)}', ''); const look = setInterval(() => fs.existsSync('${ended(name)}') && (clearInterval(look), resolve()), 10) }))`
    const running = run(t, [waits('1'), waits('2'), waits('3'), good], 1_500)
    for (const name of ['1', '2', '3']) {
      while (!existsSync(begun(name))) await turn()
      // The process has said before that the file begins.
      for (let turns = 0; turns < 20; turns += 1) await turn()
      t.mock.timers.tick(name === '3' ? 1_500 : 900)
      if (name !== '3') writeFileSync(ended(name), '')
    }
    const result = await running
    assert.match(result.failures, /^✖ file 3 \(\d+ms\)\n {2}did not end within 1.5 s\n/)
    assert.equal(result.failures.match(/^✖ file/gm)?.length, 1)
    assert.deepEqual(result.failed, ['file 3'])
    assert.match(result.report, /✔ file 1 [\s\S]*✔ file 2 [\s\S]*✔ file 4 /)
  })

  it('fail when a test never ends though nothing is left to wait for, and the others run', async (t) => {
    const result = await run(t, [`${header} it('idle', () => new Promise(() => {}))`, good])
    assert.equal(result.passed, false)
    assert.match(result.failures, /✖ idle[\s\S]*still pending/)
    assert.deepEqual(result.failed, ['file 1'])
    assert.match(result.report, /✔ file 2 /)
  })

  it('fail under the name of the file that left an error behind', async (t) => {
    const late = `${header} it('early', () => void setTimeout(() => { throw new Error('late') }, 10)); it('long', () => new Promise((resolve) => setTimeout(resolve, 100)))`
    const result = await run(t, [good, late, good])
    assert.match(result.failures, /^✖ file 2 \(\d+ms\)\n {2}ended with 1\n[\s\S]*"Error: late"/)
    assert.deepEqual(result.failed, ['file 2'])
    assert.equal(result.sums.tests, 4)
  })
})

async function run(t: TestContext, sources: readonly string[], timeoutMs = 30_000): Promise<FileResult> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'test-file-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = sources.map((source, index) => {
    const file = path.join(folder, `${index + 1}.cjs`)
    writeFileSync(file, source)
    return { name: `file ${index + 1}`, file }
  })
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, POSTHORN_TEST_FOLDER: undefined }
  return await runFiles(files, { options: [], env, timeoutMs, folder })
}
