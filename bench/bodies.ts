/**
 * Measures what it costs a gateway to refuse a body at the limit of its size: CPU of the whole process for each call, reading included.
 * `npm run bench -- bodies [calls]`
 */
import { request } from 'undici'
import { defaultOptions } from '../api/options.js'
import { hostileBodies } from '../test/support/hostile-bodies.js'
import { dataFolder, startGateway } from './harness/gateway.js'
import { cpuMs, runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'

const calls = Number(process.argv[2] ?? 30)
const WARM_UP = 5

await runBench(async () => {
  const gateway = await startGateway(dataFolder(), undefined)
  const token = await gateway.newInstance('bench')
  const rows: string[][] = []
  for (const { kind, path, json } of hostileBodies(defaultOptions.bodyBytesMax)) {
    const bytes = Buffer.from(json)
    const headers = { token, 'content-type': 'application/json' }
    const refuse = async (): Promise<void> => {
      const { statusCode, body } = await request(`${gateway.url}${path}`, { method: 'POST', headers, body: bytes })
      await body.dump()
      if (statusCode !== 400) throw new Error(`${kind} was answered ${statusCode}.`)
    }
    for (let count = 0; count < WARM_UP; count++) await refuse()
    const before = cpuMs(gateway.pid)
    for (let count = 0; count < calls; count++) await refuse()
    const eachMs = (cpuMs(gateway.pid) - before) / calls
    rows.push([kind, `\`${path}\``, (bytes.length / 1024).toFixed(0), eachMs.toFixed(1)])
  }
  say(table(['body', 'route', 'KiB', 'CPU ms until it is refused'], rows))
})
