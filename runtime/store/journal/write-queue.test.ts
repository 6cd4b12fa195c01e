import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import {
  createInstanceWrites,
  type InstanceWrites,
  SetAsideInstances,
  type WaitingWrite,
  WriteQueue,
} from './write-queue.js'

describe('the queue of writes', () => {
  it('bounds a batch by its changes and bytes, and takes a write that is larger by itself', () => {
    const { queue, add } = createQueue({ batchChangesMax: 3, batchBytesMax: 100 })
    const writes = [add('a', { changes: 2 }), add('b', { changes: 2 }), add('c', { bytes: 500 }), add('d')]
    assert.deepEqual(queue.takeBatch().writes, [writes[0]])
    assert.deepEqual(queue.takeBatch().writes, [writes[1]])
    assert.deepEqual(queue.takeBatch().writes, [writes[2]])
    assert.deepEqual(queue.takeBatch().writes, [writes[3]])
    assert.ok(queue.isEmpty)
  })

  it('keeps the writes of an instance that is set aside, in their order, while others pass', () => {
    const { queue, setAside, add } = createQueue()
    const [first, other] = [add('a'), add('b')]
    queue.begin(queue.takeBatch().writes)
    const later = add('a')
    setAside.add('a' as InstanceId)
    queue.returnWritesOf('a' as InstanceId)
    queue.resolve(other, { messages: new Map() })
    queue.end()
    const passing = add('b')
    assert.deepEqual(queue.takeBatch(), { writes: [passing], isOfSetAside: false })
    assert.deepEqual(queue.takeBatch().writes, [])
    queue.close()
    assert.deepEqual(queue.takeBatch(), { writes: [first, later], isOfSetAside: true })
  })

  it('refuses with a write all that its session wrote later, in the batch under way and in the queue', () => {
    const { queue, add, failures } = createQueue()
    const session = createInstanceWrites()
    const lost = add('a', { session })
    const sameBatch = add('a', { session })
    add('b')
    queue.begin(queue.takeBatch().writes)
    const waiting = add('a', { session })
    const ofOthers = add('b')
    queue.reject([lost], new GatewayError('OUTCOME_UNKNOWN'))
    assert.deepEqual(
      [lost, sameBatch, waiting].map((write) => failures.get(write)?.code),
      ['OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    )
    assert.equal(session.failure?.code, 'STORE_UNAVAILABLE')
    assert.deepEqual(queue.takeBatch().writes, [ofOthers])
  })

  it('has no room for more than its bytes, until writes are answered, nor after its end', () => {
    const { queue, add } = createQueue({ waitingBytesMax: 30 })
    const write = add('a', { bytes: 20 })
    assert.deepEqual([queue.hasRoomFor(10), queue.hasRoomFor(11)], [true, false])
    queue.takeBatch()
    queue.resolve(write, { messages: new Map() })
    assert.deepEqual([queue.waitingBytes, queue.hasRoomFor(11)], [0, true])
    queue.close()
    assert.equal(queue.hasRoomFor(1), false)
  })
})

describe('an instance that is set aside', () => {
  it('is given up when its time is over, and forgotten when its writes are gone', () => {
    const [impatient, patient] = [new SetAsideInstances(0), new SetAsideInstances(60_000)]
    const instance = 'a' as InstanceId
    assert.deepEqual(impatient.add(instance), { isFirst: true })
    assert.equal(impatient.add(instance), null)
    assert.deepEqual(patient.add(instance), { isFirst: true })
    assert.deepEqual(patient.add(instance), { isFirst: false })
    assert.deepEqual([...patient.due(new Set([instance]), false)], [])
    assert.deepEqual([...patient.due(new Set([instance]), true)], [instance])
    assert.deepEqual([...patient.due(new Set(), true)], [])
    assert.equal(patient.size, 0)
  })
})

function createQueue(bounds: { batchChangesMax?: number; batchBytesMax?: number; waitingBytesMax?: number } = {}) {
  const setAside = new SetAsideInstances(60_000)
  const queue = new WriteQueue(
    { batchChangesMax: 1_000, batchBytesMax: 1_000_000, waitingBytesMax: 1_000_000, ...bounds },
    setAside,
  )
  const failures = new Map<WaitingWrite, GatewayError>()
  return { queue, setAside, failures, add }

  function add(
    instance: string,
    {
      changes = 1,
      bytes = 10,
      session = createInstanceWrites(),
    }: { changes?: number; bytes?: number; session?: InstanceWrites } = {},
  ): WaitingWrite {
    const write: WaitingWrite = {
      instance: instance as InstanceId,
      shard: 0,
      epoch: 1,
      changes: Array.from({ length: changes }, () => ({ type: 'deliveries', outcomes: [] })),
      bytes,
      session,
      isDone: false,
      isReturned: false,
      resolve() {},
      reject: (failure) => void failures.set(write, failure),
    }
    queue.add(write)
    return write
  }
}
