/**
 * Counts the files of ours whose code runs for a warm `POST /send/text`, up to the answer and the acknowledgement of WhatsApp: no receipts come
 * meanwhile. Those that also run in an idle time of the same length are counted apart. V8 counts the calls of each function of the main thread.
 * `npm run bench -- send-files [texts] [seconds]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Inspector, inspectedPort, openInspector } from './harness/inspector.js'
import { forEach } from './harness/network.js'
import { atPace, inFlood } from './harness/pace.js'
import { runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'
import { makePeople, startSystem } from './harness/system.js'

const PEOPLE = 50
const WARM_UP = 500
/** Until what follows the last texts is stored. */
const SETTLED_MS = 30_000
const RECEIPTS_LATE_MS = 3_600_000
const ROOMS = ['api/', 'actors/', 'runtime/', 'schemas/', 'lib/']
const [texts = 300, seconds = 30] = process.argv.slice(2).map(Number)

await runBench(async () => {
  const { port, env } = await inspectedPort()
  const system = await startSystem({ program: 'runtime/node-process.js', env })
  const { network, gateway, token } = system
  const people = await makePeople(system, PEOPLE)
  let sent = 0
  const send = () => {
    const text = `text ${sent}`
    return gateway.call('POST', '/send/text', token, { number: people[sent++ % PEOPLE], text })
  }
  await inFlood(WARM_UP, 2, send)
  await network.settled()
  const late = { autoRead: false, deliveryDelayMs: RECEIPTS_LATE_MS }
  await forEach(people, 8, (phone) => network.control('PATCH', `/phones/${phone}`, late))
  await wait(SETTLED_MS)

  const inspector = await openInspector(port)
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await wait(seconds * 1_000)
  const idle = await takeCalls(inspector)
  await atPace(texts, texts / seconds, send)
  const all = await takeCalls(inspector)
  inspector.close()

  const isOfSend = (file: string) =>
    [...(all.get(file) ?? [])].some(([name, calls]) => calls - (idle.get(file)?.get(name) ?? 0) >= texts / 2)
  const files = [...all.keys()].toSorted()
  const columns = [files.filter(isOfSend), files.filter((file) => !idle.has(file)), files, [...idle.keys()]]
  const rows = [...ROOMS, ''].map((room) => [
    room || 'all',
    ...columns.map((column) => String(column.filter((file) => file.startsWith(room)).length)),
  ])
  say(table(['files that run', 'for a send', 'during the sends alone', 'during the sends', 'while idle'], rows), '')
  for (const file of files)
    say(`${isOfSend(file) ? 'for a send ' : '           '}${idle.has(file) ? 'while idle ' : '           '}${file}`)
  await system.stop()
})

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** Returns the calls of each function since it was last asked, by file of ours. */
async function takeCalls(inspector: Inspector): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const { result } = await inspector.call<Coverage>('Profiler.takePreciseCoverage')
  const root = new URL('..', import.meta.url).href
  const files = new Map<string, Map<string, number>>()
  for (const { url, functions } of result) {
    const file = url.slice(root.length).replace(/\.js$/, '.ts')
    if (!url.startsWith(root) || !ROOMS.some((room) => file.startsWith(room))) continue
    const calls = new Map(
      functions.flatMap(({ functionName, ranges: [range] }) =>
        range === undefined || range.count === 0
          ? []
          : [[`${functionName} ${range.startOffset}`, range.count] as const],
      ),
    )
    if (calls.size > 0) files.set(file, calls)
  }
  return files
}
