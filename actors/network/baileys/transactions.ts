import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'

/** The running transaction: its owner and its state. */
interface Frame {
  readonly owner: TransactionContext
  readonly state: unknown
}

const shared = new AsyncLocalStorage<Frame>()
let running = 0

/** The part of `AsyncLocalStorage` that Baileys uses. One frame is enough: no transaction of one account runs inside of another's. */
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

/** True before Node.js 24, where every promise costs time for every context, also for contexts that it does not run in. */
const chargesPromises = Number.parseInt(process.versions.node, 10) < 24

/**
 * Makes a Baileys socket whose transactions share one `AsyncLocalStorage` with those of all other sockets. It is active only while a
 * transaction runs.
 *
 * Baileys makes one per socket (`Utils/auth-utils.js` of 7.0.0-rc14), and before Node.js 24 every promise of the process pays for every one that
 * was ever used: 1.5 µs with one, 27 with 200, 67 with 500. Those of closed sockets never end. The library reads the class from the built-in
 * module when it makes a socket, so ours replaces it for that moment. On newer versions the library keeps the class of Node.js: there 500 of
 * them cost nothing that can be measured.
 *
 * The socket also starts outside of any transaction.
 */
export function withSharedTransactions<C, T>(makeSocket: (config: C) => T, config: C): T {
  const builtin = createRequire(import.meta.url)('node:async_hooks') as object
  const property = Object.getOwnPropertyDescriptor(builtin, 'AsyncLocalStorage')
  // If the class cannot be replaced, sockets cost more, but work.
  if (!chargesPromises || property?.configurable !== true) return shared.exit(makeSocket, config)
  // Defines the property, because since Node.js 22 it is a getter without a setter.
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
 * Runs the relays of one account one after the other, as the library does, but outside of its transactions, which cost each message more than
 * its ratchet step. Relays have nothing to roll back: sessions and sender keys bypass transactions (`signal-repository.ts`), and the list of
 * devices with a group's sender key is written once, when the message is encrypted. `relayMessage` of 7.0.0-rc14 starts its transaction before
 * its first wait, so the flag below is set only for that call.
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
