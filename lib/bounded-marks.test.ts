import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readText } from '../runtime/agents/extract/extract-worker.js'
import { splitWords as wordsOfChunk } from '../runtime/agents/extract/words.js'
import { questionWords } from '../runtime/agents/knowledge/knowledge-search.js'
import { listWords } from '../schemas/agents/words.js'
import { boundedMarks } from './bounded-marks.js'

const MARKS = '\u0301\u0316'.repeat(2_000)

it('letters keep eight marks', () => {
  assert.equal(
    boundedMarks(`e\u0301 ${'\u0301'.repeat(8)} a${'\u0316'.repeat(9)}b`),
    `e\u0301 ${'\u0301'.repeat(8)} a${'\u0316'.repeat(8)}b`,
  )
  assert.equal(boundedMarks(`\u302e${MARKS}`).length, 8)
})

it('no text of others is normalized with a long run of marks, which would hold up the node', (t) => {
  const runs: number[] = []
  const normalize = String.prototype.normalize
  t.mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
    runs.push(...(this.match(/\p{M}+/gu) ?? []).map(({ length }) => length))
    return normalize.call(this, form)
  })
  const text = `a${MARKS}b`
  assert.deepEqual(listWords(text.slice(0, 900)), ['a'])
  assert.deepEqual(wordsOfChunk(text), ['ab'])
  assert.deepEqual(
    questionWords(text).map(({ plain }) => plain),
    ['ab'],
  )
  assert.equal(readText({ type: 'txt', bytes: Buffer.from(text) }).chunks.length > 0, true)
  assert.ok(runs.length > 4)
  assert.ok(Math.max(...runs) <= 8, String(Math.max(...runs)))
})
