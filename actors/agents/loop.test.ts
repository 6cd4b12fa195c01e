import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelAnswer, ModelCall, ModelMessage } from '../../schemas/agents/models.js'
import type { ToolResult } from '../../schemas/agents/tools.js'
import { hadEffect, type LoopStep, loopLimits, nextAct } from './loop.js'

const start: readonly ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
const call = (name: string, text = '{}', id = `${name}-${text}`): ModelCall => ({ id, name, arguments: text })
const answer = (text: string, calls: readonly ModelCall[] = [], more: Partial<ModelAnswer> = {}): ModelAnswer => ({
  text,
  calls,
  finish: calls.length > 0 ? 'calls' : 'stop',
  usage: { inputTokens: 1, outputTokens: 1, isEstimate: false },
  warnings: [],
  raw: null,
  ...more,
})
const result = (text = 'ok', more: Partial<ToolResult> = {}): ToolResult => ({
  text,
  isError: false,
  isEffect: false,
  record: { name: 'x', arguments: '{}' },
  ...more,
})
const step = (calls: readonly ModelCall[], results = calls.map(() => result())): LoopStep => ({
  answer: answer('', calls),
  results,
})

describe('the loop of a turn', () => {
  it('asks, runs the calls one after the other, asks with their results, and replies', () => {
    assert.deepEqual(nextAct(start, []), { kind: 'ask', step: 0, messages: start, toolChoice: 'auto' })
    const calls = [call('a'), call('b')]
    const asked = answer('One moment', calls, { raw: { signature: 's' } })
    const first = nextAct(start, [{ answer: asked, results: [] }])
    assert.deepEqual(first, { kind: 'call', step: 0, call: 0, asked: calls[0], refused: null })
    const second = nextAct(start, [{ answer: asked, results: [result('one')] }])
    assert.deepEqual(second, { kind: 'call', step: 0, call: 1, asked: calls[1], refused: null })
    const done = [{ answer: asked, results: [result('one'), result('no', { isError: true })] }]
    const again = nextAct(start, done)
    assert.equal(again.kind, 'ask')
    assert.deepEqual(again.kind === 'ask' && again.messages.slice(1), [
      { role: 'assistant', text: 'One moment', calls, raw: { signature: 's' } },
      {
        role: 'tool',
        results: [
          { callId: 'a-{}', name: 'a', text: 'one', isError: false },
          { callId: 'b-{}', name: 'b', text: 'no', isError: true },
        ],
      },
    ])
    const end = nextAct(start, [...done, { answer: answer(' Ready. ', [], { warnings: ['w'] }), results: [] }])
    assert.deepEqual(end, { kind: 'reply', text: 'Ready.', isTransfer: false, warnings: ['w'] })
  })

  it('asks a last time without calls at the limit of steps, and ignores calls after it', () => {
    const steps = Array.from({ length: loopLimits.stepsMax - 1 }, (_, index) => step([call('a', `{"n":${index}}`)]))
    const last = nextAct(start, steps)
    assert.equal(last.kind === 'ask' && last.toolChoice, 'none')
    const before = nextAct(start, steps.slice(1))
    assert.equal(before.kind === 'ask' && before.toolChoice, 'auto')
    const stubborn = [...steps, { answer: answer('Here it is', [call('a')]), results: [] }]
    assert.deepEqual(nextAct(start, stubborn), { kind: 'reply', text: 'Here it is', isTransfer: false, warnings: [] })
    assert.deepEqual(nextAct(start, [...steps, { answer: answer('', [call('a')]), results: [] }]), {
      kind: 'fail',
      reason: 'empty',
    })
  })

  it('refuses calls beyond the limits of a turn, without running them', () => {
    const many = Array.from({ length: loopLimits.callsMax + 1 }, (_, index) => call('a', `{"n":${index}}`))
    const full = nextAct(start, [
      step(
        many,
        many.slice(1).map(() => result()),
      ),
    ])
    assert.match(full.kind === 'call' ? (full.refused?.text ?? '') : '', /limit of 16 calls/)
    // The order of keys and spaces make no other call.
    const equal = ['{"a":1,"b":[2]}', '{"b": [2], "a": 1}', '{"a":1,"b":[2] }', '{ "b":[2],"a":1}']
    const calls = equal.map((text) => call('a', text))
    const third = nextAct(start, [step(calls, [result(), result()])])
    assert.equal(third.kind === 'call' && third.refused, null)
    const fourth = nextAct(start, [step(calls, [result(), result(), result()])])
    assert.match(fourth.kind === 'call' ? (fourth.refused?.text ?? '') : '', /3 times/)
    const other = nextAct(start, [step([...calls.slice(1), call('b', equal[0])], [result(), result(), result()])])
    assert.equal(other.kind === 'call' && other.refused, null)
  })

  it('asks again after an answer with too many calls, and refuses those that are left at once', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => call('a', `{"n":${index}}`))
    const next = nextAct(start, [
      step(
        many,
        Array.from({ length: loopLimits.callsMax + 1 }, () => result()),
      ),
    ])
    const given = next.kind === 'ask' ? next.messages.at(-1) : undefined
    assert.ok(given?.role === 'tool' && given.results.length === many.length)
    assert.match(given.results.at(-1)?.text ?? '', /too many calls/)
  })

  it('ends with the message of a transfer, and runs no call after it', () => {
    const transfer = result('', { transfer: { message: 'A person will answer.' } })
    const act = nextAct(start, [step([call('transfer_to_human'), call('a')], [transfer])])
    assert.deepEqual(act, { kind: 'reply', text: 'A person will answer.', isTransfer: true, warnings: [] })
  })

  it('fails if the provider blocks the content or the model gives no text, and uses a text beside a call', () => {
    const ends = (last: ModelAnswer, before: readonly LoopStep[] = []) =>
      nextAct(start, [...before, { answer: last, results: [] }])
    assert.deepEqual(ends(answer('', [], { finish: 'blocked' })), { kind: 'fail', reason: 'blocked' })
    assert.deepEqual(ends(answer('  ')), { kind: 'fail', reason: 'empty' })
    const beside = { answer: answer('It is done.', [call('a')]), results: [result()] }
    assert.equal((ends(answer(''), [beside]) as { text: string }).text, 'It is done.')
    const cut = ends(answer('It is', [], { finish: 'length' }))
    assert.match(cut.kind === 'reply' ? (cut.warnings[0] ?? '') : '', /maxTokens/)
  })

  it('knows whether a call had an effect', () => {
    assert.equal(hadEffect([step([call('a')])]), false)
    assert.equal(hadEffect([step([call('a')], [result('', { isEffect: true })])]), true)
  })
})
