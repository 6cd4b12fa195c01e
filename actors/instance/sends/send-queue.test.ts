import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Change } from '../ports.js'
import type { SendsContext } from './context.js'
import { QueueRetries } from './queue-retries.js'
import { SendQueue } from './send-queue.js'

/** A queue over rows in memory; what it sends ends when told. */
function scene(t: TestContext, ids: readonly string[], pacingMs = 1_000) {
  t.mock.timers.reset()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // `Ben+500 2`: the second to Ben, after half a second.
  const makeRow = (id: string) => {
    const [, chat = '', delay = '0'] = /^(\w+)(?:\+(\d+))?/.exec(id) ?? []
    const queuedRequest = { content: { kind: 'text' }, options: { delayMs: Number(delay) } }
    positions += 1
    return {
      messageid: id as MessageId,
      status: 'queued',
      chat: { pn: chat as Jid },
      queuedRequest,
      position: positions,
    }
  }
  let positions = 0
  const rows = ids.map(makeRow)
  const shown: string[] = []
  const direct: ChatAddress[] = []
  const queuedRows = () => rows.filter(({ status }) => status === 'queued')
  const sent: string[] = []
  let end = (): void => {}
  let fail = (_hasLeft: boolean): void => {}
  let isConnected = true
  let isPaused = false
  let isLocked = false
  const parked = { network_lock: 0 }
  const known = new Set<unknown>()
  const isKnown = async ({ pn }: ChatAddress) => known.has(pn)
  const context = {
    id: 'i1' as InstanceId,
    journal: {
      async write(changes: readonly Change[]) {
        for (const change of changes) {
          if (change.type !== 'message.update') continue
          for (const row of rows)
            if (change.messageids.includes(row.messageid)) row.status = change.set.status ?? row.status
        }
        return { messages: new Map() }
      },
    },
    reader: {
      queuedSends: async (
        _: InstanceId,
        limit: number,
        { except = [], after = 0 }: { except?: ChatAddress[]; after?: number } = {},
      ) =>
        queuedRows()
          .filter(({ position }) => position > after)
          .filter(({ chat }) => !except.some(({ pn }) => pn === chat.pn))
          .slice(0, limit),
      hasQueuedBefore: async (_: InstanceId, id: MessageId) => {
        const { chat, status } = makeRow(id)
        return status === 'queued' && queuedRows().some((row) => row.chat.pn === chat.pn)
      },
      queuedCount: async () => queuedRows().length,
    },
    logger: pino({ level: 'silent' }),
    wakeQueue: () => void queue.run(),
    random: () => 1,
    pacer: {
      decide: async (_: unknown, { isKnown }: { isKnown: boolean }) => {
        if (isPaused) return { waitMs: pacingMs, reason: 'pace' }
        return isKnown || !isLocked ? { now: true } : { parkMs: 60_000, reason: 'network_lock' }
      },
      nowMs: async () => 0,
      noteParked: (_: unknown, counts: object) => void Object.assign(parked, { network_lock: 0 }, counts),
      idle: () => {},
    },
    timing: { pacingMinMs: pacingMs, pacingMaxMs: pacingMs, queueMax: 3 },
    presences: {
      start: ({ pn }: ChatAddress, _: unknown, durationMs: number) => void shown.push(`${pn} for ${durationMs}`),
    },
    session: {
      get isConnected() {
        return isConnected
      },
    },
    connection: async () => {
      if (!isConnected) throw new Error('No session')
    },
  } as unknown as SendsContext
  const retries = new QueueRetries(context)
  const queue: SendQueue = new SendQueue(context, {
    retries,
    known: { heard: ({ pn }) => void known.add(pn), isKnown, isKnownIfNeeded: (_, chat) => isKnown(chat) },
    delays: { chats: direct, onEnd: () => {} },
    departures: {
      send: ({ messageid }: MessageForActor) =>
        new Promise<boolean>((resolve, reject) => {
          fail = (hasLeft) => {
            if (hasLeft) for (const row of rows) if (row.messageid === messageid) row.status = 'pending'
            reject(new Error('The storage is away.'))
          }
          end = () => {
            end = () => {}
            sent.push(messageid)
            for (const row of rows) if (row.messageid === messageid) row.status = 'sent'
            isPaused = pacingMs > 0
            if (isPaused)
              setTimeout(() => {
                isPaused = false
              }, pacingMs)
            resolve(true)
          }
        }),
    },
  })
  return {
    queue,
    sent,
    shown,
    direct,
    statuses: () => rows.map(({ status }) => status),
    add: (id: string) => rows.push(makeRow(id)),
    endSend: async () => {
      end()
      await turn()
    },
    failSend: async (hasLeft = false) => {
      fail(hasLeft)
      await turn()
    },
    cancel: (id: string) => {
      for (const row of rows) if (row.messageid === id) row.status = 'canceled'
    },
    disconnect: () => {
      isConnected = false
    },
    parked,
    lock: (isOn: boolean) => {
      isLocked = isOn
    },
    pass: async (ms: number) => {
      t.mock.timers.tick(ms)
      await turn()
    },
  }
}

it('cancels the queued sends and lets the send in progress finish', async (t) => {
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
  void queue.run()
  await pass(1_000)
  await endSend()
  await pass(1_000)
  assert.deepEqual(sent, ['A', 'D'])
  assert.equal((await queue.status()).status, 'idle')
})

it('does not send after a clearing what it had read before, even while the queue pauses between two sends', async (t) => {
  const { queue, sent, endSend, pass } = scene(t, ['A', 'B', 'C'])
  void queue.run()
  await turn()
  await endSend()
  assert.deepEqual(await queue.clear(), { canceled: 2 })
  await pass(1_000)
  await endSend()
  assert.deepEqual(sent, ['A'])
})

it('does not send a message that was canceled after it had been read', async (t) => {
  const { queue, sent, endSend, cancel } = scene(t, ['A', 'B', 'C', 'D'], 0)
  void queue.run()
  await turn()
  await endSend()
  // B is under way; C and D were read with it.
  cancel('C')
  queue.readAgain('C' as MessageId)
  for (let left = 0; left < 3; left += 1) await endSend()
  assert.deepEqual(sent, ['A', 'B', 'D'])
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

it('a send that failed is tried again by itself, later after each error in a row, and not without a connection', async (t) => {
  const { queue, sent, pass, endSend, failSend, disconnect } = scene(t, ['Ann', 'Ben', 'Cy'], 0)
  const isSending = async () => (await queue.status()).processingNow
  void queue.run()
  await turn()
  for (const waitMs of [1_000, 2_000, 4_000]) {
    await failSend()
    await pass(waitMs - 1)
    assert.ok(!(await isSending()))
    await pass(1)
    assert.ok(await isSending())
  }
  await endSend()
  await failSend()
  await pass(1_000)
  assert.ok(await isSending())
  await failSend()
  disconnect()
  await pass(60_000)
  assert.deepEqual([sent, await isSending()], [['Ann'], false])
})

/** Sends all that can be sent without the clock going on. */
async function sendAll({ endSend, pass }: ReturnType<typeof scene>): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) {
    await pass(0)
    await endSend()
  }
}

it('a delay holds back its chat alone, and the order within each chat is kept', async (t) => {
  const it = scene(t, ['Ben+500 1', 'Ben 2', 'Eve 1', 'Ben+300 3', 'Ben 4', 'Eve+400 2', 'Eve 3', 'Mia 1'], 0)
  void it.queue.run()
  await sendAll(it)
  assert.deepEqual(it.sent, ['Eve 1', 'Mia 1'])
  assert.deepEqual(it.shown, ['Ben for 500', 'Eve for 400'])
  assert.equal((await it.queue.status()).status, 'processing')
  assert.notEqual(it.queue.heldMs({ pn: 'Ben' as Jid }), null)
  assert.equal(it.queue.heldMs({ pn: 'Mia' as Jid }), null)
  await it.pass(400)
  await sendAll(it)
  assert.deepEqual(it.sent.slice(2), ['Eve+400 2', 'Eve 3'])
  await it.pass(100)
  await sendAll(it)
  assert.deepEqual(it.sent.slice(4), ['Ben+500 1', 'Ben 2'])
  await it.pass(300)
  await sendAll(it)
  assert.deepEqual(it.sent.slice(6), ['Ben+300 3', 'Ben 4'])
  assert.equal((await it.queue.status()).status, 'idle')
})

it('delays do not undo the pacing: the next begins as late as the ones before it allow', async (t) => {
  const it = scene(t, ['Ben+1500', 'Eve+1500', 'Mia+1500', 'Kim'])
  void it.queue.run()
  await sendAll(it)
  assert.deepEqual([it.sent, it.shown], [['Kim'], ['Ben for 1500', 'Eve for 1500']])
  await it.pass(1_500)
  await sendAll(it)
  assert.deepEqual(it.sent, ['Kim', 'Ben+1500'])
  await it.pass(1_000)
  await sendAll(it)
  assert.deepEqual(it.sent, ['Kim', 'Ben+1500', 'Eve+1500'])
  assert.deepEqual(it.shown.slice(2), ['Mia for 1500'])
  await it.pass(1_500)
  await sendAll(it)
  assert.deepEqual(it.sent.at(-1), 'Mia+1500')
})

it('a send that is canceled during its delay holds back nothing any more', async (t) => {
  const it = scene(t, ['Ben+5000 1', 'Ben 2'], 0)
  void it.queue.run()
  await sendAll(it)
  it.cancel('Ben+5000 1')
  it.queue.readAgain('Ben+5000 1' as MessageId)
  await sendAll(it)
  assert.deepEqual(it.sent, ['Ben 2'])
  const cleared = scene(t, ['Ben+5000 1', 'Ben 2'], 0)
  void cleared.queue.run()
  await sendAll(cleared)
  assert.deepEqual(await cleared.queue.clear(), { canceled: 2 })
  await cleared.pass(5_000)
  await sendAll(cleared)
  assert.deepEqual(cleared.sent, [])
})

it('the queue goes past a chat in which a direct send waits for its delay', async (t) => {
  const it = scene(t, ['Ben', 'Eve'], 0)
  it.direct.push({ pn: 'Ben' as Jid })
  void it.queue.run()
  await sendAll(it)
  assert.deepEqual(it.sent, ['Eve'])
  it.direct.length = 0
  void it.queue.run()
  await sendAll(it)
  assert.deepEqual(it.sent, ['Eve', 'Ben'])
})

it('a send that comes behind queued ones of its chat waits until they have left, or are canceled', async (t) => {
  const it = scene(t, ['Ben 1', 'Eve 1', 'Ben 2'])
  let hasPassed = false
  const passed = it.queue.former('Ben 3' as MessageId, { pn: 'Ben' as Jid }).then(() => {
    hasPassed = true
  })
  await sendAll(it)
  await it.pass(1_000)
  await sendAll(it)
  assert.deepEqual([it.sent, hasPassed], [['Ben 1', 'Eve 1'], false])
  assert.deepEqual(await it.queue.clear(), { canceled: 1 })
  await passed
})

it('a waiting send continues after an error of the earlier one if that has left, and otherwise waits for the next run', async (t) => {
  const it = scene(t, ['Ben 1'])
  let hasPassed = false
  const passed = it.queue.former('Ben 2' as MessageId, { pn: 'Ben' as Jid }).then(() => {
    hasPassed = true
  })
  await it.pass(1_000)
  await it.failSend()
  await it.pass(1_000)
  assert.deepEqual([it.statuses(), hasPassed], [['queued'], false])
  void it.queue.run()
  await it.pass(1_000)
  await it.failSend(true)
  await passed
})

it('parks the sends to people who never wrote, whatever their number, and finds the others behind them', async (t) => {
  const strangers = Array.from({ length: 130 }, (_, index) => `S${index}`)
  const it = scene(t, [...strangers, 'S7 2', 'Ben', 'S8 2', 'Eve'], 0)
  for (const pn of ['Ben', 'Eve']) it.queue.heard({ pn: pn as Jid })
  it.lock(true)
  void it.queue.run()
  await sendAll(it)
  assert.deepEqual([it.sent, it.parked.network_lock], [['Ben', 'Eve'], 132])
  it.add('Ben 2')
  void it.queue.run()
  await sendAll(it)
  assert.deepEqual(it.sent.slice(2), ['Ben 2'])
  // One who writes gets all that waits for them, in its order.
  it.queue.heard({ pn: 'S7' as Jid })
  await sendAll(it)
  assert.deepEqual([it.sent.slice(3), it.parked.network_lock], [['S7', 'S7 2'], 130])
})
