import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createActor, SimulatedClock } from 'xstate'
import type { Jid } from '../../schemas/ids.js'
import { presenceMachine } from './presence.js'

function start(durationMs: number) {
  const clock = new SimulatedClock()
  const shown: string[] = []
  const machine = presenceMachine.provide({ actions: { show: (_, { kind }) => void shown.push(kind) } })
  const chat = { pn: '15550001111@s.whatsapp.net' as Jid }
  const actor = createActor(machine, { input: { chat, kind: 'composing', durationMs, refreshMs: 10_000 }, clock })
  actor.start()
  // In steps: timers that a timer sets start from the end of the step.
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 1_000) clock.increment(Math.min(1_000, left))
  }
  return { actor, pass, shown }
}

describe('a presence', () => {
  it('is shown at once, again every 10 s, and ended by a pause when its time is over', () => {
    const { actor, pass, shown } = start(25_000)
    pass(24_999)
    assert.deepEqual(shown, ['composing', 'composing', 'composing'])
    pass(1)
    assert.equal(shown.at(-1), 'paused')
    assert.equal(actor.getSnapshot().status, 'done')
    pass(60_000)
    assert.equal(shown.length, 4)
  })

  it('is cancelled by a message without a word more', () => {
    const { actor, pass, shown } = start(300_000)
    actor.send({ type: 'cancel' })
    pass(300_000)
    assert.deepEqual(shown, ['composing'])
  })

  it('is ended by a pause when asked', () => {
    const { actor, shown } = start(300_000)
    actor.send({ type: 'pause' })
    assert.deepEqual(shown, ['composing', 'paused'])
  })
})
