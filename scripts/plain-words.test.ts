import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { oddities, ofPage, ofSource, readSentences, type Sentence, type TextKind } from './plain-words.js'

/** Share of the sentences of each kind, in percent. */
const ODD_MAX = 1

describe('the words that people read', () => {
  const all = [...readSentences(packageRoot)]

  for (const [kind, atLeast] of [
    ['docs', 4_000],
    ['descriptions of the API', 3_000],
    ['texts of the gateway', 4_000],
    ['dashboard', 1_500],
    ['tests, sandbox and benches', 8_000],
  ] as const satisfies readonly (readonly [TextKind, number])[])
    it(`are the field's own and in plain order: ${kind}`, () => {
      const sentences = all.filter((one) => one.kind === kind)
      assert.ok(sentences.length >= atLeast, `${sentences.length} sentences`)
      const odd = sentences.filter((one) => oddities(one).length > 0)
      const share = (100 * odd.length) / sentences.length
      assert.ok(share <= ODD_MAX, `${odd.length} of ${sentences.length} (${share.toFixed(1)} %):\n${shown(odd)}`)
    })

  it('are found in texts of a source and in pages, and not in code', () => {
    const source = "// It's anew.\nconst a = 'The instance goes on by itself.'\nconst b = `SELECT no FROM program`\n"
    assert.deepEqual(
      [...ofSource('api/a.ts', source)].map(({ line, text }) => [line, text]),
      [[2, 'The instance goes on by itself.']],
    )
    const page =
      '# The head of it\n\nOne sentence here. And `is no` code.\n\n```\nthe program goes on\n```\n- A list item here\n'
    assert.deepEqual(
      [...ofPage('docs/a.md', page)].map(({ line, text }) => [line, text]),
      [
        [1, '# The head of it'],
        [3, 'One sentence here.'],
        [8, '- A list item here'],
      ],
    )
  })

  it('are distinguished: the six patterns and their better forms', () => {
    const odd = (text: string, kind: TextKind = 'docs') => oddities({ kind, text }).length > 0
    for (const text of [
      'The image is no picture.',
      'The instance has as many campaigns as it can have.',
      'Send a film or a sound.',
      'The network refused it.',
      'Read the log of the start of any node.',
      'It takes 20 instances at most.',
      'Leave out people within so many days.',
      'It does not exist any more.',
      'The campaign goes on.',
    ])
      assert.ok(odd(text), text)
    for (const text of [
      'There is no such message.',
      'It is no longer there.',
      'Must be at most 25 characters.',
      'So many calls came that some were refused.',
      'It stands on the page of a campaign.',
    ])
      assert.ok(!odd(text), text)
    assert.ok(!odd('The network refused it.', 'tests, sandbox and benches'))
  })
})

function shown(sentences: readonly Sentence[]): string {
  return sentences
    .slice(0, 150)
    .map(
      (one) =>
        `${one.file}:${one.line} ${one.text}\n    ${oddities(one)
          .map(({ name, instead }) => `${name}: ${instead}`)
          .join('; ')}`,
    )
    .join('\n')
}
