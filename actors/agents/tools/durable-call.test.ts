import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelCall } from '../../../schemas/agents/models.js'
import type {
  CallRow,
  FunctionAnswer,
  FunctionRequest,
  ToolCallContext,
  ToolSet,
} from '../../../schemas/agents/tools.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'
import type { KnowledgeSearch } from './agent-tools.js'
import { createAgentTools, durableCall } from './agent-tools.js'

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

describe('a call and a crash', () => {
  const asked = call('find_order', { order: 'A' })
  const make = async (more: Partial<FunctionRow>, former: CallRow | null) => {
    const { requests, agentTools } = tools([row(more)])
    const stored: CallRow[] = []
    const set: ToolSet = await agentTools.of(INSTANCE, all)
    const result = await durableCall(set, asked, context(), async (one) => stored.push(one), former)
    return { requests, stored, result }
  }
  const started: CallRow = { turn: 't1', generation: 1, step: 2, call: 3, name: 'find_order', result: null }

  it('is stored before it is made and with its result', async () => {
    const { requests, stored, result } = await make({}, null)
    assert.deepEqual(stored, [started, { ...started, result }])
    assert.equal(requests.length, 1)
    // A row that is not durable stops the call.
    const { requests: none, agentTools } = tools([row()])
    const set = await agentTools.of(INSTANCE, all)
    const fail = () => Promise.reject(new Error('no store'))
    await assert.rejects(durableCall(set, asked, context(), fail, null), /no store/)
    assert.equal(none.length, 0)
  })

  it('gives the stored result if it has ended', async () => {
    const { result: former } = await make({}, null)
    const { requests, stored, result } = await make({ method: 'POST' }, { ...started, result: former })
    assert.deepEqual([result, requests, stored], [former, [], []])
  })

  it('is made again only if it reads or is marked so', async () => {
    for (const more of [{}, { method: 'POST', retrySafe: true }]) {
      const { requests, result } = await make(more, started)
      assert.deepEqual([requests.length, result.isError], [1, false])
      assert.equal(requests[0]?.headers['idempotency-key'], 't1-1-2-3')
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { requests, stored, result } = await make({ method }, started)
      assert.deepEqual([requests.length, result.isError, result.isEffect], [0, true, true])
      assert.match(result.text, /not known whether it was done/)
      assert.deepEqual(stored, [{ ...started, result }])
    }
  })
})
