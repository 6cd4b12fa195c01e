import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'

/** Whose transaction is running, and its state. */
interface Frame {
  readonly owner: TransactionContext
  readonly state: unknown
}

const shared = new AsyncLocalStorage<Frame>()
let running = 0

/** What Baileys uses of an `AsyncLocalStorage`. One frame is enough: no transaction of one account runs inside that of another. */
class TransactionContext {
  getStore(): unknown {
    const frame = shared.getStore()
    return frame?.owner === this ? frame.state : undefined
  }

  run<T>(state: unknown, work: () => Promise<T>): Promise<T> {
    running += 1
    const end = (): void => {
      running -= 1
      if (running === 0) shared.disable()
    }
    const done = shared.run({ owner: this, state }, work)
    done.then(end, end)
    return done
  }
}

/**
 * Makes a Baileys socket whose transactions share one `AsyncLocalStorage` with those of all others, which is in use only while one runs.
 * Each socket makes its own (`Utils/auth-utils.js` of 7.0.0-rc14), and before Node.js 24 every promise in the process is charged for
 * every one that was ever used: 1.5 µs with one, 27 with 200, 67 with 500, and those of closed sockets never go away. The class is taken
 * from the built-in module when a socket is made, so it stands there for just that moment. The socket also begins outside of any
 * transaction.
 */
export function withSharedTransactions<C, T>(makeSocket: (config: C) => T, config: C): T {
  const builtin = createRequire(import.meta.url)('node:async_hooks') as { AsyncLocalStorage: unknown }
  const original = builtin.AsyncLocalStorage
  builtin.AsyncLocalStorage = TransactionContext
  syncBuiltinESMExports()
  try {
    return shared.exit(makeSocket, config)
  } finally {
    builtin.AsyncLocalStorage = original
    syncBuiltinESMExports()
  }
}

/**
 * Relays of one account one after the other, as in the library, but outside of its transactions, which cost each message more than its
 * ratchet step. They have nothing to roll back: sessions and sender keys are past transactions already (`signal-repository.ts`), and who
 * has a group's sender key is written once, when the message is encrypted (`relayMessage` of 7.0.0-rc14, which asks for its transaction
 * before it waits for anything).
 */
export function relaysInTurn(keys: SignalKeyStoreWithTransaction): <T>(relay: () => Promise<T>) => Promise<T> {
  const transaction = keys.transaction
  let isRelay = false
  let tail: Promise<unknown> = Promise.resolve()
  keys.transaction = (work, label) => {
    if (!isRelay) return transaction(work, label)
    const mine = tail.then(work)
    tail = mine.catch(() => {})
    return mine
  }
  return (relay) => {
    isRelay = true
    try {
      return relay()
    } finally {
      isRelay = false
    }
  }
}
