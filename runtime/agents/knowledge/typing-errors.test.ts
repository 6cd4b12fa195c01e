import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildVocabulary, similarWords } from './typing-errors.js'

describe('words with typing errors', () => {
  it('are found if a letter or, in long words, two are added, missing, other or swapped', () => {
    const vocabulary = buildVocabulary(['devolucoes', 'entrega', 'canary7f3a', 'pao', 'flor', 'flores'])
    for (const [wanted, found] of [
      ['devloucoes', 'devolucoes'],
      ['devolucos', 'devolucoes'],
      ['entreag', 'entrega'],
      ['kanari7f3a', 'canary7f3a'],
      ['florr', 'flor'],
    ] as const)
      assert.equal(similarWords([wanted], vocabulary)[0], found, wanted)
    for (const wanted of ['pau', 'entrada', 'other']) assert.deepEqual(similarWords([wanted], vocabulary), [], wanted)
  })

  it('hold up the node for a moment only, whatever words a tenant has chosen', () => {
    let seed = 1
    const next = (max: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % max
    }
    // All have the same letters, so that each must be compared.
    const anagram = () => [...'abcdefghijkl'].sort(() => next(3) - 1).join('')
    const vocabulary = buildVocabulary(Array.from({ length: 50_000 }, anagram))
    const questions = Array.from({ length: 16 }, anagram)
    const before = process.cpuUsage().user
    similarWords(questions, vocabulary)
    const ms = (process.cpuUsage().user - before) / 1_000
    // It took several seconds while all were compared.
    assert.ok(ms < 1_000, `${ms} ms`)
  })
})
