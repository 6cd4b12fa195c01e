import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { faults, type ProviderName, startProviders } from './index.js'

const providers = await startProviders()
after(() => providers.close())
beforeEach(() => providers.clear())

const PATHS: Readonly<Record<ProviderName, string>> = {
  openai: '/chat/completions',
  anthropic: '/messages',
  gemini: '/models/gemini-3-flash:generateContent',
  deepseek: '/chat/completions',
  custom: '/chat/completions',
}
const KEYS: Readonly<Record<ProviderName, Record<string, string>>> = {
  openai: { authorization: 'Bearer sk-good' },
  anthropic: { 'x-api-key': 'sk-good', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'good' },
  deepseek: { authorization: 'Bearer sk-good' },
  custom: {},
}

async function post(provider: ProviderName, body: object, headers = KEYS[provider], path = PATHS[provider]) {
  const response = await fetch(providers.baseUrl(provider) + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const user = { role: 'user', content: 'Oi' }
const openai = { model: 'gpt-4o', messages: [user] }
const gpt5 = { ...openai, model: 'gpt-5' }
const claude = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [user] }
const deepseek = { model: 'deepseek-v4-pro', messages: [user] }
const ask = { role: 'user', parts: [{ text: 'Oi' }] }
const gemini = { contents: [ask] }
const toolCalls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
const claudeTools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }]
const toolUse = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] }
const functionCall = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }
const functionResponse = { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }
const broken = { type: 'object', properties: { a: { type: 'text' } } }

const refusals: readonly (readonly [ProviderName, string, object, RegExp])[] = [
  ['openai', 'an unknown key', { ...openai, foo: 1 }, /Unknown parameter: 'foo'/],
  ['openai', 'an unknown role', { ...openai, messages: [{ ...user, role: 'bot' }] }, /Invalid value: 'bot'/],
  ['openai', 'no messages', { ...openai, messages: [] }, /empty_array/],
  ['openai', 'empty content', { ...openai, messages: [{ role: 'user', content: '' }] }, /content/],
  [
    'openai',
    'a result without its call',
    { ...openai, messages: [user, { role: 'tool', tool_call_id: 'c1', content: 'x' }] },
    /preceeding message/,
  ],
  [
    'openai',
    'a call without its result',
    { ...openai, tools, messages: [user, { role: 'assistant', content: null, tool_calls: toolCalls }, user] },
    /did not have response messages: c1/,
  ],
  [
    'openai',
    'temperature on a reasoning model',
    { ...gpt5, temperature: 0.7 },
    /'temperature' does not support 0.7 .*unsupported_value/,
  ],
  [
    'openai',
    'max_tokens on a reasoning model',
    { ...gpt5, max_tokens: 10 },
    /Use 'max_completion_tokens' instead.*unsupported_parameter/,
  ],
  ['openai', 'too many tokens of an answer', { ...openai, max_tokens: 100_000 }, /max_tokens is too large/],
  [
    'openai',
    'a question above the window',
    { ...openai, model: 'gpt-4o-tiny', messages: [{ ...user, content: 'a'.repeat(9000) }] },
    /context_length_exceeded/,
  ],
  [
    'openai',
    'a wrong schema',
    { ...openai, tools: [{ type: 'function', function: { name: 'f', parameters: broken } }] },
    /invalid_function_parameters/,
  ],
  ['openai', 'a tool choice without tools', { ...openai, tool_choice: 'none' }, /only allowed when 'tools'/],
  [
    'openai',
    'a picture that is none',
    {
      ...openai,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }],
    },
    /invalid_image/,
  ],
  ['anthropic', 'no limit', { ...claude, max_tokens: undefined }, /max_tokens: Field required/],
  [
    'anthropic',
    'an unknown key',
    { ...claude, frequency_penalty: 0.3 },
    /frequency_penalty: Extra inputs are not permitted/,
  ],
  [
    'anthropic',
    'an unknown role',
    { ...claude, messages: [{ ...user, role: 'system' }] },
    /should be 'user' or 'assistant'/,
  ],
  ['anthropic', 'no messages', { ...claude, messages: [] }, /at least one message/],
  ['anthropic', 'empty content', { ...claude, messages: [{ role: 'user', content: '' }] }, /non-empty content/],
  [
    'anthropic',
    'a first message of the assistant',
    { ...claude, messages: [{ role: 'assistant', content: 'x' }, user] },
    /first message must use the \\"user\\" role/,
  ],
  [
    'anthropic',
    'calls while no tools are sent',
    {
      ...claude,
      messages: [user, toolUse, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] }],
    },
    /must define tools/,
  ],
  [
    'anthropic',
    'a call without its result',
    { ...claude, tools: claudeTools, messages: [user, toolUse, user] },
    /were found without `tool_result` blocks immediately after: t1/,
  ],
  [
    'anthropic',
    'a result behind a text',
    {
      ...claude,
      tools: claudeTools,
      messages: [
        user,
        toolUse,
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'tool_result', tool_use_id: 't1', content: 'x' },
          ],
        },
      ],
    },
    /immediately after: t1/,
  ],
  [
    'anthropic',
    'a result without its call',
    {
      ...claude,
      tools: claudeTools,
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't9', content: 'x' }] }],
    },
    /unexpected `tool_use_id`/,
  ],
  ['anthropic', 'temperature and top_p', { ...claude, temperature: 0.5, top_p: 0.5 }, /cannot both be specified/],
  ['anthropic', 'temperature on a new model', { ...claude, model: 'claude-opus-4-7', temperature: 0.5 }, /deprecated/],
  [
    'anthropic',
    'a question above the window',
    { ...claude, model: 'claude-tiny', messages: [{ ...user, content: 'a'.repeat(9000) }] },
    /prompt is too long/,
  ],
  [
    'anthropic',
    'a large picture',
    {
      ...claude,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(9000, 10) } }],
        },
      ],
    },
    /8000 pixels/,
  ],
  [
    'anthropic',
    'a heavy picture',
    {
      ...claude,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(10, 10, 6_000_000) } },
          ],
        },
      ],
    },
    /exceeds 5 MB maximum|too long/,
  ],
  ['anthropic', 'a wrong schema', { ...claude, tools: [{ name: 'f', input_schema: broken }] }, /input_schema/],
  ['gemini', 'an unknown key', { ...gemini, foo: 1 }, /Unknown name \\"foo\\"/],
  ['gemini', 'an unknown role', { contents: [{ ...ask, role: 'assistant' }] }, /valid role: user, model/],
  ['gemini', 'no messages', { contents: [] }, /contents is not specified/],
  ['gemini', 'empty content', { contents: [{ role: 'user', parts: [] }] }, /must not be empty/],
  [
    'gemini',
    'a call without a signature',
    { contents: [ask, functionCall, functionResponse] },
    /missing a thought_signature/,
  ],
  [
    'gemini',
    'a signature of somebody else',
    {
      contents: [
        ask,
        { role: 'model', parts: [{ ...functionCall.parts[0], thoughtSignature: 'b3RoZXI=' }] },
        functionResponse,
      ],
    },
    /Corrupted thought signature/,
  ],
  ['gemini', 'a call without its result', { contents: [ask, functionCall, ask] }, /number of function response parts/],
  [
    'gemini',
    'a result without its call',
    { contents: [ask, functionResponse] },
    /immediately after a function call turn/,
  ],
  [
    'gemini',
    'a wrong schema',
    { ...gemini, tools: [{ functionDeclarations: [{ name: 'f', parameters: broken }] }] },
    /function_declarations\[0\].parameters/,
  ],
  [
    'deepseek',
    'no thoughts with a result',
    {
      ...deepseek,
      tools,
      messages: [
        user,
        { role: 'assistant', content: '', tool_calls: toolCalls },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
      ],
    },
    /`reasoning_content` in the thinking mode must be passed back/,
  ],
  [
    'deepseek',
    'a picture',
    {
      ...deepseek,
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png(1, 1)}` } }] },
      ],
    },
    /image_url/,
  ],
  [
    'custom',
    'a result without its call',
    { ...openai, messages: [user, { role: 'tool', tool_call_id: 'c1', content: 'x' }] },
    /preceeding message/,
  ],
]

function png(width: number, height: number, bytes = 24): string {
  const header = Buffer.alloc(Math.max(24, bytes))
  header.writeUInt32BE(0x89504e47, 0)
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header.toString('base64')
}

describe('a strict provider', () => {
  for (const [provider, name, body, words] of refusals)
    it(`refuses ${name}: ${provider}`, async () => {
      const { status, text } = await post(provider, body)
      assert.equal(status, 400, text)
      assert.match(text, words)
    })

  it('answers what is right', async () => {
    for (const [provider, body] of [
      ['openai', openai],
      ['openai', { ...gpt5, max_completion_tokens: 100 }],
      ['anthropic', claude],
      ['gemini', gemini],
      ['deepseek', deepseek],
      ['custom', { ...openai, model: 'x', foo: 1 }],
    ] as const) {
      const { status, text } = await post(provider, body)
      assert.equal(status, 200, text)
      assert.match(text, /You said: Oi/)
    }
  })

  it('refuses missing and wrong keys', async () => {
    for (const [provider, missing, wrong, body] of [
      ['openai', 401, 401, openai],
      ['anthropic', 401, 401, claude],
      ['gemini', 403, 400, gemini],
      ['deepseek', 401, 401, deepseek],
    ] as const) {
      const version = { 'anthropic-version': '2023-06-01' }
      assert.equal((await post(provider, body, version)).status, missing)
      const bad = { ...version, authorization: 'Bearer wrong', 'x-api-key': 'wrong', 'x-goog-api-key': 'wrong' }
      assert.equal((await post(provider, body, bad)).status, wrong)
    }
    const { status, text } = await post('anthropic', claude, { 'x-api-key': 'sk-good' })
    assert.deepEqual([status, /anthropic-version: header is required/.test(text)], [400, true])
  })

  it('refuses embeddings of nothing, of too many texts, and of too many dimensions', async () => {
    const model = 'text-embedding-3-small'
    for (const body of [
      { model, input: [''] },
      { model, input: [] },
      { model, input: ['a'], dimensions: 5000 },
    ])
      assert.equal((await post('openai', body, KEYS.openai, '/embeddings')).status, 400)
    const many = { requests: new Array(101).fill({ content: { parts: [{ text: 'a' }] } }) }
    const path = '/models/gemini-embedding-001:batchEmbedContents'
    assert.match((await post('gemini', many, KEYS.gemini, path)).text, /at most 100 requests/)
  })

  it('refuses recordings without a file name that has an extension, and forms that are none', async () => {
    for (const name of ['audio', 'blob', 'audio.exe']) {
      const form = new FormData()
      form.append('model', 'whisper-1')
      form.append('file', new Blob([new Uint8Array(500)]), name)
      const url = `${providers.baseUrl('openai')}/audio/transcriptions`
      const response = await fetch(url, { method: 'POST', headers: KEYS.openai, body: form })
      assert.equal(response.status, 400)
      assert.match(await response.text(), /Unrecognized file format/)
    }
    assert.equal((await post('openai', {}, KEYS.openai, '/audio/transcriptions')).status, 400)
  })

  it('leaves an answer for a chat to it, although a call for vectors has the same text', async () => {
    providers.next({ answer: { text: 'of the chat' }, when: ({ body }) => JSON.stringify(body).includes('Bread') })
    providers.next({ fault: faults.htmlPage(503), operation: 'embeddings' })
    const texts = { model: 'text-embedding-3-small', input: ['Bread costs 2.'] }
    assert.equal((await post('openai', texts, KEYS.openai, '/embeddings')).status, 503)
    assert.equal((await post('openai', texts, KEYS.openai, '/embeddings')).status, 200)
    const asked = { ...openai, messages: [{ role: 'user', content: 'Bread?' }] }
    assert.match((await post('openai', asked)).text, /of the chat/)
  })

  it('notes each call with its whole body, and answers by its script', async () => {
    providers.next({ answer: { text: 'scripted' }, when: ({ provider }) => provider === 'anthropic' })
    const large = { ...openai, messages: [{ role: 'user', content: 'a'.repeat(100_000) }] }
    await post('openai', large)
    assert.match((await post('anthropic', claude)).text, /scripted/)
    assert.deepEqual(
      providers.calls.map(({ provider, status }) => [provider, status]),
      [
        ['openai', 200],
        ['anthropic', 200],
      ],
    )
    assert.deepEqual(providers.calls[0]?.body, large)
    assert.equal(providers.calls[0]?.key, 'sk-good')
  })
})
