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

/** Node.js 24 and newer charge no promise for contexts that it does not run in. */
const chargesPromises = Number.parseInt(process.versions.node, 10) < 24

/**
 * Makes a Baileys socket whose transactions share one `AsyncLocalStorage` with those of all others, which is in use only while one runs.
 * Each socket makes its own (`Utils/auth-utils.js` of 7.0.0-rc14), and before Node.js 24 every promise in the process is charged for
 * every one that was ever used: 1.5 µs with one, 27 with 200, 67 with 500, and those of closed sockets never go away. The library reads
 * the class from the built-in module when a socket is made, so ours stands there for just that moment. On newer versions the library
 * keeps the class of Node.js: there 500 of them cost nothing that can be measured. The socket also begins outside of any transaction.
 */
export function withSharedTransactions<C, T>(makeSocket: (config: C) => T, config: C): T {
  const builtin = createRequire(import.meta.url)('node:async_hooks') as object
  const property = Object.getOwnPropertyDescriptor(builtin, 'AsyncLocalStorage')
  // A class that cannot be replaced makes sockets that cost more and work all the same.
  if (!chargesPromises || property?.configurable !== true) return shared.exit(makeSocket, config)
  // Since Node.js 22 it is a getter, to which nothing can be assigned.
  Object.defineProperty(builtin, 'AsyncLocalStorage', {
    configurable: true,
    enumerable: true,
    value: TransactionContext,
  })
  syncBuiltinESMExports()
  try {
    return shared.exit(makeSocket, config)
  } finally {
    Object.defineProperty(builtin, 'AsyncLocalStorage', property)
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
