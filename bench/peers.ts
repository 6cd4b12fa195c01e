/**
 * Measures what it costs that the owner of an instance is another node: a send's command and its answer through two routers, the peer client and
 * the peer server, beside the same command through one router. Each end is a process of its own. `npm run bench -- peers`
 */

import type { Command } from '../actors/operations/index.js'
import { repeatRules } from '../actors/operations/index.js'
import { PeerLinks } from '../runtime/cluster/peers/client.js'
import type { Owner } from '../runtime/cluster/peers/protocol.js'
import { OwnerRouter } from '../runtime/cluster/router.js'
import type { InstanceId, MessageId } from '../schemas/ids.js'
import { cpuMs, runBench, startPart } from './harness/processes.js'
import { say, table } from './harness/report.js'

const seconds = Number(process.argv[2] ?? 5)
const secret = 'the secret of a bench'

await runBench(async () => {
  const owner = await startPart(
    'bench/harness/peer-owner.js',
    { BENCH_SECRET: secret, BENCH_INCARNATION: 'owner' },
    /^ready (\d+)$/,
  )
  const client = new PeerLinks({ secret })
  const there: Owner = { incarnation: 'owner', address: `127.0.0.1:${owner.said[1]}`, epoch: 1 }
  const here: Owner = { incarnation: 'self', address: '', epoch: 1 }
  const answer = { record: {}, warnings: [] }
  const routerTo = (target: Owner) =>
    new OwnerRouter({
      table: { findOwner: () => target, onChange: () => () => {} },
      self: 'self',
      local: { ask: async () => answer },
      peers: client,
      findShard: () => 0,
      rules: repeatRules,
    })
  const routers = { here: routerTo(here), there: routerTo(there) }

  async function measure(where: 'here' | 'there', atOnce: number, forMs: number) {
    const router = routers[where]
    const tookMs: number[] = []
    const [farBefore, nearBefore, startedMs] = [cpuMs(owner.pid), process.cpuUsage(), performance.now()]
    const deadlineMs = startedMs + forMs
    const lane = async (name: number): Promise<void> => {
      const instance = `i${String(name).padStart(15, '0')}` as InstanceId
      for (let count = 0; performance.now() < deadlineMs; count += 1) {
        const askedMs = performance.now()
        await router.ask(instance, createSend(`3EB0${name}X${count}`))
        tookMs.push(performance.now() - askedMs)
        // A router that answers at once would never let a deadline come.
        if (where === 'here' && count % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, (_, name) => lane(name)))
    const elapsedMs = performance.now() - startedMs
    const near = process.cpuUsage(nearBefore)
    tookMs.sort((one, other) => one - other)
    const at = (share: number) => (tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN).toFixed(3)
    const perCall = (usedMs: number) => ((usedMs * 1_000) / tookMs.length).toFixed(1)
    return [
      at(0.5),
      at(0.99),
      perCall((near.user + near.system) / 1_000),
      where === 'here' ? '–' : perCall(cpuMs(owner.pid) - farBefore),
      ((tookMs.length * 1_000) / elapsedMs).toFixed(0),
    ]
  }

  await measure('there', 64, 2_000)
  const rows: string[][] = []
  for (const [where, atOnce] of [
    ['here', 1],
    ['there', 1],
    ['there', 64],
  ] as const)
    rows.push([`owner ${where}, ${atOnce} at once`, ...(await measure(where, atOnce, seconds * 1_000))])
  say(table(['', 'p50 ms', 'p99 ms', 'CPU µs, caller', 'CPU µs, owner', 'calls a second'], rows))
  await client.close()
})

function createSend(messageid: string): Command {
  return {
    type: 'send',
    messageid: messageid as MessageId,
    number: '551190000001',
    content: { kind: 'text', text: 'Bom dia, tudo bem? Segue o pedido que combinamos ontem.' },
    options: { readChat: true },
  }
}
