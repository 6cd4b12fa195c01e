/**
 * Measures what a picture of 1 MiB costs the gateway process, which gets it as base64 through REST, beside bare Baileys, which reads it from disk:
 * same run, same simulated network. And how much memory the gateway takes for 20 files of 16 MiB that arrive at once.
 * `npm run bench -- media [pictures] [rounds]`
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { cpuMs, type Part, runBench, startPart } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import { upload } from './harness/upload.js'

const pictures = Number(process.argv[2] ?? 60)
const rounds = Number(process.argv[3] ?? 3)
const AT_ONCE = 4
/** Rounds that are not counted. */
const WARM_UP = 5
const UPLOADS = 20
const UPLOAD_BYTES = 16 * 1024 * 1024
const [GATEWAY_PHONE, BARE_PHONE, FRIEND, OTHER] = ['15550910001', '15550910002', '15550910003', '15550910004']

await runBench(async () => {
  const network = await startNetwork()
  for (const phone of [GATEWAY_PHONE, BARE_PHONE, FRIEND, OTHER])
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const folder = dataFolder()
  await sends(network, folder)
  await uploads(network, folder)
})

async function sends(network: BenchNetwork, folder: string): Promise<void> {
  const picture = path.join(folder, 'picture.jpg')
  const raw = { width: 1520, height: 1140, channels: 3 } as const
  const bytes = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .jpeg({ quality: 80 })
    .toBuffer()
  writeFileSync(picture, bytes)
  const gateway = await startGateway(path.join(folder, 'first'), network)
  const token = await gateway.pair(GATEWAY_PHONE)
  const bare = await startPart(
    'bench/harness/bare.js',
    { BENCH_SANDBOX: JSON.stringify(network.addresses), BENCH_PHONE: BARE_PHONE },
    /^ready$/,
  )
  const numbers = Array.from({ length: pictures }, (_, index) => index)
  const byGateway = () =>
    forEach(numbers, AT_ONCE, () => {
      const file = readFileSync(picture, 'base64')
      return gateway.call('POST', '/send/media', token, { number: FRIEND, type: 'image', file })
    })
  const byBare = () => bare.ask({ send: { to: FRIEND, count: pictures, atOnce: AT_ONCE, picture } })
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const [one, other] = [await measure(network, gateway, byGateway), await measure(network, bare, byBare)]
    if (round < WARM_UP) continue
    ours.push(one)
    theirs.push(other)
  }
  const shown = await network.control<{ media: { sha256: string | null }[] }[]>('GET', `/phones/${FRIEND}/messages`)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const wrong = shown.filter(({ media }) => media[0]?.sha256 !== hash).length
  const [gatewayMs, bareMs] = [median(ours), median(theirs)]
  say(
    table(
      ['', 'gateway, CPU ms', 'bare, CPU ms', 'ratio'],
      [
        [
          `send a picture of ${(bytes.length / 2 ** 20).toFixed(2)} MiB through REST, ${AT_ONCE} at once`,
          gatewayMs.toFixed(1),
          bareMs.toFixed(1),
          (gatewayMs / bareMs).toFixed(2),
        ],
      ],
    ),
    '',
    `${rounds} rounds of ${pictures}, medians; ${shown.length} shown by the other phone, ${wrong} of them not as they were sent. Node.js ${process.version}.`,
  )
  await gateway.stop()
  await bare.stop()
}

async function measure(network: BenchNetwork, { pid }: Part, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid)
  await work()
  await network.settled()
  return (cpuMs(pid) - before) / pictures
}

/** From a process that has sent some, so that what it loads once is loaded. */
async function uploads(network: BenchNetwork, folder: string): Promise<void> {
  const gateway = await startGateway(path.join(folder, 'second'), network)
  const token = await gateway.pair(OTHER)
  for (let index = 0; index < 5; index += 1) await upload(gateway, token, { to: FRIEND, sizeBytes: 1024 * 1024 })
  await wait(3_000)
  const before = memoryKib(gateway.pid)
  let highest = before
  const watch = setInterval(() => {
    highest = Math.max(highest, memoryKib(gateway.pid))
  }, 10)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: UPLOADS }, () => upload(gateway, token, { to: FRIEND, sizeBytes: UPLOAD_BYTES })),
  )
  const tookMs = performance.now() - started
  clearInterval(watch)
  say(
    '',
    table(
      ['', 'RSS before, MiB', 'highest, MiB', 'growth, MiB', 'seconds'],
      [
        [
          `${UPLOADS} files of ${UPLOAD_BYTES / 2 ** 20} MiB at once`,
          ...[before, highest, highest - before].map((kib) => (kib / 1024).toFixed(0)),
          (tookMs / 1000).toFixed(1),
        ],
      ],
    ),
  )
  await gateway.stop()
}

function memoryKib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
