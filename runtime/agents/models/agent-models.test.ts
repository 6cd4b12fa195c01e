import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { faults } from '../../../sandbox/providers/index.js'
import type { ModelAnswer, ModelMessage, ModelTool } from '../../../schemas/agents/models.js'
import { allProviders, calling, question, startModels } from '../../../test/support/models.js'

const { providers, models, address } = await startModels({ after })
beforeEach(() => providers.clear())

const price: ModelTool = {
  name: 'get_price',
  description: 'Returns the price of a product.',
  parameters: {
    type: 'object',
    properties: { product: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
    required: ['product'],
    additionalProperties: false,
  },
}

function afterCall(answer: ModelAnswer, result: string): ModelMessage[] {
  return [
    ...question('What is the price of a pen?').messages,
    // As the store gives it back.
    JSON.parse(JSON.stringify({ role: 'assistant', text: answer.text, calls: answer.calls, raw: answer.raw })),
    {
      role: 'tool',
      results: answer.calls.map(({ id, name }) => ({ callId: id, name, text: result, isError: false })),
    },
  ]
}

describe('an answer', () => {
  for (const provider of allProviders) {
    it(`of ${provider} has its text and counted tokens`, async () => {
      providers.answer({ text: 'Olá!', usage: { input: 12, output: 3 } })
      const answer = await models.generate(address(provider), question('Oi'), calling())
      assert.equal(answer.text, 'Olá!')
      assert.equal(answer.finish, 'stop')
      assert.deepEqual(answer.calls, [])
      assert.deepEqual(answer.usage, { inputTokens: 12, outputTokens: 3, isEstimate: false })
      assert.equal(providers.calls.length, 1)
    })

    it(`of ${provider} calls tools, and takes their results with all that the provider wants back`, async () => {
      providers.answer({
        calls: [
          { name: 'get_price', arguments: { product: 'pen' } },
          { name: 'get_price', arguments: { product: 'ink' } },
        ],
      })
      const step = question('What is the price of a pen?', { tools: [price] })
      const first = await models.generate(address(provider), step, calling())
      assert.equal(first.finish, 'calls')
      assert.deepEqual(
        first.calls.map(({ name, arguments: given }) => [name, JSON.parse(given)]),
        [
          ['get_price', { product: 'pen' }],
          ['get_price', { product: 'ink' }],
        ],
      )
      const messages = afterCall(first, '3 reais')
      for (const toolChoice of ['auto', 'none'] as const) {
        const second = await models.generate(address(provider), { ...step, messages, toolChoice }, calling())
        assert.equal(second.text, 'The function answered: 3 reais 3 reais')
      }
      const named = JSON.stringify(providers.calls.at(-1)?.body)
      assert.match(named, /get_price.*"none"|"NONE"|"none".*get_price/i)
    })

    it(`of ${provider} hands on broken arguments as they are, and an unknown tool`, async () => {
      if (provider === 'anthropic' || provider === 'gemini') return
      providers.answer({ calls: [{ name: 'no_such_tool', arguments: '{"product": "pe' }] })
      const step = question('Price?', { tools: [price] })
      const answer = await models.generate(address(provider), step, calling())
      assert.deepEqual(
        answer.calls.map(({ name, arguments: given }) => [name, given]),
        [['no_such_tool', '{"product": "pe']],
      )
      const again = await models.generate(
        address(provider),
        { ...step, messages: afterCall(answer, 'Broken JSON.') },
        calling(),
      )
      assert.match(again.text, /Broken JSON/)
    })

    it(`of ${provider} that is cut or blocked says so`, async () => {
      providers.answer({ text: 'Once upon', finish: 'length' })
      assert.equal((await models.generate(address(provider), question('Tell'), calling())).finish, 'length')
      providers.answer({ text: 'I cannot', finish: 'blocked' })
      assert.equal((await models.generate(address(provider), question('Tell'), calling())).finish, 'blocked')
    })
  }

  for (const provider of ['openai', 'deepseek', 'custom'] as const)
    for (const [what, id] of [
      ['no id', null],
      ['an empty id', ''],
      ['the same id', 'call_0'],
    ] as const)
      it(`of ${provider} whose calls have ${what} calls each tool, and takes the result of each`, async () => {
        const arguments_ = [{ product: 'pen' }, { product: 'ink' }]
        providers.answer({ calls: arguments_.map((one) => ({ name: 'get_price', arguments: one, id })) })
        const step = question('What is the price of a pen?', { tools: [price] })
        const first = await models.generate(address(provider), step, calling())
        assert.equal(new Set(first.calls.map((call) => call.id)).size, 2)
        assert.ok(first.calls.every((call) => call.id !== ''))
        const messages = afterCall(first, '3 reais')
        const second = await models.generate(address(provider), { ...step, messages }, calling())
        assert.equal(second.text, 'The function answered: 3 reais 3 reais')
      })

  for (const provider of allProviders)
    it(`of ${provider} is about each message of a burst by itself`, async () => {
      const burst = ['I want 12', '34 is my house number'].map((text) => ({ type: 'text' as const, text }))
      for (const messages of [
        [{ role: 'user' as const, parts: burst }],
        burst.map((part) => ({ role: 'user' as const, parts: [part] })),
      ]) {
        await models.generate(address(provider), { ...question(''), messages }, calling())
        const sent = JSON.stringify(providers.calls.at(-1)?.body)
        assert.match(sent, /I want 12("|\\n)/)
        assert.match(sent, /("|\\n)34 is my house number"/)
      }
    })

  it('is estimated when the server does not count', async () => {
    providers.answer({ text: 'x'.repeat(70), usage: null })
    const { usage } = await models.generate(address('custom'), question('y'.repeat(335)), calling())
    assert.deepEqual(usage, { inputTokens: 101, outputTokens: 20, isEstimate: true })
    // A server of a tenant may count anything: less than nothing is estimated, and more than any model reads is cut.
    providers.answer({ text: 'x'.repeat(70), usage: { input: -1_000_000, output: 1e15 } })
    const other = await models.generate(address('custom'), question('y'.repeat(335)), calling())
    assert.deepEqual(other.usage, { inputTokens: 101, outputTokens: 10_000_000, isEstimate: true })
  })

  it('warns when a local server seems to have cut the prompt', async () => {
    providers.answer({ text: 'Yes', usage: { input: 2048, output: 1 } })
    const { warnings } = await models.generate(address('custom'), question('word '.repeat(4000)), calling())
    assert.match(warnings.join(), /2048 tokens where about \d+ were sent/)
  })
})

describe('the documented settings of an agent', () => {
  const settings = { temperature: 0.7, topP: 0.5, frequencyPenalty: 0.3, presencePenalty: 0.3, maxTokens: 2000 }
  const sent = () => providers.calls.at(-1)?.body as Record<string, unknown>

  for (const [provider, model, expected] of [
    ['openai', 'gpt-4o-mini', { temperature: 0.7, top_p: 0.5, frequency_penalty: 0.3, presence_penalty: 0.3 }],
    ['openai', 'gpt-5-mini', {}],
    ['openai', 'o3', {}],
    ['anthropic', 'claude-sonnet-4-5', { temperature: 0.7 }],
    ['anthropic', 'claude-opus-4-7', {}],
    ['anthropic', 'claude-sonnet-9-1', {}],
    ['anthropic', 'claude-3-haiku-20240307', { temperature: 0.7 }],
    ['deepseek', 'deepseek-chat', { temperature: 0.7, top_p: 0.5 }],
    ['custom', 'qwen3:8b', { temperature: 0.7, top_p: 0.5, frequency_penalty: 0.3, presence_penalty: 0.3 }],
  ] as const)
    it(`are sent to ${provider} ${model} as far as it takes them`, async () => {
      const { warnings } = await models.generate(address(provider, model), question('Oi', settings), calling())
      const { temperature, top_p, frequency_penalty, presence_penalty } = sent()
      const found = { temperature, top_p, frequency_penalty, presence_penalty }
      assert.deepEqual(JSON.parse(JSON.stringify(found)), expected)
      if (Object.keys(expected).length === 0) assert.match(warnings.join(), /temperature/)
    })

  it('leave room for hidden thoughts above the limit of the answer', async () => {
    await models.generate(address('openai', 'gpt-5-mini'), question('Oi', settings), calling())
    assert.ok(Number(sent().max_completion_tokens) > 2000)
    await models.generate(address('openai'), question('Oi', settings), calling())
    assert.equal(sent().max_tokens ?? sent().max_completion_tokens, 2000)
    await models.generate(address('anthropic'), question('Oi', settings), calling())
    assert.equal(sent().max_tokens, 2000)
  })

  it('are learned to be refused by models that nobody knows yet: the repetition succeeds', async () => {
    const unknown = address('custom', 'no-sampling-9')
    const learning = []
    for (let count = 0; count < 4; count += 1) {
      const failure = await models.generate(unknown, question('Oi', settings), calling()).catch((error) => error)
      if (!(failure instanceof Error)) break
      assert.deepEqual([failure.name, 'kind' in failure && failure.kind], ['ModelError', 'temporary'])
      assert.equal('retryAfterMs' in failure && failure.retryAfterMs, 0)
      learning.push(failure)
    }
    assert.ok(learning.length >= 1 && learning.length <= 3)
    assert.equal((await models.generate(unknown, question('Oi', settings), calling())).text, 'You said: Oi')
    assert.equal(sent().temperature, undefined)

    const other = address('custom', 'no-sampling-9', { apiKey: 'sk-of-another-tenant' })
    await assert.rejects(models.generate(other, question('Oi', settings), calling()), { kind: 'temporary' })

    const flash = address('gemini', 'gemini-3-flash')
    await assert.rejects(models.generate(flash, question('Oi', settings), calling()), {
      kind: 'temporary',
      retryAfterMs: 0,
    })
    assert.equal((await models.generate(flash, question('Oi', settings), calling())).text, 'You said: Oi')
  })

  it('have no tools for models that call none, unless the conversation has calls', async () => {
    const gemma = address('custom', 'gemma:2b')
    const tools = [{ name: 'ping', description: 'Pings.', parameters: { type: 'object', properties: {} } }]
    providers.fail(faults.status(400, { error: { message: 'registry/library/gemma:2b does not support tools' } }))
    await assert.rejects(models.generate(gemma, question('Oi', { tools }), calling()), {
      kind: 'temporary',
      retryAfterMs: 0,
    })
    const answer = await models.generate(gemma, question('Oi', { tools }), calling())
    assert.deepEqual([answer.text, sent().tools], ['You said: Oi', undefined])
    assert.match(answer.warnings.join(), /Functions are left out/)
    const wrong = {
      error: { message: "Invalid schema for function 'ping': unknown keyword, tools[0] is not supported" },
    }
    const strict = address('custom', 'strict:8b')
    providers.fail(faults.status(400, wrong))
    await assert.rejects(models.generate(strict, question('Oi', { tools }), calling()), { kind: 'refused' })
  })

  it('hold the end user only where the provider asks for one', async () => {
    for (const provider of allProviders) {
      await models.generate(address(provider), question('Oi', { safetyId: 'hash-of-a-chat' }), calling())
      const isNamed = provider === 'openai' || provider === 'anthropic'
      assert.equal(JSON.stringify(sent()).includes('hash-of-a-chat'), isNamed, provider)
    }
  })
})

describe('a picture', () => {
  it('is sent smaller than the limits of all providers', async () => {
    const large = await sharp({ create: { width: 9000, height: 900, channels: 3, background: '#aa5500' } })
      .png()
      .toBuffer()
    for (const provider of ['openai', 'anthropic', 'gemini'] as const) {
      const parts = [
        { type: 'text' as const, text: 'What is it?' },
        { type: 'image' as const, bytes: large, mimetype: 'image/png' },
      ]
      const answer = await models.generate(
        address(provider),
        question('', { messages: [{ role: 'user', parts }] }),
        calling(),
      )
      assert.equal(answer.text, 'You said: What is it? (1 pictures)')
    }
  })

  it('is left out with a warning when the model takes none, or it cannot be read', async () => {
    const parts = [{ type: 'image' as const, bytes: Buffer.from('no picture'), mimetype: 'image/png' }]
    const step = question('', { messages: [{ role: 'user', parts }] })
    for (const provider of ['openai', 'deepseek'] as const) {
      const answer = await models.generate(address(provider), step, calling())
      assert.equal(answer.text, 'You said: [image]')
      assert.match(answer.warnings.join(), /left out/)
    }
    providers.fail(faults.status(400, { error: { message: 'image input is not supported by this model' } }))
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#aa5500' } })
      .png()
      .toBuffer()
    const seen = question('', {
      messages: [{ role: 'user', parts: [{ type: 'image', bytes: picture, mimetype: 'image/png' }] }],
    })
    const llama = address('custom', 'llama-4-scout')
    assert.equal(models.takesImages(llama), true)
    await assert.rejects(models.generate(llama, seen, calling()), { kind: 'temporary', retryAfterMs: 0 })
    assert.equal((await models.generate(llama, seen, calling())).text, 'You said: [image]')
    assert.equal(models.takesImages(llama), false)
    assert.equal(models.takesImages(address('openai')), true)
    assert.equal(models.takesImages(address('deepseek')), false)
    assert.equal(models.takesImages(address('custom', 'llama3.1')), false)
    assert.equal(models.takesImages(address('custom', 'qwen2.5-vl:7b')), true)
  })
})

describe('a history that providers would refuse for ever', () => {
  const call = { id: 'call_1', name: 'get_price', arguments: '{}' }
  const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] })
  const assistant = (text: string): ModelMessage => ({ role: 'assistant', text, calls: [], raw: null })
  const histories: Readonly<Record<string, readonly ModelMessage[]>> = {
    'opens with the assistant': [assistant('Hi'), user('Oi')],
    'has empty texts': [user('Oi'), assistant(''), user(' '), user('Oi')],
    'has two messages of one role': [user('a'), user('b'), assistant('c'), assistant('d'), user('Oi')],
    'has a call without a result': [user('a'), { role: 'assistant', text: '', calls: [call], raw: null }, user('Oi')],
    'has a result without a call': [
      { role: 'tool', results: [{ callId: 'call_0', name: 'get_price', text: '1', isError: false }] },
      user('Oi'),
    ],
    'has an empty result': [
      user('a'),
      { role: 'assistant', text: '', calls: [call], raw: null },
      { role: 'tool', results: [{ callId: 'call_1', name: 'get_price', text: '', isError: true }] },
      user('Oi'),
    ],
    'comes from another provider': [
      user('a'),
      {
        role: 'assistant',
        text: 'b',
        calls: [call],
        raw: { version: 1, provider: 'cohere', parts: [{ type: 'reasoning', text: 'secret' }] },
      },
      { role: 'tool', results: [{ callId: 'call_1', name: 'get_price', text: '1', isError: false }] },
      user('Oi'),
    ],
    'has system texts in between': [user('a'), { role: 'system', text: 'Be brief.' }, user('Oi')],
  }
  for (const [name, messages] of Object.entries(histories))
    it(`is sent in order: one that ${name}`, async () => {
      for (const provider of allProviders) {
        const answer = await models.generate(address(provider), question('', { messages, tools: [price] }), calling())
        assert.match(answer.text, /Oi$/, provider)
      }
    })
})

it('a history that ends with a call without a result gets one that says so', async () => {
  const call = { id: 'call_1', name: 'get_price', arguments: '{}' }
  const messages = [...question('Price?').messages, { role: 'assistant' as const, text: '', calls: [call], raw: null }]
  for (const provider of ['openai', 'anthropic', 'gemini', 'custom'] as const) {
    const answer = await models.generate(address(provider), question('', { messages, tools: [price] }), calling())
    assert.match(answer.text, /The outcome of this call is unknown/)
  }
})

describe('embeddings', () => {
  it('have the length that is asked for, the order of the texts, and length 1', async () => {
    const texts = ['devolução de produtos', 'horário de funcionamento', 'Devolucao de produtos']
    for (const [provider, model] of [
      ['openai', 'text-embedding-3-small'],
      ['gemini', 'gemini-embedding-001'],
    ] as const) {
      const options = { ...calling(), purpose: 'document' as const, dimensions: 512 }
      const { vectors, usage } = await models.embed(address(provider, model), texts, options)
      const [first, second, third] = vectors
      assert.ok(first !== undefined && second !== undefined && third !== undefined)
      assert.deepEqual([first.length, second.length], [512, 512])
      assert.ok(Math.abs(dot(first, first) - 1) < 1e-5)
      assert.ok(dot(first, third) > 0.99 && dot(first, second) < 0.9)
      assert.ok(usage.inputTokens > 0)
    }
    assert.deepEqual(JSON.stringify(providers.calls[1]?.body).match(/RETRIEVAL_\w+/)?.[0], 'RETRIEVAL_DOCUMENT')
  })

  it('of a server of ones own have the length that it gives', async () => {
    const options = { ...calling(), purpose: 'query' as const, dimensions: 512 }
    const { vectors } = await models.embed(address('custom', 'nomic-embed-text'), ['a'], options)
    assert.equal(vectors[0]?.length, 768)
    assert.equal(providers.calls[0]?.body.dimensions, undefined)
  })

  it('are refused before a request for providers without them, empty texts, and too many', async () => {
    const options = { ...calling(), purpose: 'query' as const, dimensions: 512 }
    await assert.rejects(models.embed(address('anthropic'), ['a'], options), { kind: 'refused' })
    await assert.rejects(models.embed(address('openai'), ['a', ' '], options), { kind: 'refused' })
    await assert.rejects(models.embed(address('openai'), new Array(101).fill('a'), options), { kind: 'refused' })
    assert.equal(providers.calls.length, 0)
  })
})

describe('a transcription', () => {
  const file = { bytes: Buffer.alloc(2000, 1), mimetype: 'audio/ogg; codecs=opus' }

  it('sends the recording with a name that has an extension', async () => {
    for (const [provider, model, seconds, inputTokens, outputTokens] of [
      ['openai', 'whisper-1', 3.2, 32, 2],
      ['openai', 'gpt-4o-mini-transcribe', null, 32, 7],
      // 2,000 bytes are about a second.
      ['custom', 'whisper-large-v3', null, 10, 2],
    ] as const) {
      providers.answer({ transcript: 'Bom dia' })
      const result = await models.transcribe(address(provider, model), file, calling())
      const usage = { inputTokens, outputTokens, isEstimate: outputTokens === 2 }
      assert.deepEqual(result, { text: 'Bom dia', seconds, usage })
      const sent = providers.calls.at(-1)?.body.file as { name: string; bytes: Uint8Array }
      assert.equal(sent.name, 'audio.ogg')
      assert.ok(Buffer.from(sent.bytes).equals(file.bytes))
    }
  })

  it('is refused before a request when it is too large, no recording, or of a provider without it', async () => {
    const refuse = (provider: 'openai' | 'anthropic', given: typeof file) =>
      assert.rejects(models.transcribe(address(provider, 'whisper-1'), given, calling()), { kind: 'refused' })
    await refuse('openai', { ...file, bytes: Buffer.alloc(26 * 1024 * 1024) })
    await refuse('openai', { ...file, mimetype: 'application/pdf' })
    await refuse('anthropic', file)
    assert.equal(providers.calls.length, 0)
  })
})

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}
