import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import { longestStopMs } from '../../../test/support/main-thread-time.js'
import { errorFacts } from './error-facts.js'
import { LearnedRefusals, type ModelFeature } from './learned.js'
import { classify, quotable } from './transport.js'

/** Maximum processor time of one error in us. Before the words were cut, 64 KiB took 1.8 s. */
const TIME_MAX_US = 500_000
/** Maximum time of the main thread. */
const STOP_MAX_MS = 20
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
        new LearnedRefusals().learn(
          ADDRESS,
          param,
          `unsupported ${said}`,
          new Set<ModelFeature>(['images', 'maxTokens']),
        )
      }
      const { user } = process.cpuUsage(start)
      assert.ok(user < TIME_MAX_US, `${piece}: ${user} us`)
    }
  })

  it('are compared with a chat that a stranger has filled without keeping the event loop', async () => {
    const words = Array.from({ length: 80 }, (_, index) => `abcdefgh${index % 10}`).join('')
    // Each quotation nearly stands everywhere in the chat.
    const quotations = Array.from({ length: 6 }, (_, index) => `"aaaaa ${index}"`).join(' ')
    const filled = (piece: string) => piece.repeat(Math.floor(MEGABYTE / piece.length))
    const messages = Array.from({ length: 20_000 }, (_, index) => `message ${index} of a stranger fills the chat`)
    for (const [line, texts] of [
      [words, [filled('abcdefgh')]],
      [words, [filled('abcdefg.')]],
      [words, ['x'.repeat(64 * MEGABYTE)]],
      [words, messages],
      [quotations, [filled('aaaaa ')]],
      [quotations, [filled('"aaaaa ')]],
    ] as const) {
      const ms = await longestStopMs(() => quotable(line, texts), STOP_MAX_MS)
      assert.ok(ms < STOP_MAX_MS, `${line.slice(0, 20)}: ${ms.toFixed(1)} ms`)
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
