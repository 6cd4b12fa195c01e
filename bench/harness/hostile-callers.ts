/** The calls of hostile tenants, as a process of their own, so that what they cost does not count as the gateway's. Told by lines of JSON what to do. */
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { gatewayClient } from './gateway.js'
import type { HostileAddresses } from './hostile-servers.js'
import { hostileTenants } from './hostile-tenants.js'
import { networkControl } from './network.js'

export interface CallersOptions {
  readonly gatewayUrl: string
  readonly controlUrl: string
  readonly servers: HostileAddresses
}

export interface CallersOrder {
  /** Names of tenants that begin; those that are left out rest. The answer is the number of calls since the last order. */
  readonly attack: readonly string[]
}

/** A hostile tenant whose call failed at once makes the next one then. */
const AGAIN_MS = 20
/** Time in which what is under way ends. A call that waits for a file that never ends is not waited for. */
const SETTLES_MS = 5_000

const { gatewayUrl, controlUrl, servers } = JSON.parse(process.env.BENCH_HOSTILE ?? '{}') as CallersOptions
const network = { control: networkControl(controlUrl) }
const tenants = await hostileTenants({ network, gateway: gatewayClient(gatewayUrl, network), servers })

let current = { isOver: true, calls: 0, ended: Promise.resolve() as Promise<unknown> }

async function obey({ attack }: CallersOrder): Promise<number> {
  const { calls } = current
  current.isOver = true
  await Promise.race([current.ended, wait(SETTLES_MS)])
  // What was stored for later is not done while others attack, or nobody does.
  for (const { kind, begin, rest } of tenants) await orderTwice(attack.includes(kind) ? begin : rest)
  const state = { isOver: attack.length === 0, calls: 0, ended: Promise.resolve() as Promise<unknown> }
  const lanes = tenants
    .filter(({ kind }) => attack.includes(kind))
    .flatMap(({ atOnce, act }) => Array.from({ length: atOnce }, () => again(act, state)))
  state.ended = Promise.all(lanes)
  current = state
  return calls
}

/** Makes the call again that failed: the gateway may just have closed the connection, after a body that it refused. */
async function orderTwice(order: (() => Promise<unknown>) | undefined): Promise<void> {
  await order?.().catch(() => wait(1_000).then(order))
}

async function again(act: () => Promise<unknown>, state: { readonly isOver: boolean; calls: number }): Promise<void> {
  while (!state.isOver) {
    const isDone = await act().then(
      () => true,
      () => false,
    )
    state.calls += 1
    if (!isDone) await wait(AGAIN_MS)
  }
}

process.stdout.write(`${JSON.stringify({ kinds: tenants.map(({ kind }) => kind) })}\n`)
createInterface({ input: process.stdin }).on('line', (line) => {
  void obey(JSON.parse(line) as CallersOrder).then((answer) => process.stdout.write(`${JSON.stringify({ answer })}\n`))
})
process.once('SIGTERM', () => process.exit(0))
