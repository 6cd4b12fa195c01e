import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LRUCache } from 'lru-cache'
import { pino } from 'pino'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { SendCommand } from '../../schemas/send-request.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import { LoopBrake } from '../loop-brake.js'
import type { Network } from '../network/port/connection.js'
import { Instance, type InstanceDependencies } from './instance.js'

/** An instance whose connection never opens. */
function connecting(): Instance {
  const network = {
    isPaired: () => true,
    open: () => ({ destroy() {}, closed: async () => {}, flushed: async () => {}, health: () => ({ held: 0 }) }),
  } as unknown as Network
  const dependencies = {
    network,
    journal: { write: async () => ({ messages: new Map() }), settled: () => undefined },
    reader: { credentials: async () => new Uint8Array() },
    logger: pino({ level: 'silent' }),
    timing: { parkTimeoutMs: 60_000, reconnectMinMs: 1, reconnectMaxMs: 1, qrWindowMs: 1, ackTimeoutMs: 60_000 },
    resolvedChats: new LRUCache({ max: 10 }),
    campaignBrake: new LoopBrake({ shareMax: 1 }),
    epoch: () => 1,
    logins: {
      take(go: () => void) {
        go()
        return () => {}
      },
      ended() {},
    },
    wakeQueue: () => {},
    wakeDueIn: () => {},
    drawQr: async () => '',
    random: () => 0,
    count: () => {},
  } as unknown as InstanceDependencies
  const instance = new Instance('i1' as InstanceId, dependencies)
  instance.resume()
  return instance
}

const send: SendCommand = {
  type: 'send',
  messageid: '3EB0' as MessageId,
  number: '15550001111',
  content: { kind: 'text', text: 'a text' },
  options: {},
}

it('calls that an actor has not answered when it stops are for the next owner', async () => {
  const instance = connecting()
  const calls = [instance.ask(send), instance.ask({ type: 'connect', waitMs: 60_000 })].map((call) =>
    assert.rejects(call, (error: unknown) => error instanceof ShardMoved && error.wasBegun),
  )
  await instance.stop()
  await Promise.all(calls)
})

it('the call that deletes an instance is answered, although its actor ends with it', async () => {
  assert.equal(await connecting().ask({ type: 'delete' }), null)
})

it('the call that pauses an instance is answered, and what waited in it is not', async () => {
  const instance = connecting()
  const waiting = assert.rejects(instance.ask(send))
  assert.equal(await instance.ask({ type: 'pause' }), null)
  await waiting
})

it('passes a command that only newer nodes know to a newer owner, and marks it as repeatable', async () => {
  const asked = connecting().ask({ type: 'of a later release' } as unknown as SendCommand)
  await assert.rejects(asked, { code: 'INSTANCE_MOVING', status: 503 })
})
