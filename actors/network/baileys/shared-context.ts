import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/** Whose transaction is running, and its state. */
interface Frame {
  readonly owner: TransactionContext
  readonly state: unknown
}

const shared = new AsyncLocalStorage<Frame | undefined>()

/** What Baileys uses of an `AsyncLocalStorage`. One frame is enough: no transaction of one account runs inside that of another. */
class TransactionContext {
  getStore(): unknown {
    const frame = shared.getStore()
    return frame?.owner === this ? frame.state : undefined
  }

  run<T>(state: unknown, work: () => T): T {
    return shared.run({ owner: this, state }, work)
  }
}

/**
 * Makes a Baileys socket whose transactions share one `AsyncLocalStorage` with those of all others. Each socket makes its own
 * (`Utils/auth-utils.js` of 7.0.0-rc14), and before Node.js 24 every promise in the process is charged for every one that was ever used:
 * 1.5 µs with one, 27 with 200, 67 with 500, and those of closed sockets never go away. The class is taken from the built-in module
 * when a socket is made, so it stands there for just that moment. The socket also begins outside of any transaction.
 */
export function inSharedContext<C, T>(makeSocket: (config: C) => T, config: C): T {
  const builtin = createRequire(import.meta.url)('node:async_hooks') as { AsyncLocalStorage: unknown }
  const original = builtin.AsyncLocalStorage
  builtin.AsyncLocalStorage = TransactionContext
  syncBuiltinESMExports()
  try {
    return shared.run(undefined, makeSocket, config)
  } finally {
    builtin.AsyncLocalStorage = original
    syncBuiltinESMExports()
  }
}
