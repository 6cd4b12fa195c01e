import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelCall } from '../../../schemas/agents/models.js'
import type { FunctionAnswer, FunctionRequest, ToolCallContext } from '../../../schemas/agents/tools.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import type { KnowledgeSearch } from './agent-tools.js'
import { createAgentTools } from './agent-tools.js'

const INSTANCE = 'one' as InstanceId
const all = { functions: null, knowledge: null }
const row = (more: Partial<FunctionRow> = {}): FunctionRow => ({
  id: 'r1',
  name: 'find_order',
  description: 'Finds an order.',
  method: 'GET',
  endpoint: 'https://api.example/orders/{{order}}?phone={{chat.phone}}',
  active: true,
  headers: '{"authorization":"Bearer secret-of-the-owner"}',
  body: '',
  parameters: [{ name: 'order', type: 'string', required: true }],
  undocumented: '',
  headerError: false,
  bodyError: false,
  retrySafe: false,
  created: new Date(0),
  updated: new Date(0),
  ...more,
})
const call = (name: string, given: unknown): ModelCall => ({
  id: 'c1',
  name,
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
})
const context = (more: Partial<ToolCallContext> = {}): ToolCallContext => ({
  turn: 't1',
  generation: 1,
  step: 2,
  call: 3,
  reserved: new Map([['chat.phone', '5511999990001']]),
  signal: new AbortController().signal,
  ...more,
})
const answered = (text: string, more: Partial<FunctionAnswer & { isAnswered: true }> = {}): FunctionAnswer => ({
  isAnswered: true,
  statusCode: 200,
  contentType: 'application/json',
  text,
  isCut: false,
  ...more,
})

function tools(
  rows: FunctionRow[],
  answer: FunctionAnswer = answered('{"state":"sent"}'),
  knowledge?: KnowledgeSearch,
) {
  const requests: FunctionRequest[] = []
  const agentTools = createAgentTools({
    records: {
      functions: async () => [...rows],
      findFunction: async (_, id) => rows.find((one) => one.id === id) ?? null,
    },
    http: {
      async call(_, request) {
        requests.push(request)
        return answer
      },
    },
    knowledge: knowledge ?? null,
  })
  return { requests, agentTools }
}

describe('a call of a function', () => {
  it('is made with the arguments, the secrets and a key of its own, and gives its answer', async () => {
    const { requests, agentTools } = tools([row()])
    const set = await agentTools.of(INSTANCE, all)
    assert.deepEqual(
      set.tools.map(({ name }) => name),
      ['find_order', 'transfer_to_human'],
    )
    const result = await set.run(call('find_order', { order: 'A 1' }), context())
    assert.equal(requests[0]?.url.href, 'https://api.example/orders/A%201?phone=5511999990001')
    assert.deepEqual(requests[0]?.headers, {
      authorization: 'Bearer secret-of-the-owner',
      'idempotency-key': 't1-1-2-3',
    })
    const { durationMs, ...record } = result.record
    assert.ok(durationMs !== undefined)
    assert.deepEqual([result.text, result.isError, result.isEffect], ['{"state":"sent"}', false, false])
    assert.deepEqual(record, {
      name: 'find_order',
      arguments: '{"order":"A 1"}',
      endpoint: 'GET api.example',
      status: 200,
    })
  })

  it('is not made with wrong arguments, under an unknown name, or when it was switched off during the turn', async () => {
    const rows = [row()]
    const { requests, agentTools } = tools(rows)
    const set = await agentTools.of(INSTANCE, all)
    const refused = async (asked: ModelCall, more?: Partial<ToolCallContext>) => {
      const { text, isError, isEffect } = await set.run(asked, context(more))
      assert.deepEqual([isError, isEffect], [true, false])
      return text
    }
    assert.match(await refused(call('find_order', {})), /"order" is missing/)
    assert.match(await refused(call('find_order', '{"order":')), /not one valid JSON/)
    assert.match(await refused(call('drop_all', {})), /no function "drop_all".*find_order/)
    assert.match(await refused(call('__proto__', {})), /no function/)
    assert.match(await refused(call('find_order', { order: 'A' }), { reserved: new Map() }), /chat\.phone/)
    assert.match(await refused(call('search_knowledge', { query: 'x' })), /no function/)
    rows[0] = row({ active: false })
    assert.match(await refused(call('find_order', { order: 'A' })), /switched off/)
    rows.length = 0
    assert.match(await refused(call('find_order', { order: 'A' })), /switched off/)
    assert.equal(requests.length, 0)
  })

  it('is checked against the definition of this moment', async () => {
    const rows = [row()]
    const { agentTools } = tools(rows)
    const set = await agentTools.of(INSTANCE, all)
    const parameters = [{ name: 'order', type: 'string', enum: 'A,B' }]
    rows[0] = row({ parameters, updated: new Date(1) })
    assert.match((await set.run(call('find_order', { order: 'C' }), context())).text, /one of "A", "B"/)
  })

  it('tells the model what a failure means, and hides secrets that a server repeats', async () => {
    const run = async (answer: FunctionAnswer, more: Partial<FunctionRow> = {}) => {
      const set = await tools([row(more)], answer).agentTools.of(INSTANCE, all)
      return await set.run(call('find_order', { order: 'A' }), context())
    }
    const echo = await run(answered('{"authorization":"Bearer secret-of-the-owner"}', { statusCode: 404 }))
    assert.equal(echo.text, 'The function answered HTTP 404: {"authorization":"Bearer ***"}')
    assert.match((await run(answered('', { statusCode: 302 }))).text, /redirect/)
    assert.match((await run(answered('x', { isCut: true }))).text, /cut here/)
    assert.match((await run(answered('\x89PNG\0', { contentType: 'image/png' }))).text, /not a text: image\/png/)
    assert.equal((await run(answered('a\0b\u0007c', { contentType: 'text/plain' }))).text, 'abc')
    assert.match((await run(answered('', { statusCode: 204 }))).text, /done/)
    const timeout = { isAnswered: false, isNotSent: false, reason: 'timeout' } as const
    const read = await run(timeout)
    assert.deepEqual([read.isEffect, /not known whether/.test(read.text)], [false, false])
    const write = await run(timeout, { method: 'POST' })
    assert.deepEqual([write.isEffect, /not known whether/.test(write.text)], [true, true])
    const away = await run({ isAnswered: false, isNotSent: true, reason: 'unreachable' }, { method: 'POST' })
    assert.deepEqual([away.isEffect, /nothing was done/.test(away.text)], [false, true])
    assert.match((await run({ isAnswered: false, isNotSent: true, reason: 'address' })).text, /not allowed/)
  })
})

describe('the built-in tools', () => {
  it('hand the conversation to a person with a last message', async () => {
    const set = await tools([]).agentTools.of(INSTANCE, all)
    const { transfer } = await set.run(call('transfer_to_human', { message: 'A person will answer.' }), context())
    assert.deepEqual(transfer, { message: 'A person will answer.' })
    const without = await set.run(call('transfer_to_human', { message: ' ' }), context())
    assert.deepEqual([without.transfer, without.isError], [undefined, true])
  })

  it('search the knowledge of the agent, and continue when that fails', async () => {
    const asked: unknown[] = []
    let isAway = false
    const knowledge: KnowledgeSearch = {
      async find(instance, query, { entries }) {
        if (isAway) throw new Error('away')
        asked.push([instance, query, entries])
        const chunk = { entry: 'k1', title: 'Hours', position: 0, text: 'Nine to five.', score: 1 }
        return { chunks: [chunk], isWhole: false, isByMeaning: false }
      },
    }
    const set = await tools([], undefined, knowledge).agentTools.of(INSTANCE, { ...all, knowledge: ['k1'] })
    const found = await set.run(call('search_knowledge', { query: 'open?' }), context())
    assert.deepEqual([found.text, asked], ['# Hours\nNine to five.', [[INSTANCE, 'open?', ['k1']]]])
    isAway = true
    const lost = await set.run(call('search_knowledge', { query: 'open?' }), context())
    assert.deepEqual([lost.isError, lost.text], [true, 'The knowledge base cannot be searched now.'])
    const none = await tools([], undefined, knowledge).agentTools.of(INSTANCE, { ...all, knowledge: [] })
    assert.deepEqual(
      none.tools.map(({ name }) => name),
      ['transfer_to_human'],
    )
  })
})
