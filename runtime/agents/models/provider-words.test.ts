import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import { classify } from './classify.js'
import { errorFacts } from './error-facts.js'
import { type Feature, LearnedRefusals } from './learned.js'
import { quotable } from './quotable.js'

/** Maximum processor time of one error in us. Before the words were cut, 64 KiB took 1.8 s. */
const TIME_MAX_US = 500_000
const ADDRESS = { provider: 'custom', model: 'm', apiKey: 'k', baseUrl: 'http://127.0.0.1' } as ModelAddress
const MEGABYTE = 1_048_576

describe('the words of a provider', () => {
  it('take bounded time, however long and hostile they are', () => {
    for (const piece of [
      'max_tokens ',
      'support',
      'image',
      'support image_',
      'input token count ',
      '"a',
      '.'.repeat(9),
    ]) {
      const message = piece.repeat(Math.ceil((4 * MEGABYTE) / piece.length))
      const start = process.cpuUsage()
      for (const body of [
        { error: { message, code: message, param: message } },
        { error: message },
        { detail: message },
      ]) {
        classify('custom', { status: 400, headers: {}, body }, ['A private text of the tenant'])
        const { param, message: said } = errorFacts(body) ?? assert.fail()
        new LearnedRefusals().learn(ADDRESS, param, `unsupported ${said}`, new Set<Feature>(['images', 'maxTokens']))
      }
      const { user } = process.cpuUsage(start)
      assert.ok(user < TIME_MAX_US, `${piece}: ${user} us`)
    }
  })

  it('are compared with a long conversation in bounded time', () => {
    const words = Array.from({ length: 80 }, (_, index) => `abcdefgh${index % 10}`).join('')
    for (const text of ['abcdefgh'.repeat(131_072), 'abcdefg.'.repeat(131_072), 'x'.repeat(64 * MEGABYTE)]) {
      const start = process.cpuUsage()
      quotable(words, [text])
      const { user } = process.cpuUsage(start)
      assert.ok(user < TIME_MAX_US, `${user} us`)
    }
  })

  it('are shown unless they quote a private text', () => {
    const secret = 'The customer lives in Rua das Flores 12'
    const said = (line: string) => quotable(line, ['Hi', secret, `${'x'.repeat(5)}${secret}`])
    assert.equal(said('The parameter temperature is unsupported'), 'The parameter temperature is unsupported')
    for (let start = 0; start + 16 <= secret.length; start += 1)
      assert.equal(said(`It cannot take ${secret.slice(start, start + 16)} now`), '')
    assert.equal(said('It cannot take "Flores" now'), '')
    assert.notEqual(said('It cannot take Flores now'), '')
  })
})
