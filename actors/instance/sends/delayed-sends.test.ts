import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import type { DelayedSend } from '../instance-reader.js'
import type { SendsContext } from './context.js'
import { DelayedSends } from './delayed-sends.js'

const chat = { pn: '5511999990001@s.whatsapp.net' as Jid, lid: '333@lid' as Jid }

function aSend(messageid: string, more: Partial<DelayedSend> = {}): DelayedSend {
  return { messageid: messageid as MessageId, chat, delayMs: 0, dueInMs: 0, isVoice: false, ...more }
}

function scene(send: (id: string) => Promise<void> = async () => {}) {
  const sent: string[] = []
  const shown: [kind: string, durationMs: number][] = []
  const stored: DelayedSend[] = []
  /** Errors since a send has left. */
  const failures = { count: 0 }
  const context = {
    id: 'i' as InstanceId,
    reader: { delayedSends: async () => [...stored] },
    logger: pino({ level: 'silent' }),
    presences: {
      start: (_: unknown, kind: string, durationMs: number) => void shown.push([kind, Math.round(durationMs / 1_000)]),
    },
    timing: { presenceMaxMs: 300_000 },
  } as unknown as SendsContext
  const delayed = new DelayedSends(context, {
    queue: { former: async () => {}, beside: (leave) => leave() },
    departures: {
      sendDue: async (id) => {
        await send(id)
        sent.push(id)
      },
    },
    retries: {
      failed: () => {
        failures.count += 1
      },
      left: () => {
        failures.count = 0
      },
    },
  })
  return { delayed, sent, shown, stored, failures }
}

/** A scene in which A leaves only when `open` is called. */
function sceneWithASlow() {
  let open = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  const made = scene(async (id) => {
    if (id === 'A') await isOpen
  })
  return { ...made, open }
}

describe('a delayed send', () => {
  it('is shown as typing or recording for at most five minutes, counted from its beginning', async (t) => {
    for (const [send, expected] of [
      [{ delayMs: 400_000, dueInMs: 400_000 }, [['composing', 300]]],
      [{ delayMs: 400_000, dueInMs: 400_000, isVoice: true }, [['recording', 300]]],
      // After a restart.
      [{ delayMs: 400_000, dueInMs: 350_000 }, [['composing', 250]]],
      [{ delayMs: 400_000, dueInMs: 50_000 }, []],
      [{ delayMs: 60_000, dueInMs: 20_000 }, [['composing', 20]]],
      // Waits behind another only.
      [{ delayMs: 0, dueInMs: 50_000 }, []],
    ] as const) {
      const { delayed, shown } = scene()
      t.after(() => delayed.stop())
      const left = delayed.hold(aSend('A', send))
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(shown, expected)
      delayed.stop()
      await left
    }
  })

  it('holds back its chat alone, under each of its addresses, and until it has left', async () => {
    const { delayed, sent } = scene()
    const first = delayed.hold(aSend('A', { dueInMs: 50 }))
    const second = delayed.hold(aSend('B'))
    assert.equal(delayed.heldMs({ pn: '5511999990002@s.whatsapp.net' as Jid }), null)
    for (const address of [chat, { pn: chat.pn }, { lid: chat.lid }]) assert.ok((delayed.heldMs(address) ?? 0) > 0)
    await Promise.all([first, second])
    assert.deepEqual(sent, ['A', 'B'])
    assert.equal(delayed.heldMs(chat), null)
  })

  it('is read again after a failure with the sends behind it, in their order', async () => {
    let isOpen = false
    const { delayed, sent, stored, failures } = scene(async () => {
      if (!isOpen) throw new Error('No connection.')
    })
    stored.push(aSend('A'), aSend('B'))
    await delayed.run()
    await delayed.hold(aSend('B'))
    assert.deepEqual([sent, failures.count], [[], 1])
    isOpen = true
    await delayed.run()
    await Promise.all(stored.map((send) => delayed.hold(send)))
    assert.deepEqual([sent, failures.count], [['A', 'B'], 0])
  })

  it('is not sent if it was not stored', async () => {
    const { delayed, sent } = scene()
    await delayed.hold(aSend('A'), Promise.reject(new Error('No store.')))
    assert.deepEqual([sent, delayed.heldMs(chat)], [[], null])
  })

  it('waits for those before it although one between was refused, and leaves once if that is tried again', async () => {
    const { delayed, sent, stored, open } = sceneWithASlow()
    stored.push(aSend('A'))
    await delayed.run()
    void delayed.hold(aSend('B'), Promise.reject(new Error('No store.')))
    await new Promise((resolve) => setImmediate(resolve))
    assert.ok(!delayed.isRead)
    await delayed.run()
    const again = delayed.hold(aSend('B'))
    const last = delayed.hold(aSend('C'))
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(sent, [])
    assert.ok(delayed.heldMs(chat) !== null)
    // Here its row says that it has left.
    stored.splice(0)
    open()
    await Promise.all([again, last])
    assert.deepEqual(sent, ['A', 'A', 'B', 'C'])
    assert.equal(delayed.heldMs(chat), null)
  })

  it('is read again, in its place, if its row is there although its write had failed', async () => {
    const { delayed, sent, stored } = scene()
    await delayed.run()
    stored.push(aSend('A'), aSend('B'))
    const before = delayed.hold(aSend('A', { dueInMs: 50 }))
    void delayed.hold(aSend('B'), Promise.reject(new Error('The outcome is unknown.')))
    stored.push(aSend('C'))
    void delayed.hold(aSend('C'))
    await before
    assert.deepEqual(sent, [])
    await delayed.run()
    await delayed.hold(aSend('C'))
    assert.deepEqual(sent, ['A', 'B', 'C'])
  })

  it('delays no other send once it is canceled', async () => {
    const { delayed, sent, stored } = scene()
    const canceled = delayed.hold(aSend('A', { dueInMs: 86_400_000 }))
    stored.push(aSend('B'))
    await delayed.readAgain()
    await canceled
    await delayed.hold(aSend('B'))
    assert.deepEqual([sent, delayed.heldMs(chat)], [['B'], null])
  })
  it('waits until the one before it has left, although a third was canceled meanwhile', async () => {
    const { delayed, sent, stored, open } = sceneWithASlow()
    void delayed.hold(aSend('A'))
    await new Promise((resolve) => setImmediate(resolve))
    const canceled = delayed.hold(aSend('B'))
    // A is leaving: its row is no longer among the delayed ones.
    stored.push(aSend('C'))
    await delayed.readAgain()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(sent, [])
    open()
    await canceled
    await delayed.hold(aSend('C'))
    assert.deepEqual([sent, delayed.heldMs(chat)], [['A', 'C'], null])
  })
})
