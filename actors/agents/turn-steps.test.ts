import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CallRow, ToolResult } from '../../schemas/agents/tools.js'
import type { StepRecord } from '../../schemas/agents/turns.js'
import { describeStep } from './ai-metadata.js'
import { nextAct } from './loop.js'
import { measureSteps, rebuildSteps, withResult } from './turn-steps.js'

const result = (text: string, durationMs = 0): ToolResult => ({
  text,
  isError: false,
  isEffect: false,
  record: { name: 'find', arguments: '{}', durationMs },
})
const record = (number: number, calls: number, ms = 10): StepRecord => ({
  number,
  text: '',
  calls: Array.from({ length: calls }, (_, index) => ({
    id: `c${number}-${index}`,
    name: 'find',
    arguments: `[${index}]`,
  })),
  raw: null,
  finish: calls === 0 ? 'stop' : 'calls',
  usage: { inputTokens: 1, outputTokens: 1, isEstimate: false },
  warnings: [],
  ms,
  call: '',
  costMicros: 0,
})
const stored = (step: number, call: number, given: ToolResult | null): CallRow => ({
  ...{ turn: 't1', generation: 1, step, call, name: 'find', result: given },
})

describe('the stored steps of a turn', () => {
  it('continue with the first call that has no result', () => {
    const calls = [stored(0, 0, result('a')), stored(1, 0, result('b')), stored(1, 1, null), stored(1, 2, result('d'))]
    const steps = rebuildSteps([record(0, 1), record(1, 3)], calls)
    assert.deepEqual(
      steps.map(({ results }) => results.map(({ text }) => text)),
      [['a'], ['b']],
    )
    const act = nextAct([], steps)
    assert.deepEqual(act.kind === 'call' && [act.step, act.call], [1, 1])
    const after = nextAct([], withResult(withResult(steps, result('c')), result('d')))
    assert.equal(after.kind === 'ask' && after.step, 2)
  })

  it('call nothing more after two minutes of work, and get one more answer', () => {
    const busy = withResult(rebuildSteps([record(0, 2, 60_000)], []), result('a', 61_000))
    const refused = nextAct([], busy, measureSteps(busy))
    assert.equal(refused.kind === 'call' && refused.refused?.isError, true)
    const last = nextAct([], withResult(busy, result('b')), measureSteps(busy))
    assert.equal(last.kind === 'ask' && last.toolChoice, 'none')
    const quick = withResult(rebuildSteps([record(0, 2, 60_000)], []), result('a', 1_000))
    const next = nextAct([], quick, measureSteps(quick))
    assert.equal(next.kind === 'call' && next.refused, null)
  })

  it('are shown by the message, without secrets and within 64 KiB', () => {
    const given = '{"order":"A7","apiToken":"canary-token","deep":{"password":"canary-password"}}'
    const call = { id: 'c1', name: 'find', arguments: given }
    const messages = [
      { role: 'user' as const, parts: [{ type: 'text' as const, text: 'hello' }] },
      { role: 'assistant' as const, text: '', calls: [call], raw: null },
    ]
    const step = { messages, tools: [], toolChoice: 'auto' as const, maxTokens: 10 }
    const about = { agentId: 'a1', model: 'm', step, answer: record(1, 0) }
    const shown = describeStep({ ...about, results: [result('sent')] })
    assert.ok(shown.includes('A7') && shown.includes('"result":"sent"'))
    assert.doesNotMatch(shown, /canary/)
    const many = Array.from({ length: 16 }, () => result('x'.repeat(65_536)))
    const long = describeStep({ ...about, results: many })
    assert.ok(Buffer.byteLength(long) <= 65_536)
    assert.equal((JSON.parse(long) as { response: { toolResults: unknown[] } }).response.toolResults.length, 16)
  })
})
