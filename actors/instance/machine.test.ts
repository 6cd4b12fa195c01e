import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createActor, SimulatedClock } from 'xstate'
import type { Jid } from '../../schemas/ids.js'
import type { Pairing } from '../network/port/connection.js'
import type { DisconnectCause } from '../network/port/events.js'
import { instanceMachine } from './machine.js'
import type { InstanceNotice } from './machine-events.js'
import { useParts } from './machine-events.js'

const timing = {
  qrWindowMs: 120_000,
  pairingCodeWindowMs: 300_000,
  reconnectMinMs: 1_000,
  reconnectMaxMs: 60_000,
  replacedDelayMs: 60_000,
  passkeyStepMs: 90_000,
  stableMs: 30_000,
  presenceRefreshMs: 10_000,
  presenceMaxMs: 300_000,
}

/** The machine on a clock that the test turns, with connections that the test speaks for. */
function start(random = () => 0.5, answers = Promise.resolve()) {
  const clock = new SimulatedClock()
  const opened: (Pairing | null)[] = []
  const awaited: boolean[] = []
  const shown: string[] = []
  let live = 0
  const notices: InstanceNotice[] = []
  const actor = createActor(instanceMachine, { input: { instanceId: 'i1', timing }, clock })
  useParts(actor.system, {
    hold: (input) => {
      opened.push(input.pairing)
      awaited.push(input.isAwaited)
      live += 1
      return () => {
        live -= 1
      }
    },
    answered: () => answers,
    show: ({ kind }) => void shown.push(kind),
    random,
  })
  actor.on('stopped', (notice) => notices.push(notice))
  actor.on('lost', (notice) => notices.push(notice))
  actor.start()
  const status = () => [...actor.getSnapshot().tags].join()
  const close = (cause: DisconnectCause, code = 0) => actor.send({ type: 'network.closed', cause, code, message: '' })
  const open = () => actor.send({ type: 'network.opened', jid: '1@s.whatsapp.net' })
  const life = () => actor.getSnapshot().value.life
  return { actor, clock, opened, awaited, shown, notices, status, close, open, life, live: () => live }
}

describe('an instance', () => {
  it('pairs by QR, comes back by itself after the restart that the network asks for, and forgets the QR', () => {
    const { actor, opened, status, close, live } = start()
    actor.send({ type: 'command.connect', pairing: { by: 'qr', browser: 'auto' } })
    actor.send({ type: 'network.qr', text: 'one', lastsMs: 60_000 })
    assert.equal(actor.getSnapshot().context.qrcodeText, 'one')
    close('restart', 515)
    assert.deepEqual([status(), opened.length, opened[1], live()], ['connecting', 2, null, 1])
    actor.send({ type: 'network.opened', jid: '1@s.whatsapp.net' })
    assert.deepEqual([status(), actor.getSnapshot().context.qrcodeText], ['connected', null])
  })

  it('knows when its QR is replaced and its pairing ends, and when it tries again', () => {
    const { actor, status, close, open } = start()
    const left = (name: 'qrEndsAtMs' | 'pairingEndsAtMs' | 'nextAttemptAtMs') =>
      Math.round(((actor.getSnapshot().context[name] ?? Number.NaN) - Date.now()) / 1_000)
    actor.send({ type: 'command.connect', pairing: { by: 'qr', browser: 'auto' } })
    assert.deepEqual([left('qrEndsAtMs'), left('pairingEndsAtMs')], [Number.NaN, 120])
    actor.send({ type: 'network.qr', text: 'one', lastsMs: 60_000 })
    assert.equal(left('qrEndsAtMs'), 60)
    actor.send({ type: 'network.qr', text: 'two', lastsMs: 600_000 })
    assert.equal(left('qrEndsAtMs'), 120, 'no QR outlives its pairing')
    close('restart', 515)
    assert.deepEqual([left('qrEndsAtMs'), left('pairingEndsAtMs')], [Number.NaN, Number.NaN])
    open()
    for (const [attempt, seconds] of [1, 2, 4].entries()) {
      close('lost')
      const { context } = actor.getSnapshot()
      assert.deepEqual([status(), context.attempt], ['connecting', attempt + 1])
      assert.equal(context.nextAttemptAtMs - Date.now() <= context.delayMs, true)
      assert.equal(context.delayMs, seconds * 500)
      actor.send({ type: 'command.reset' })
    }
  })

  it('gives up a pairing when its window ends: 2 minutes for a QR, 5 for a code', () => {
    for (const [pairing, windowMs] of [
      [{ by: 'qr', browser: 'auto' }, 120_000],
      [{ by: 'code', phone: '15550001111' }, 300_000],
    ] as const) {
      const { actor, clock, status, notices, live } = start()
      actor.send({ type: 'command.connect', pairing })
      clock.increment(windowMs - 1)
      assert.equal(status(), 'connecting')
      clock.increment(1)
      assert.deepEqual([status(), notices[0]?.cause, live()], ['disconnected', 'pairingExpired', 0])
    }
  })

  it('never starts the reconnect policy from a pairing that the network ends', () => {
    const { actor, clock, status, close, opened } = start()
    actor.send({ type: 'command.connect', pairing: { by: 'qr', browser: 'auto' } })
    close('lost', 428)
    clock.increment(600_000)
    assert.deepEqual([status(), opened.length], ['disconnected', 1])
  })

  it('connects again after a loss, later each time, and soon after a good connection', () => {
    const { actor, clock, close, status, opened } = start()
    actor.send({ type: 'command.connect', pairing: null })
    const waitsMs: number[] = []
    for (let loss = 0; loss < 8; loss += 1) {
      close('lost', 428)
      assert.equal(status(), 'connecting')
      const before = opened.length
      let waitedMs = 0
      while (opened.length === before) {
        clock.increment(250)
        waitedMs += 250
      }
      waitsMs.push(waitedMs)
    }
    assert.deepEqual(waitsMs, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000])
    const open = () => actor.send({ type: 'network.opened', jid: '1@s.whatsapp.net' })
    open()
    close('lost', 428)
    clock.increment(29_999)
    assert.equal(opened.length, 9, 'a connection that opens and dies at once counts as a loss')
    clock.increment(1)
    open()
    clock.increment(30_000)
    close('lost', 428)
    clock.increment(500)
    assert.equal(opened.length, 11)
  })

  it('does not fight a program that took its place: it waits a minute or more', () => {
    const { actor, clock, close, opened } = start()
    actor.send({ type: 'command.connect', pairing: null })
    close('replaced', 440)
    clock.increment(60_000)
    assert.equal(opened.length, 1)
    clock.increment(2_000)
    assert.equal(opened.length, 2)
  })

  it('waits as long as the network says, 5 s to a day, and a minute when it says nothing', () => {
    for (const [saidMs, waitsMs] of [
      [20_000, 20_000],
      [1, 5_000],
      [3_600_000, 3_600_000],
      [30 * 86_400_000, 86_400_000],
      [undefined, 60_000],
    ] as const) {
      const { actor, clock, opened } = start()
      actor.send({ type: 'command.connect', pairing: null })
      const banned = { type: 'network.closed', cause: 'temporarilyBanned', code: 402, message: 'banned' } as const
      actor.send({ ...banned, ...(saidMs === undefined ? {} : { waitMs: saidMs }) })
      clock.increment(waitsMs)
      assert.equal(opened.length, 1)
      clock.increment(2_000)
      assert.equal(opened.length, 2)
    }
  })

  it('keeps its credentials after 500, which says nothing, and forgets them after 401', () => {
    const { actor, close, status, notices } = start()
    actor.send({ type: 'command.connect', pairing: null })
    close('badSession', 500)
    assert.deepEqual([status(), notices.at(-1)?.type], ['connecting', 'lost'])
    actor.send({ type: 'command.reset' })
    close('loggedOut', 401)
    const last = notices.at(-1)
    assert.ok(last?.type === 'stopped' && last.forgetCredentials)
    assert.match(last.reason, /^401: logged out/)
    assert.equal(status(), 'disconnected')
  })

  it('holds at most one socket, and none after the command to disconnect', () => {
    const { actor, clock, close, live } = start()
    actor.send({ type: 'command.connect', pairing: null })
    actor.send({ type: 'command.reset' })
    actor.send({ type: 'command.reset' })
    assert.equal(live(), 1)
    close('restart', 515)
    assert.equal(live(), 1)
    actor.send({ type: 'command.disconnect' })
    clock.increment(600_000)
    assert.equal(live(), 0)
  })

  it('logs in before others only when a caller or the network waits for it', () => {
    const { actor, clock, awaited, close } = start()
    actor.send({ type: 'command.resume' })
    close('lost', 428)
    clock.increment(2_000)
    close('restart', 515)
    actor.send({ type: 'command.reset' })
    actor.send({ type: 'command.disconnect' })
    actor.send({ type: 'command.connect', pairing: null })
    assert.deepEqual(awaited, [false, false, true, true, true])
  })
})

describe('a pairing with a passkey', () => {
  const asked = () => {
    const scene = start()
    const { actor } = scene
    actor.send({ type: 'command.connect', pairing: { by: 'qr', browser: 'auto' } })
    actor.send({ type: 'network.qr', text: 'one', lastsMs: 60_000 })
    const publicKey = { challenge: 'AAAA', rpId: 'whatsapp.com' }
    actor.send({ type: 'network.passkey', publicKey, lastsMs: 600_000 })
    return scene
  }
  /** Each step with the event that ends it, its time, and the reason when that passes. */
  const steps = [
    [{ type: 'command.passkey' }, 600_000, /nobody signed the challenge/],
    [{ type: 'network.passkeyCode', code: 'ABCD-EFGH' }, 90_000, /the phone did not continue/],
    [{ type: 'command.confirmPasskey' }, 90_000, /nobody confirmed the code/],
    [{ type: 'network.closed', cause: 'restart', code: 515, message: '' }, 90_000, /did not finish it/],
  ] as const

  it('gives each step its time, and says what a person can do when that is over', () => {
    for (const [index, [, windowMs, reason]] of steps.entries()) {
      const { actor, clock, status, notices, live } = asked()
      assert.equal(actor.getSnapshot().context.qrcodeText, null)
      for (const [event] of steps.slice(0, index)) actor.send(event)
      clock.increment(windowMs - 1)
      assert.equal(status(), 'connecting')
      clock.increment(1)
      const [notice] = notices
      assert.deepEqual([status(), notice?.cause, live()], ['disconnected', 'passkeyExpired', 0])
      assert.match(notice?.reason ?? '', reason)
      assert.match(notice?.reason ?? '', /connect again/)
    }
  })

  it('comes back after the restart that follows the last step only', () => {
    for (const [index] of steps.entries()) {
      const { actor, status, notices, opened, close } = asked()
      for (const [event] of steps.slice(0, index)) actor.send(event)
      close('restart', 515)
      if (index === steps.length - 1) assert.deepEqual([status(), opened.length], ['connecting', 2])
      else assert.deepEqual([status(), notices[0]?.cause, opened.length], ['disconnected', 'passkeyFailed', 1])
    }
  })

  it('skips the comparison of codes when there is none', () => {
    const { actor } = asked()
    actor.send({ type: 'command.passkey' })
    actor.send({ type: 'network.passkeyCode', code: null })
    assert.deepEqual(actor.getSnapshot().value.session, { pairing: 'confirming' })
  })
})

describe('an instance that finishes', () => {
  const never = new Promise<void>(() => {})
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('waits for the answers to its messages until the given time at most', async () => {
    let answer = (): void => {}
    const answers = new Promise<void>((resolve) => {
      answer = resolve
    })
    for (const [promise, end] of [
      [answers, () => answer()],
      [never, (clock: SimulatedClock) => clock.increment(2_000)],
    ] as const) {
      const { actor, clock, open, life } = start(undefined, promise)
      actor.send({ type: 'command.resume' })
      open()
      actor.send({ type: 'command.finish', withinMs: 2_000 })
      clock.increment(1_999)
      await turn()
      assert.equal(life(), 'finishing')
      end(clock)
      await turn()
      assert.equal(life(), 'quiet')
    }
  })

  it('waits for nothing once it is not connected', () => {
    const { actor, open, close, life } = start(undefined, never)
    actor.send({ type: 'command.finish', withinMs: 2_000 })
    assert.equal(life(), 'quiet')
    actor.send({ type: 'command.resume' })
    open()
    actor.send({ type: 'command.finish', withinMs: 2_000 })
    assert.equal(life(), 'finishing')
    close('lost', 428)
    assert.equal(life(), 'quiet')
  })
})

describe('the indicators of an instance', () => {
  const chat = { pn: '15550001111@s.whatsapp.net' as Jid }

  it('are one for each chat, found by each of its addresses, and gone when they have ended', () => {
    const { actor, clock, shown } = start()
    const running = () => Object.keys(actor.getSnapshot().children).length
    actor.send({ type: 'presence.start', chat, kind: 'composing', durationMs: 5_000 })
    actor.send({ type: 'presence.start', chat, kind: 'recording', durationMs: 5_000 })
    assert.deepEqual([running(), shown], [1, ['composing', 'recording']])
    actor.send({ type: 'presence.pause', chat: { ...chat, lid: '100@lid' as Jid } })
    assert.deepEqual([running(), shown.at(-1)], [0, 'paused'])
    actor.send({ type: 'presence.start', chat, kind: 'composing', durationMs: 900_000 })
    actor.send({ type: 'presence.cancel', chat })
    assert.deepEqual([running(), shown.length], [0, 4])
    actor.send({ type: 'presence.start', chat, kind: 'composing', durationMs: 900_000 })
    for (let steps = 0; steps < 300; steps += 1) clock.increment(1_000)
    assert.deepEqual([running(), shown.at(-1)], [0, 'paused'], 'at most five minutes')
  })

  it('can be ended even if none is shown', () => {
    const { actor, shown } = start()
    actor.send({ type: 'presence.pause', chat })
    actor.send({ type: 'presence.cancel', chat })
    assert.deepEqual(shown, ['paused'])
  })

  it('end with the actor', () => {
    const { actor, clock, shown } = start()
    actor.send({ type: 'presence.start', chat, kind: 'composing', durationMs: 60_000 })
    actor.stop()
    clock.increment(60_000)
    assert.deepEqual(shown, ['composing'])
  })
})
