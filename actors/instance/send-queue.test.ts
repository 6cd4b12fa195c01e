import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import type { Change, InstanceJournal, InstanceReader, MessageForActor } from './ports.js'
import { SendQueue } from './send-queue.js'

/** A queue over rows in memory; what it sends ends when told. */
function scene(t: TestContext, ids: readonly string[]) {
  t.mock.timers.reset()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const rows = ids.map((messageid) => ({ messageid: messageid as MessageId, status: 'queued' }))
  const queuedRows = () => rows.filter(({ status }) => status === 'queued')
  const sent: string[] = []
  let end = (): void => {}
  let fail = (): void => {}
  let isConnected = true
  const queue = new SendQueue({
    instance: 'i1' as InstanceId,
    journal: {
      async write(changes: readonly Change[]) {
        for (const change of changes) {
          if (change.type !== 'message.update') continue
          for (const row of rows)
            if (change.messageids.includes(row.messageid)) row.status = change.set.status ?? row.status
        }
        return { messages: new Map() }
      },
    } as unknown as InstanceJournal,
    reader: {
      queuedSends: async (_: InstanceId, limit: number) => queuedRows().slice(0, limit),
      queuedCount: async () => queuedRows().length,
    } as unknown as InstanceReader,
    logger: pino({ level: 'silent' }),
    random: () => 0,
    pacingMinMs: 1_000,
    pacingMaxMs: 1_000,
    queueMax: 3,
    cleared: () => {},
    isConnected: () => isConnected,
    connected: async () => {
      if (!isConnected) throw new Error('No session')
    },
    send: ({ messageid }: MessageForActor) =>
      new Promise<boolean>((resolve, reject) => {
        fail = () => reject(new Error('The storage is away.'))
        end = () => {
          end = () => {}
          sent.push(messageid)
          for (const row of rows) if (row.messageid === messageid) row.status = 'sent'
          resolve(true)
        }
      }),
  })
  return {
    queue,
    sent,
    statuses: () => rows.map(({ status }) => status),
    add: (id: string) => rows.push({ messageid: id as MessageId, status: 'queued' }),
    endSend: async () => {
      end()
      await turn()
    },
    failSend: async () => {
      fail()
      await turn()
    },
    disconnect: () => {
      isConnected = false
    },
    pass: async (ms: number) => {
      t.mock.timers.tick(ms)
      await turn()
    },
  }
}

it('what is queued is canceled behind the send that is under way, which goes out', async (t) => {
  const { queue, sent, statuses, endSend, pass, add } = scene(t, ['A', 'B', 'C'])
  void queue.run()
  await turn()
  assert.equal((await queue.status()).status, 'processing')
  const clearing = queue.clear()
  assert.equal((await queue.status()).status, 'resetting')
  await assert.rejects(queue.clear(), { code: 'QUEUE_BUSY' })
  await assert.rejects(queue.admit(), { code: 'QUEUE_BUSY' })
  await endSend()
  assert.deepEqual(await clearing, { canceled: 2 })
  assert.deepEqual(statuses(), ['sent', 'canceled', 'canceled'])
  // What comes afterwards is sent, and nothing that was read before.
  add('D')
  await pass(1_000)
  await endSend()
  await pass(1_000)
  assert.deepEqual(sent, ['A', 'D'])
  assert.equal((await queue.status()).status, 'idle')
})

it('what was read before a clearing is not sent after it, also when the queue rests between two sends', async (t) => {
  const { queue, sent, endSend, pass } = scene(t, ['A', 'B', 'C'])
  void queue.run()
  await turn()
  await endSend()
  assert.deepEqual(await queue.clear(), { canceled: 2 })
  await pass(1_000)
  await endSend()
  assert.deepEqual(sent, ['A'])
})

it('a send that takes too long is not waited for: nothing is canceled', async (t) => {
  const { queue, statuses, pass } = scene(t, ['A', 'B'])
  void queue.run()
  await turn()
  const refused = assert.rejects(queue.clear(), { code: 'QUEUE_BUSY' })
  await turn()
  await pass(5_000)
  await refused
  assert.deepEqual(statuses(), ['queued', 'queued'])
  assert.equal((await queue.status()).resetting, false)
})

it('a queue without a connection waits, tells so, can be emptied, and takes no more than it may', async (t) => {
  const { queue, disconnect, statuses } = scene(t, ['A', 'B'])
  disconnect()
  await queue.run()
  assert.deepEqual(await queue.status(), {
    status: 'waiting_connection',
    pending: 2,
    processingNow: false,
    acceptingNewMessages: true,
    sessionReady: false,
    resetting: false,
  })
  await queue.admit()
  assert.deepEqual(await queue.clear(), { canceled: 2 })
  assert.deepEqual(statuses(), ['canceled', 'canceled'])
  const full = scene(t, ['A', 'B', 'C'])
  await assert.rejects(full.queue.admit(), { code: 'QUEUE_FULL' })
  assert.equal((await full.queue.status()).acceptingNewMessages, false)
})

it('a send that fails is tried again at once for whoever asked meanwhile, as a new connection does, and else waits', async (t) => {
  const { queue, sent, endSend, failSend } = scene(t, ['A'])
  void queue.run()
  await turn()
  void queue.run()
  await failSend()
  assert.equal((await queue.status()).status, 'processing')
  await failSend()
  assert.equal((await queue.status()).status, 'queued')
  void queue.run()
  await turn()
  await endSend()
  assert.deepEqual(sent, ['A'])
})
