/**
 * What a cheap call costs: `GET /instance/status` of a connected gateway process, 50 at once from a process of its own.
 * `npm run --silent build && node dist/bench/api.js [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Agent, request } from 'undici'
import { cpuMs, startPart } from './harness/processes.js'

const seconds = Number(process.argv[2] ?? 8)
const AT_ONCE = 50

const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-bench-'))
const gateway = await startPart(
  'main.js',
  {
    PORT: '0',
    DATA_DIR: folder,
    ADMIN_TOKEN: 'bench-bench-bench',
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    RATE_LIMIT_TOKEN_PER_SECOND: '0',
    RATE_LIMIT_INSTANCE_PER_SECOND: '0',
  },
  /"port":(\d+).*"msg":"The API listens\."/,
)
const url = `http://127.0.0.1:${gateway.said[1] ?? ''}`
const agent = new Agent({ connections: AT_ONCE })
const made = await request(`${url}/instance/init`, {
  method: 'POST',
  dispatcher: agent,
  headers: { admintoken: 'bench-bench-bench', 'content-type': 'application/json' },
  body: '{"name":"bench"}',
})
const { token } = (await made.body.json()) as { token: string }

async function flood(forMs: number): Promise<number> {
  const deadline = performance.now() + forMs
  let count = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const { statusCode, body } = await request(`${url}/instance/status`, { dispatcher: agent, headers: { token } })
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
process.stdout.write(
  `GET /instance/status: ${((count * 1_000) / elapsedMs).toFixed(0)} a second beside its load generator, ${((cpu * 1_000) / count).toFixed(0)} µs of CPU each: ${((count * 1_000) / cpu).toFixed(0)} a second on one core.\n`,
)
await agent.close()
await gateway.stop()
rmSync(folder, { recursive: true, force: true })
