import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { Connection } from '../../network/port/connection.js'
import type { OutgoingMessage } from '../../network/port/messages.js'
import type { Change } from '../ports.js'
import { StatusParts } from './status-parts.js'

const ID = 'P1' as MessageId
const message = {} as OutgoingMessage
const report = {
  audience: 'allowlist' as const,
  isSetting: false,
  requested: 0,
  recipients: 0,
  discarded: 0,
  discarded_recipients: [],
}
const people = (count: number): Jid[] => Array.from({ length: count }, (_, one) => `${one}@lid` as Jid)

function scene(count: number, answers: (part: number) => number | null | 'never' | 'nobody') {
  const written: Change[] = []
  const sent: number[] = []
  let reached = 0
  let end = (): void => {}
  const closed = new Promise<void>((resolve) => {
    end = resolve
  })
  const parts = new StatusParts({
    id: 'i1' as never,
    reader: { statusPost: async () => ({ audience: 'allowlist', people: people(count), report, reached }) } as never,
    journal: {
      settled: () => undefined,
      async write(changes: readonly Change[]) {
        written.push(...changes)
        for (const change of changes) if (change.type === 'status.reached') reached = change.reached
      },
    } as never,
  })
  const connection = {
    closed: () => closed,
    messages: {
      async post(_id: MessageId, _message: OutgoingMessage, to: readonly Jid[]) {
        const answer = answers(sent.length)
        sent.push(to.length)
        if (typeof answer !== 'string') setImmediate(() => settled.push(parts.answered(ID, answer)))
        return answer !== 'nobody'
      },
    },
  } as unknown as Connection
  const settled: boolean[] = []
  return { parts, connection, written, sent, settled, end }
}

describe('a status post to many people', () => {
  it('goes out in parts, each after the answer to the one before, and its progress is stored', async () => {
    const { parts, connection, written, sent, settled } = scene(600, () => null)
    await parts.relay(connection, { messageid: ID, message })
    assert.deepEqual(sent, [256, 256, 88])
    assert.deepEqual(
      written.map((change) => change.type === 'status.reached' && change.reached),
      [256, 512],
    )
    // Only the answer to the last part says something of the whole.
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(settled, [true, true, false])
  })

  it('continues over another connection where the network took the last part', async () => {
    const first = scene(600, (part) => (part === 1 ? 'never' : null))
    const relayed = first.parts.relay(first.connection, { messageid: ID, message })
    while (first.sent.length < 2) await new Promise((resolve) => setImmediate(resolve))
    first.end()
    await assert.rejects(relayed, /connection ended/)
    first.sent.length = 3
    const next = { ...first.connection, closed: () => new Promise<void>(() => {}) }
    await first.parts.relay(next, { messageid: ID, message })
    assert.deepEqual(first.sent.slice(3), [256, 88])
  })

  it('ends with a part that the network refuses, whose answer is that of the whole', async () => {
    const { parts, connection, sent, settled } = scene(600, (part) => (part === 1 ? 479 : null))
    await parts.relay(connection, { messageid: ID, message })
    assert.deepEqual(
      [sent, settled],
      [
        [256, 256],
        [true, false],
      ],
    )
  })

  it('passes over people without a device', async () => {
    const { parts, connection, sent } = scene(300, (part) => (part === 0 ? 'nobody' : null))
    await parts.relay(connection, { messageid: ID, message })
    assert.deepEqual(sent, [256, 44])
  })

  it('is changed for all of its people, whatever was reached', async () => {
    const { parts, connection, sent, written } = scene(300, () => null)
    await parts.relay(connection, { messageid: ID, message })
    written.length = 0
    sent.length = 0
    const changed = parts.relay(connection, { messageid: 'C1' as MessageId, message, post: ID })
    while (sent.length < 1) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(parts.answered('C1' as MessageId, null), true)
    await changed
    assert.deepEqual([sent, written], [[256, 44], []])
  })
})
