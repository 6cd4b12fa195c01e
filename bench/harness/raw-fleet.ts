/** Many raw clients in one process, told by lines of JSON what to do. */
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchNetwork, forEach } from './network.js'
import { RawClient } from './raw-client.js'

export interface RawFleetOrder {
  readonly pair?: readonly string[]
  /** Every client sends so many, each when the one before was acknowledged; done when all were received. */
  readonly sendEach?: number
}

const PAIRINGS_AT_ONCE = 20
const addresses = JSON.parse(process.env.BENCH_NETWORK ?? '{}') as BenchNetwork['addresses']
const clients: RawClient[] = []
let received = 0

async function obey({ pair, sendEach }: RawFleetOrder): Promise<number> {
  if (pair !== undefined) {
    await forEach(pair, PAIRINGS_AT_ONCE, async (phone) => {
      const client = new RawClient(addresses, phone, () => {
        received += 1
      })
      clients.push(client)
      await client.pair()
    })
  }
  if (sendEach !== undefined) {
    const target = received + clients.length * sendEach
    await Promise.all(clients.map((client, index) => sendFrom(client, index, sendEach)))
    while (received < target) await wait(10)
  }
  return received
}

/** To a few others, not always the same. */
async function sendFrom(client: RawClient, index: number, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    const to = clients[(index + 1 + sent * 7) % clients.length]
    if (to !== undefined) await client.send(to.phone)
  }
}

process.stdout.write('ready\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  void obey(JSON.parse(line) as RawFleetOrder).then((answer) => process.stdout.write(`${JSON.stringify({ answer })}\n`))
})
