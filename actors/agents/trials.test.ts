import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ModelAnswer, type ModelCall, ModelError, type ModelStep } from '../../schemas/agents/models.js'
import type { AgentRow } from '../../schemas/agents/records.js'
import type { FunctionRequest } from '../../schemas/agents/tools.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { TrialRequest } from '../../schemas/ports/agents.js'
import type { FunctionRow } from '../../schemas/ports/records.js'
import { createAgentTools } from './tools/agent-tools.js'
import { createAgentTrials, dryHttp } from './trials.js'

const instance = { id: 'one' as InstanceId, name: 'Shop', owner: '5511999990000' }
const agent = {
  id: 'a1',
  name: 'Ana',
  provider: 'openai',
  model: 'gpt',
  baseUrl: '',
  basePrompt: 'Help.',
  maxTokens: 500,
  temperature: 70,
  diversityLevel: 0,
  frequencyPenalty: 30,
  presencePenalty: null,
  functions: null,
  knowledge: null,
} as unknown as AgentRow
const row: FunctionRow = {
  id: 'r1',
  name: 'cancel_order',
  description: '',
  method: 'POST',
  endpoint: 'https://api.example/{{order}}?phone={{chat.phone}}',
  active: true,
  headers: '',
  body: '',
  parameters: [{ name: 'order', type: 'string' }],
  undocumented: '',
  headerError: false,
  bodyError: false,
  retrySafe: false,
  created: new Date(0),
  updated: new Date(0),
}
const answer = (text: string, calls: readonly ModelCall[] = []): ModelAnswer => ({
  text,
  calls,
  finish: calls.length > 0 ? 'calls' : 'stop',
  usage: { inputTokens: 10, outputTokens: 2, isEstimate: false },
  warnings: [],
  raw: null,
})
const cancel = { id: 'c', name: 'cancel_order', arguments: '{"order":"A"}' }
const request = (more: Partial<TrialRequest> = {}): TrialRequest => ({
  agentId: 'a1',
  messages: [{ role: 'user', text: 'Cancel order A' }],
  runFunctions: false,
  placeholders: {},
  ...more,
})

function trials(answers: (ModelAnswer | ModelError)[], waits?: Promise<unknown>) {
  const asked: ModelStep[] = []
  const called: FunctionRequest[] = []
  const records = { functions: async () => [row], findFunction: async () => row }
  const http = {
    call: async (_: InstanceId, one: FunctionRequest) => {
      called.push(one)
      return { isAnswered: true, statusCode: 200, contentType: 'text/plain', text: 'cancelled', isCut: false } as const
    },
  }
  const chunk = { entry: 'k1', title: 'Hours', position: 0, text: 'Nine to five.', score: 1 }
  const run = createAgentTrials({
    budget: { spend: (_planned, call) => call() },
    agents: { findAgent: async (_, id) => (id === 'a1' ? agent : null), agentKey: async () => 'sk' },
    models: {
      async generate(_, step) {
        asked.push(step)
        await waits
        const next = answers.shift()
        if (next === undefined || next instanceof ModelError) throw next
        return next
      },
    },
    tools: createAgentTools({ records, http, knowledge: null }),
    dryTools: createAgentTools({ records, http: dryHttp, knowledge: null }),
    knowledge: { find: async () => ({ chunks: [chunk], isWhole: true, isByMeaning: false }) },
  }).run
  return { asked, called, run, chunk }
}

describe('a trial of an agent', () => {
  it('gives the answer with steps, chunks and usage, and calls no function', async () => {
    const { asked, called, run, chunk } = trials([answer('', [cancel]), answer('It is cancelled.')])
    const reply = await run(instance, request())
    assert.deepEqual([reply.reply, reply.error, reply.isTransfer], ['It is cancelled.', '', false])
    assert.deepEqual(reply.usage, { inputTokens: 20, outputTokens: 4, isEstimate: false })
    assert.deepEqual(reply.chunks, [chunk])
    const [call] = reply.steps[0]?.calls ?? []
    assert.match(call?.result ?? '', /the function was not called/)
    assert.equal(called.length, 0)
    const { temperature, topP, frequencyPenalty, presencePenalty, maxTokens } = asked[0] as ModelStep
    assert.deepEqual(
      [temperature, topP, frequencyPenalty, presencePenalty, maxTokens],
      [0.7, undefined, 0.3, undefined, 500],
    )
    assert.match(JSON.stringify(asked[0]?.messages), /Help\..*Nine to five.*Cancel order A/)
  })

  it('calls functions when it is to, with the given placeholders', async () => {
    const { called, run } = trials([answer('', [cancel]), answer('Done.')])
    const placeholders = { 'chat.phone': '5511999990001' }
    const { steps } = await run(instance, request({ runFunctions: true, placeholders }))
    assert.equal(called[0]?.url.href, 'https://api.example/A?phone=5511999990001')
    assert.equal(steps[0]?.calls[0]?.result, 'cancelled')
    const without = trials([answer('', [cancel]), answer('Sorry.')])
    await without.run(instance, request({ runFunctions: true }))
    assert.equal(without.called.length, 0)
  })

  it('tells a failure of the provider with the steps before it', async () => {
    const { run } = trials([answer('', [cancel]), new ModelError('quota', 'The account of the key has no money.')])
    const { reply, error, steps } = await run(instance, request())
    assert.deepEqual([reply, error, steps.length], ['', 'The account of the key has no money.', 1])
  })

  it('is refused for an unknown agent, and beyond a few at once', async () => {
    await assert.rejects(trials([]).run(instance, request({ agentId: 'x' })), { code: 'AGENT_NOT_FOUND' })
    let go = () => {}
    const wait = new Promise<void>((resolve) => {
      go = resolve
    })
    const { run } = trials(
      Array.from({ length: 6 }, () => answer('Yes.')),
      wait,
    )
    const all = Array.from({ length: 7 }, () => run(instance, request()))
    await assert.rejects(all[6] as Promise<unknown>, { code: 'RATE_LIMITED' })
    go()
    const replies = await Promise.all(all.slice(0, 6))
    assert.deepEqual(new Set(replies.map(({ reply }) => reply)), new Set(['Yes.']))
  })
})
