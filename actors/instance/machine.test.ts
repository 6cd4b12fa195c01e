import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import type { DisconnectCause, Pairing } from '../network/port/connection.js'
import { countAttempt, type InstanceEvent, type InstanceNotice, instanceMachine } from './machine.js'

const timing = {
  qrWindowMs: 120_000,
  pairingCodeWindowMs: 300_000,
  reconnectMinMs: 1_000,
  reconnectMaxMs: 60_000,
  replacedDelayMs: 60_000,
  stableMs: 30_000,
}

/** The machine on a clock that the test turns, with connections that the test speaks for. */
function start(random = () => 0.5) {
  const clock = new SimulatedClock()
  const opened: (Pairing | null)[] = []
  let live = 0
  const machine = instanceMachine.provide({
    actors: {
      connection: fromCallback<InstanceEvent, { pairing: Pairing | null }>(({ input }) => {
        opened.push(input.pairing)
        live += 1
        return () => {
          live -= 1
        }
      }),
    },
    actions: { countAttempt: countAttempt(random) },
  })
  const notices: InstanceNotice[] = []
  const actor = createActor(machine, { input: { instanceId: 'i1', timing }, clock })
  actor.on('stopped', (notice) => notices.push(notice))
  actor.on('lost', (notice) => notices.push(notice))
  actor.start()
  const status = () => [...actor.getSnapshot().tags].join()
  const close = (cause: DisconnectCause, code = 0) => actor.send({ type: 'network.closed', cause, code, message: '' })
  return { actor, clock, opened, notices, status, close, live: () => live }
}

describe('an instance', () => {
  it('pairs by QR, comes back by itself after the restart that the network asks for, and forgets the QR', () => {
    const { actor, opened, status, close, live } = start()
    actor.send({ type: 'command.connect', pairing: { by: 'qr', browser: 'auto' } })
    actor.send({ type: 'network.qr', text: 'one' })
    assert.equal(actor.getSnapshot().context.qrcodeText, 'one')
    close('restart', 515)
    assert.deepEqual([status(), opened.length, opened[1], live()], ['connecting', 2, null, 1])
    actor.send({ type: 'network.opened', jid: '1@s.whatsapp.net' })
    assert.deepEqual([status(), actor.getSnapshot().context.qrcodeText], ['connected', null])
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

  it('holds one socket at most, and none once it is told to disconnect', () => {
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
})
