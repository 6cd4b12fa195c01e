import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import { joinProcesses, type ProcessChannel } from './membership.js'
import type { FromProcess } from './messages.js'

function group() {
  const sent: FromProcess[] = []
  const ends: string[] = []
  const channel = Object.assign(new EventEmitter(), {
    connected: true,
    send: (message: FromProcess) => sent.push(message),
  })
  const place = {
    index: 1,
    count: 3,
    announces: true,
    startsTogether: true,
    restarts: [0, 0, 0],
    isAdminTokenNew: false,
  }
  const member = joinProcesses(place, { end: (reason) => ends.push(reason) }, channel as ProcessChannel)
  assert.deepEqual(sent.shift(), { type: 'joined' })
  return { sent, ends, channel, member }
}

describe('a process of several', () => {
  it('asks the others once for callers at the same time, and again for a later caller', async () => {
    const { sent, channel, member } = group()
    const asked = [member.ask('metrics'), member.ask('metrics')]
    assert.deepEqual(sent, [{ type: 'ask', id: 1, question: 'metrics' }])
    channel.emit('message', { type: 'answers', id: 1, answers: ['text'] })
    assert.deepEqual(await Promise.all(asked), [['text'], ['text']])
    void member.ask('metrics')
    assert.deepEqual(sent.at(-1), { type: 'ask', id: 2, question: 'metrics' })
    channel.emit('message', { type: 'answers', id: 2, answers: [] })
  })

  it('knows how often each process was started again, from its own start on', () => {
    const { channel, member } = group()
    assert.deepEqual(member.restarts(), [0, 0, 0])
    channel.emit('message', { type: 'restarts', counts: [0, 2, 1] })
    assert.deepEqual(member.restarts(), [0, 2, 1])
  })

  it('answers alone, and ends in order, when its supervisor has gone', async () => {
    const { ends, channel, member } = group()
    const asked = member.ask('readiness')
    channel.connected = false
    channel.emit('disconnect')
    assert.deepEqual(await asked, [])
    assert.deepEqual(await member.ask('readiness'), [])
    assert.deepEqual(ends, ['the supervisor has ended'])
  })

  it('answers a question that it cannot answer with nothing, and each sign of life at once', async () => {
    const { sent, channel, member } = group()
    channel.emit('message', { type: 'ping' })
    assert.deepEqual(sent, [{ type: 'pong' }])
    channel.emit('message', { type: 'question', id: 7, question: 'metrics' })
    await new Promise(setImmediate)
    assert.deepEqual(sent.at(-1), { type: 'answer', id: 7, answer: undefined })
    member.answer({ metrics: () => Promise.resolve('text'), readiness: () => Promise.reject(new Error('away')) })
    channel.emit('message', { type: 'question', id: 8, question: 'metrics' })
    await new Promise(setImmediate)
    assert.deepEqual(sent.at(-1), { type: 'answer', id: 8, answer: 'text' })
    channel.emit('message', { type: 'question', id: 9, question: 'readiness' })
    await new Promise(setImmediate)
    assert.deepEqual(sent.at(-1), { type: 'answer', id: 9, answer: undefined })
  })
})
