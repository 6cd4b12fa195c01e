/** The parts of a bench of the whole system: the network, the stores apart from the gateway, the gateway, bare Baileys, and people. */
import { type BenchGateway, dataFolder, type GatewayOptions, startGateway } from './gateway.js'
import { type BenchNetwork, forEach, startNetwork } from './network.js'
import { cpuMs, type Part, startPart } from './processes.js'
import { phoneNumbers } from './report.js'
import { type BenchStores, startStores } from './stores.js'

const [OWN, BARE] = ['15550900011', '15550900012']

export interface BenchSystem {
  readonly network: BenchNetwork
  readonly stores: BenchStores
  readonly gateway: BenchGateway
  /** Of the instance that sends and receives. */
  readonly token: string
  readonly bare: Part
  readonly phones: { readonly own: string; readonly bare: string }
  stop(): Promise<void>
}

/** CPU of one round, in milliseconds. */
export interface RoundCost {
  readonly gatewayMs: number
  readonly postgresMs: number
  readonly redisMs: number
}

/** @param gatewayOptions further settings of the gateway, and its program if it is not the usual one */
export async function startSystem(gatewayOptions: GatewayOptions = {}): Promise<BenchSystem> {
  const network = await startNetwork()
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), network, {
    ...gatewayOptions,
    env: { ...stores.env, NEW_CHATS_PER_DAY: '1000000', NEW_CHATS_WARM_UP: 'none', ...gatewayOptions.env },
  })
  for (const phone of [OWN, BARE]) await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const token = await gateway.pair(OWN)
  const env = { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: BARE }
  const bare = await startPart('bench/harness/bare.js', env, /^ready$/)
  return {
    network,
    stores,
    gateway,
    token,
    bare,
    phones: { own: OWN, bare: BARE },
    async stop() {
      await gateway.stop()
      await stores.stop()
    },
  }
}

/** Makes people. @param companionsOf number of companions of each, which the network plays */
export async function makePeople(
  { network }: BenchSystem,
  count: number,
  companionsOf: (index: number) => number = () => 0,
): Promise<readonly string[]> {
  const people = phoneNumbers(8, 0, count)
  await forEach([...people.entries()], 8, async ([index, phone]) => {
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
    const companions = companionsOf(index)
    if (companions > 0) await network.control('POST', `/phones/${phone}/companions`, { count: companions })
  })
  return people
}

/** Returns what the gateway, PostgreSQL and Redis spend on some work, with the receipts that follow it. */
export async function measureCost(
  { network, gateway, stores }: BenchSystem,
  work: () => Promise<unknown>,
): Promise<RoundCost> {
  const redisPid = await stores.redisPid()
  const counts = (): RoundCost => ({
    gatewayMs: cpuMs(gateway.pid),
    postgresMs: stores.cpuMs(),
    redisMs: cpuMs(redisPid),
  })
  const before = counts()
  await work()
  await network.settled()
  const after = counts()
  return {
    gatewayMs: after.gatewayMs - before.gatewayMs,
    postgresMs: after.postgresMs - before.postgresMs,
    redisMs: after.redisMs - before.redisMs,
  }
}
