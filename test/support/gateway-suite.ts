/** A gateway with a sandbox, phones, one paired account and a webhook receiver, shared by all tests of one `describe`. */
import { before } from 'node:test'
import { type Cleanup, suiteCleanup } from './cleanup.js'
import { type Receiver, startReceiver } from './receiver.js'
import { startWorld, type TestInstance, type World } from './world.js'

type Json = Record<string, unknown>

export interface SuiteOptions {
  /** Settings of the gateway. A function is called just before the gateway starts. */
  readonly env?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** Phones: the number, then the name or the settings of the phone. */
  readonly phones?: Readonly<Record<string, string | (Json & { name: string })>>
  /** Number and name of the account that is paired. Its phone is made, unless `phones` has it. */
  readonly account?: readonly [number: string, name: string]
  /** Events that the account's webhook sends to the receiver. Without it there is no receiver. */
  readonly events?: readonly string[]
  /** Prepares the network before the account is paired. */
  readonly prepare?: () => Promise<unknown>
  /** Completes the scenario when everything above is up. */
  readonly complete?: () => Promise<unknown>
}

export interface Suite {
  readonly world: World
  readonly account: TestInstance
  readonly receiver: Receiver
  /** For what a test file opens besides. */
  readonly cleanup: Cleanup
}

type Part = 'world' | 'account' | 'receiver'

/** Starts the parts before the first test and stops them after the last. The parts may be destructured, but not used, outside of tests. */
export function gatewaySuite(options: SuiteOptions): Suite {
  const { env, phones = {}, account: pair, events } = options
  const cleanup = suiteCleanup()
  const parts: Partial<Record<Part, object>> = {}
  const suite: Suite = {
    world: late<World>('world', parts),
    account: late<TestInstance>('account', parts),
    receiver: late<Receiver>('receiver', parts),
    cleanup,
  }
  before(async () => {
    const world = await startWorld(cleanup, typeof env === 'function' ? env() : env)
    parts.world = world
    if (events !== undefined) parts.receiver = await startReceiver(cleanup)
    for (const [number, settings] of Object.entries(phones)) {
      const { name, ...more } = typeof settings === 'string' ? { name: settings } : settings
      await world.phone(number, name, more)
    }
    await options.prepare?.()
    if (pair !== undefined) parts.account = await (pair[0] in phones ? world.linked(...pair) : world.paired(...pair))
    if (events !== undefined) await suite.account.hook(suite.receiver.url, { events })
    await options.complete?.()
  })
  return suite
}

/** Returns a stand-in that reads each property from the part, once the part has started. */
function late<T extends object>(name: Part, parts: Readonly<Partial<Record<Part, object>>>): T {
  return new Proxy({} as T, {
    get(_, property) {
      const part = parts[name]
      if (part === undefined) throw new Error(`The suite has no ${name}, or has not started it yet.`)
      return Reflect.get(part, property)
    },
  })
}
