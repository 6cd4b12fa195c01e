/**
 * Measures what a cheap call costs: `GET /instance/status` of a gateway process, 50 at once from a process of its own.
 * `npm run bench -- api [seconds]`
 */
import { Agent, request } from 'undici'
import { dataFolder, startGateway } from './harness/gateway.js'
import { cpuMs, runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'

const seconds = Number(process.argv[2] ?? 8)
const AT_ONCE = 50

await runBench(async () => {
  const gateway = await startGateway(dataFolder(), undefined)
  const token = await gateway.newInstance('bench')
  const agent = new Agent({ connections: AT_ONCE })

  async function flood(forMs: number): Promise<number> {
    const deadline = performance.now() + forMs
    let count = 0
    const lane = async (): Promise<void> => {
      while (performance.now() < deadline) {
        const { statusCode, body } = await request(`${gateway.url}/instance/status`, {
          dispatcher: agent,
          headers: { token },
        })
        await body.dump()
        if (statusCode !== 200) throw new Error(`It answered ${statusCode}.`)
        count += 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    return count
  }

  await flood(2_000)
  const [cpuBefore, before] = [cpuMs(gateway.pid), performance.now()]
  const count = await flood(seconds * 1_000)
  const [cpu, elapsedMs] = [cpuMs(gateway.pid) - cpuBefore, performance.now() - before]
  const cells = [(cpu * 1_000) / count, (count * 1_000) / cpu, (count * 1_000) / elapsedMs]
  say(
    table(
      ['', 'CPU µs', 'a second on one core', 'a second beside its load generator'],
      [['`GET /instance/status`', ...cells.map((cell) => cell.toFixed(0))]],
    ),
  )
  await agent.close()
})
