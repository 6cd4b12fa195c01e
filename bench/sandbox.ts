/**
 * Measures what the simulated network holds and costs with many connected clients, which live in another process, speak the wire protocol and
 * send each other opaque bytes. Each has a phone on the network and 812 pre-keys there.
 * `npm run bench -- sandbox [clients] [messages]`
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench, startPart } from './harness/processes.js'
import type { RawFleetOrder } from './harness/raw-fleet.js'
import { phoneNumbers, say, table } from './harness/report.js'

const clients = Number(process.argv[2] ?? 2_000)
const messages = Number(process.argv[3] ?? 20_000)

await runBench(async () => {
  const network = await startNetwork()
  const fleet = await startPart(
    'bench/harness/raw-fleet.js',
    { BENCH_NETWORK: JSON.stringify(network.addresses) },
    /^ready$/,
  )
  const tell = (order: RawFleetOrder) => fleet.ask<number>(order)
  const rows: string[][] = []
  const note = (what: string, more = ''): void => {
    const { now, highest } = residentMib(network.pid)
    rows.push([what, now.toFixed(0), highest.toFixed(0), more])
  }
  note('no client')
  const phones = phoneNumbers(3, 0, clients)
  await forEach(phones, 20, (phone) => network.control('POST', '/phones', { phone }))
  note(`${clients} phones`)
  const pairingCpu = cpuMs(network.pid)
  await tell({ pair: phones })
  const each = (cpuMs(network.pid) - pairingCpu) / clients
  await wait(3_000)
  note(`${clients} clients paired and connected`, `${each.toFixed(1)} a pairing and login`)
  const [cpuBefore, before] = [cpuMs(network.pid), performance.now()]
  const perClient = Math.ceil(messages / clients)
  await tell({ sendEach: perClient })
  const seconds = (performance.now() - before) / 1000
  await wait(1_000)
  const relayed = perClient * clients
  const cpu = (cpuMs(network.pid) - cpuBefore) / relayed
  note(`${relayed} messages relayed`, `${cpu.toFixed(2)} a message`)
  say(
    table(['', 'RSS, MiB', 'highest so far, MiB', 'CPU ms'], rows),
    '',
    `${(relayed / seconds).toFixed(0)} messages a second beside the clients, each with its ack, its receipt and theirs. Node.js ${process.version}.`,
  )
})

/** As the system sees it: nothing is collected for this. */
function residentMib(pid: number): { now: number; highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: field('VmRSS'), highest: field('VmHWM') }
}
