import assert from 'node:assert/strict'
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { describe, it } from 'node:test'
import {
  addTransactionCapability,
  type SignalDataSet,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
} from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { libraryLogger } from './library-logger.js'
import { relaysInTurn, withSharedTransactions } from './transactions.js'

const logger = libraryLogger(pino({ level: 'silent' }))

function account(): { keys: SignalKeyStoreWithTransaction; written: SignalDataSet[] } {
  const written: SignalDataSet[] = []
  const store = {
    get: async () => ({}),
    set: async (data: SignalDataSet) => void written.push(data),
  } as unknown as SignalKeyStore
  const options = { maxCommitRetries: 1, delayBetweenTriesMs: 0 }
  return { keys: withSharedTransactions((of) => addTransactionCapability(of, logger, options), store), written }
}

describe('the transactions of many accounts', () => {
  it('do not slow down the rest of the process', async () => {
    const weight = () => Object.getOwnPropertySymbols(new AsyncResource('probe')).length
    const before = weight()
    for (let index = 0; index < 50; index++) await account().keys.transaction(async () => {}, 'me')
    assert.equal(weight(), before)
  })

  it('see and write their own keys only, also at the same time', async () => {
    const [ana, ben] = [account(), account()]
    const work = async ({ keys }: typeof ana, name: string): Promise<void> => {
      await keys.transaction(async () => {
        await keys.set({ 'sender-key': { [name]: new Uint8Array([1]) } })
        await new Promise((resolve) => setImmediate(resolve))
        const found = await keys.get('sender-key', ['ana', 'ben'])
        assert.deepEqual(Object.keys(found), [name])
        // Nested: the same transaction continues.
        await keys.transaction(async () => await keys.set({ 'sender-key': { more: new Uint8Array([2]) } }), 'me')
      }, 'me')
    }
    await Promise.all([work(ana, 'ana'), work(ben, 'ben')])
    assert.deepEqual(
      [ana, ben].map(({ written }) => written.map((data) => Object.keys(data['sender-key'] ?? {}))),
      [[['ana', 'more']], [['ben', 'more']]],
    )
  })

  it('start again in a socket that is made inside another one’s', async () => {
    const { keys } = account()
    await keys.transaction(async () => {
      const inner = account()
      await inner.keys.set({ 'sender-key': { direct: new Uint8Array([1]) } })
      assert.equal(inner.written.length, 1)
    }, 'me')
  })

  it('do not hold relays, which run in turn', async () => {
    const { keys, written } = account()
    const inSlot = relaysInTurn(keys)
    const order: string[] = []
    const relay = async (name: string): Promise<void> => {
      await keys.transaction(async () => {
        order.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        await keys.set({ 'sender-key-memory': { [name]: {} } })
        order.push(`${name} ends`)
        if (name === 'two') throw new Error('refused')
      }, 'me')
    }
    let endReading = (): void => {}
    // Of the app state, say.
    const reading = keys.transaction(() => new Promise<void>((resolve) => (endReading = resolve)), 'me')
    // One that fails holds up nobody.
    await Promise.allSettled(['one', 'two', 'three'].map((name) => inSlot(() => relay(name))))
    endReading()
    await reading
    assert.deepEqual(
      order,
      ['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    )
    assert.equal(written.length, 3)
  })

  it('leave the built-in class to other code', () => {
    account()
    const storage = new AsyncLocalStorage<string>()
    assert.equal(
      storage.run('value', () => storage.getStore()),
      'value',
    )
    assert.ok(Object.getPrototypeOf(storage) === AsyncLocalStorage.prototype)
  })
})
