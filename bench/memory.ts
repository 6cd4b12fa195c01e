/**
 * Where the memory of a gateway without an instance goes: its resident parts as the kernel counts them, the spaces of V8's heap, and the floors
 * below it: Node.js alone, and with each of the libraries that it loads. Without any forced collection.
 * `npm run bench -- memory [seconds after the start]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { dataFolder, startGateway } from './harness/gateway.js'
import type { HeapSpaces } from './harness/heap-spaces.js'
import { cpuMs, type Part, runBench, startPart } from './harness/processes.js'
import { say, table } from './harness/report.js'
import { PARTS, type Resident, residentParts } from './harness/resident.js'

const seconds = Number(process.argv[2] ?? 90)
/** After which a process that only loads is measured. */
const LOADED_MS = 5_000

/** Each beside the ones before it, as one program loads them. */
const FLOORS: readonly (readonly [string, string])[] = [
  ['Node.js alone', ''],
  ['an empty thread', 'thread'],
  ['koa, @koa/router', 'koa @koa/router'],
  ['pg', 'pg'],
  ['ioredis, bull', 'ioredis bull'],
  ['undici, ws', 'undici ws'],
  ['ajv, xstate, pino, prom-client', 'ajv/dist/2020.js xstate pino prom-client'],
  ['sharp', 'sharp'],
  ['baileys', '@whiskeysockets/baileys'],
]

interface Measured {
  readonly resident: Resident
  readonly heap: HeapSpaces
}

await runBench(async () => {
  const floors: string[][] = []
  const loaded: string[] = []
  let before = 0
  for (const [what, names] of FLOORS) {
    loaded.push(names)
    const part = await startPart('bench/harness/libraries.js', { LIBRARIES: loaded.join(' ') }, /^ready$/, {
      showsHeap: true,
    })
    await wait(LOADED_MS)
    const { resident, heap } = await measure(part)
    await part.stop()
    const sum = total(resident)
    floors.push([what, mib(sum), mib(sum - before), mib(heap.usedBytes)])
    before = sum
  }
  say(table(['loaded, beside the rows above', 'RSS, MiB', 'more', 'used of the heap'], floors), '')

  const gateway = await startGateway(dataFolder(), undefined, { showsHeap: true })
  const startMs = cpuMs(gateway.pid)
  await wait(seconds * 1_000)
  const { resident, heap } = await measure(gateway)
  await gateway.stop()
  const spaces = Object.entries(heap.spaces).filter(([, bytes]) => bytes > 0)
  const heapSum = spaces.reduce((sum, [, bytes]) => sum + bytes, 0)
  say(
    `A gateway without an instance, ${seconds} s after its start, which took ${startMs} ms of CPU:`,
    '',
    table(['part', 'MiB'], [...PARTS.map((part) => [part, mib(resident[part])]), ['all: VmRSS', mib(total(resident))]]),
    '',
    table(
      ['of these, the main thread', 'MiB'],
      [
        ...spaces.map(([name, bytes]) => [`heap, ${name.replace('_space', '').replaceAll('_', ' ')}`, mib(bytes)]),
        ['heap, resident', mib(heapSum)],
        ['heap, used', mib(heap.usedBytes)],
        ['buffers and other memory that the heap refers to', mib(heap.externalBytes)],
        ['memory of V8 outside of the heap', mib(heap.mallocBytes)],
      ],
    ),
    '',
    `Node.js ${process.version}.`,
  )
})

async function measure(part: Part): Promise<Measured> {
  return { heap: await part.heap(), resident: residentParts(part.pid) }
}

function total(resident: Resident): number {
  return PARTS.reduce((sum, part) => sum + resident[part], 0)
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
