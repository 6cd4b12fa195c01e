/** The simulated network as a process, and the calls that drive it. */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { FleetOrder } from './bare-fleet.js'
import { type Part, startPart } from './processes.js'

export interface BenchNetwork extends Part {
  readonly addresses: {
    readonly websocketUrl: string
    readonly noiseRootKeyHex: string
    readonly controlUrl: string
    readonly mediaCaFile: string
  }
  control: NetworkControl
  /** Resolves when the receipts of all messages have left, and the gateway has had time to store them. */
  settled(): Promise<void>
}

/** Longer than receipts wait for the next write of the gateway. */
const SETTLES_MS = 600

export type NetworkControl = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<T>

/** Starts a network whose receipts come late and alone, as the real ones do. */
export async function startNetwork(options: { measuresMemory?: boolean } = {}): Promise<BenchNetwork> {
  const part = await startPart('sandbox/main.js', { SANDBOX_RECEIPTS: 'late' }, /^\{"websocketUrl".*\}$/, options)
  const addresses = JSON.parse(part.said[0]) as BenchNetwork['addresses']
  const control = networkControl(addresses.controlUrl)
  return { ...part, addresses, control, settled: () => receiptsStored(control) }
}

async function receiptsStored(control: NetworkControl): Promise<void> {
  while ((await control<{ count: number }>('GET', '/receipts/waiting')).count > 0) await wait(50)
  await wait(SETTLES_MS)
}

export function networkControl(url: string): NetworkControl {
  return (method, path, body) => callJson(method, url + path, body)
}

/** A process of bare sockets on this network. */
export async function startBareFleet(
  { addresses }: BenchNetwork,
  options: { measuresMemory?: boolean } = {},
): Promise<Part & { tell(order: FleetOrder): Promise<number> }> {
  const env = { BENCH_NETWORK: JSON.stringify(addresses) }
  const part = await startPart('bench/harness/bare-fleet.js', env, /^ready$/, options)
  return { ...part, tell: (order) => part.ask(order) }
}

/** A call that must succeed. */
export async function callJson<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const answer = await request(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as T
}

/** Work on each of many things, some at once. */
export async function forEach<T>(things: readonly T[], atOnce: number, work: (thing: T) => Promise<unknown>) {
  const left = things.values()
  const lane = async (): Promise<void> => {
    for (const thing of left) await work(thing)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
