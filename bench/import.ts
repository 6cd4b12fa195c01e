/**
 * Measures the import of a list of recipients: `POST /sender/import` of a gateway process, with PostgreSQL of its own. The list is the
 * body, as CSV, and is made while it is sent; with `json` it is base64 in a JSON body.
 * `npm run bench -- import [recipients] [json]`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { cpuMs, runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'
import { startStores } from './harness/stores.js'

const recipients = Number(process.argv[2] ?? 100_000)
const isJson = process.argv[3] === 'json'
const CONTENT = { type: 'text', text: 'Hello {{name}} of {{city}}', scheduled_for: 60 }

await runBench(async () => {
  const stores = await startStores()
  const gateway = await startGateway(dataFolder(), undefined, { env: { ...stores.env, REQUEST_TIMEOUT_MS: '600000' } })
  await measure(gateway)
  await gateway.stop()
  await stores.stop()
})

async function measure(gateway: BenchGateway): Promise<void> {
  const token = await gateway.newInstance('imports')
  const send = isJson ? sendAsJson : sendAsBody
  for (const dryRun of [true, false]) await send(gateway, token, 5_000, { dryRun, folder: `warm-up ${dryRun}` })

  const rows: string[][] = []
  for (const [name, more] of [
    ['dry run', { dryRun: true }],
    ['import', { folder: 'measured' }],
  ] as const) {
    resetPeak(gateway.pid)
    const before = { rss: readMemory(gateway.pid, 'VmRSS'), cpu: cpuMs(gateway.pid), at: performance.now() }
    const count = await send(gateway, token, recipients, more)
    const seconds = (performance.now() - before.at) / 1_000
    rows.push([
      name,
      String(count),
      seconds.toFixed(1),
      (count / seconds).toFixed(0),
      ((cpuMs(gateway.pid) - before.cpu) / 1_000).toFixed(1),
      ((readMemory(gateway.pid, 'VmHWM') - before.rss) / 1_024).toFixed(0),
    ])
  }
  say(`${recipients} recipients, ${isJson ? 'as base64 in JSON' : 'as a body of CSV'}`, '')
  say(table(['', 'recipients', 's', 'a second', 'CPU s', 'peak over RSS before, MiB'], rows), '')
}

async function sendAsBody(gateway: BenchGateway, token: string, count: number, more: object): Promise<number> {
  const fields = Object.entries({ ...CONTENT, ...more }).map(([name, value]): [string, string] => [name, String(value)])
  const { statusCode, body } = await request(`${gateway.url}/sender/import?${new URLSearchParams(fields)}`, {
    method: 'POST',
    headers: { token, 'content-type': 'text/csv' },
    body: Readable.from(createPieces(count)),
    headersTimeout: 0,
  })
  const answer = (await body.json()) as { count: number }
  if (statusCode !== 200) throw new Error(JSON.stringify(answer))
  return answer.count
}

async function sendAsJson(gateway: BenchGateway, token: string, count: number, more: object): Promise<number> {
  const list = Buffer.from([...createPieces(count)].join('')).toString('base64')
  const body = { ...CONTENT, recipients: list, ...more }
  return (await gateway.call<{ count: number }>('POST', '/sender/import', token, body)).count
}

function* createPieces(count: number): Generator<string> {
  yield 'number,name,city,timezone\n'
  for (let index = 0; index < count; index += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - index) }, (_, row) => {
      const person = index + row
      return `55119${10_000_000 + person},Person ${person},São Paulo,America/Sao_Paulo\n`
    })
    yield rows.join('')
  }
}

/** In KiB. */
function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib)
}

/** Makes `VmHWM` begin at the present use. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
