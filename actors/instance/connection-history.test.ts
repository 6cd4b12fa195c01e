import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import { ConnectionHistory, type ConnectionState } from './instance.js'
import type { Change, InstanceJournal } from './ports.js'

const connecting: ConnectionState = { status: 'connecting', state: 'opening', cause: null, code: 0, reason: null }
const connected: ConnectionState = { ...connecting, status: 'connected', state: 'connected' }
const lost: ConnectionState = { ...connecting, state: 'waiting', cause: 'lost', reason: 'It was lost.' }

function made() {
  const written: Change[] = []
  const store = { failure: null as Error | null }
  const journal = {
    async write(changes: readonly Change[]) {
      if (store.failure !== null) throw store.failure
      written.push(...changes)
      return { messages: new Map() }
    },
  } as unknown as InstanceJournal
  const history = new ConnectionHistory({ journal, logger: pino({ level: 'silent' }) }, 'n1')
  const statuses = () => written.map((change) => (change.type === 'connection' ? [change.status, change.cause] : []))
  return { history, store, statuses }
}

describe('the history of a connection', () => {
  it('has one entry for each change of the status, and for each new cause', () => {
    const { history, statuses } = made()
    const idle: ConnectionState = { ...connecting, status: 'disconnected', state: 'disconnected' }
    for (const state of [idle, connecting, connecting, connected, lost, { ...lost, state: 'opening' }, connected])
      history.note(state)
    assert.deepEqual(statuses(), [
      ['connecting', ''],
      ['connected', ''],
      ['connecting', 'lost'],
      ['connected', ''],
    ])
  })

  it('keeps its entries while the store is away, and drops them when another node owns the instance', async () => {
    const { history, store, statuses } = made()
    store.failure = new GatewayError('STORE_UNAVAILABLE')
    history.note(connecting)
    await setImmediate()
    history.note(lost)
    await setImmediate()
    store.failure = null
    history.note(connected)
    assert.deepEqual(
      statuses().map(([status]) => status),
      ['connecting', 'connecting', 'connected'],
    )
    store.failure = new GatewayError('NOT_OWNER')
    history.note(lost)
    await setImmediate()
    store.failure = null
    history.note(connected)
    assert.equal(statuses().length, 4)
  })
})
