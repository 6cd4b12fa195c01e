import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { countComments, isRiddle, listComments, opensPlainly } from './plain-comments.js'

/** Shares of the comments, in percent. */
const RIDDLES_MAX = 1
const VERBS_MIN = 25

describe('the comments of the program', () => {
  it('open with a verb or a condition, and are not riddles', () => {
    const { comments, riddles, verbs } = countComments(packageRoot)
    assert.ok(comments > 1_000)
    const shown = riddles.slice(0, 20).map(({ file, line, text }) => `${file}:${line} ${text}`)
    assert.ok((100 * riddles.length) / comments <= RIDDLES_MAX, `${riddles.length} riddles:\n${shown.join('\n')}`)
    assert.ok((100 * verbs) / comments >= VERBS_MIN, `${verbs} of ${comments} open with a verb or a condition`)
  })

  it('are found in blocks and in runs of lines', () => {
    const source = '/** Returns one. */\nconst a = 1\n/**\n * Holds two.\n */\n// Three\n// continues.\nlet b\n'
    assert.deepEqual(
      listComments('a.ts', source).map(({ line, text }) => [line, text]),
      [
        [1, 'Returns one.'],
        [3, 'Holds two.'],
        [6, 'Three'],
      ],
    )
  })

  it('are sorted into riddles and plain ones', () => {
    for (const text of ['What was asked of it.', 'Who asks.', 'A message is told to it.'])
      assert.ok(isRiddle(text), text)
    for (const text of ['Returns the row.', 'If the lease expired, …', 'When it ends.'])
      assert.ok(opensPlainly(text), text)
    assert.ok(!opensPlainly('Keys of the cache.'))
  })
})
