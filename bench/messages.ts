/**
 * What a sent and a received text cost the gateway process, beside bare Baileys with keys in memory: same run, same simulated network.
 * The gateway sends through REST, 20 at once, and receives to the store, the event log and a signed webhook that has been answered.
 * `npm run --silent build && node dist/bench/messages.js [texts] [rounds]`
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Agent, request } from 'undici'
import { cpuMs, type Part, startPart } from './harness/processes.js'

const texts = Number(process.argv[2] ?? 2_000)
const rounds = Number(process.argv[3] ?? 3)
const AT_ONCE = 20
const [GATEWAY_PHONE, BARE_PHONE, FRIEND] = ['15550900001', '15550900002', '15550900003']

interface Figure {
  readonly cpuMs: number
  readonly perSecond: number
}

const agent = new Agent({ connections: AT_ONCE })
async function call<T>(
  method: 'GET' | 'POST',
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const answer = await request(url, {
    method,
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as T
}

async function measure(pid: number, count: number, work: () => Promise<unknown>): Promise<Figure> {
  const [cpuBefore, before] = [cpuMs(pid), performance.now()]
  await work()
  const elapsedMs = performance.now() - before
  return { cpuMs: (cpuMs(pid) - cpuBefore) / count, perSecond: (count * 1000) / elapsedMs }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-bench-'))
  const sandboxPart = await startPart('sandbox/main.js', {}, /^\{"websocketUrl".*\}$/)
  const sandbox = JSON.parse(sandboxPart.said[0]) as {
    websocketUrl: string
    noiseRootKeyHex: string
    controlUrl: string
  }
  for (const phone of [GATEWAY_PHONE, BARE_PHONE, FRIEND])
    await call('POST', `${sandbox.controlUrl}/phones`, { phone, refreshOnScan: false })
  const gateway = await startPart(
    'main.js',
    {
      PORT: '0',
      DATA_DIR: folder,
      ADMIN_TOKEN: 'bench-bench-bench',
      WA_WEBSOCKET_URL: sandbox.websocketUrl,
      WA_NOISE_ROOT_KEY: sandbox.noiseRootKeyHex,
      ALLOW_PRIVATE_ADDRESSES: 'true',
      RATE_LIMIT_ADDRESS_PER_SECOND: '0',
      RATE_LIMIT_TOKEN_PER_SECOND: '0',
      RATE_LIMIT_INSTANCE_PER_SECOND: '0',
      LOG_LEVEL: 'info',
    },
    /"port":(\d+).*"msg":"The API listens\."/,
  )
  const url = `http://127.0.0.1:${gateway.said[1] ?? ''}`
  const { token } = await call<{ token: string }>(
    'POST',
    `${url}/instance/init`,
    { name: 'bench' },
    { admintoken: 'bench-bench-bench' },
  )
  const { instance } = await call<{ instance: { paircode: string } }>(
    'POST',
    `${url}/instance/connect`,
    { phone: GATEWAY_PHONE },
    { token },
  )
  await call('POST', `${sandbox.controlUrl}/phones/${GATEWAY_PHONE}/code`, { code: instance.paircode })
  while (
    !(await call<{ status: { connected: boolean } }>('GET', `${url}/instance/status`, undefined, { token })).status
      .connected
  )
    await new Promise((resolve) => setTimeout(resolve, 50))
  const bare = await startPart(
    'bench/harness/bare.js',
    { BENCH_SANDBOX: JSON.stringify(sandbox), BENCH_PHONE: BARE_PHONE },
    /^ready$/,
  )

  const heard: string[] = []
  const receiver = createServer((incoming, response) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    incoming.on('end', () => {
      heard.push((JSON.parse(body) as { message: { text: string } }).message.text)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => receiver.once('listening', resolve))

  const sends = { gateway: [] as Figure[], bare: [] as Figure[] }
  const receipts = { gateway: [] as Figure[], bare: [] as Figure[] }
  const groups = { gateway: [] as Figure[], bare: [] as Figure[] }
  const sendByGateway = async (count: number): Promise<void> => {
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < count) await call('POST', `${url}/send/text`, { number: FRIEND, text: `text ${next++}` }, { token })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }
  await sendByGateway(300)
  await bare.ask({ send: { to: FRIEND, count: 300, atOnce: AT_ONCE } })
  for (let round = 0; round < rounds; round += 1) {
    sends.gateway.push(await measure(gateway.pid, texts, () => sendByGateway(texts)))
    sends.bare.push(
      await measure(bare.pid, texts, () => bare.ask({ send: { to: FRIEND, count: texts, atOnce: AT_ONCE } })),
    )
  }

  await call(
    'POST',
    `${url}/webhook`,
    {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      events: ['messages'],
      excludeMessages: ['fromMeYes'],
      enabled: true,
    },
    { token },
  )
  let lost = 0
  let inverted = 0
  let bareReceived = 0
  const flood = (to: string): Promise<unknown> =>
    call('POST', `${sandbox.controlUrl}/phones/${FRIEND}/text`, { to, text: 'flood', count: texts })
  const told = (): void => {
    const numbers = heard.map((text) => Number(text.split(' ')[1]))
    lost += texts - new Set(numbers).size
    inverted += numbers.filter((number, index) => number < (numbers[index - 1] ?? 0)).length
  }
  for (let round = 0; round <= rounds; round += 1) {
    heard.length = 0
    const figure = await measure(gateway.pid, texts, async () => {
      await flood(GATEWAY_PHONE)
      const deadline = performance.now() + 30_000
      while (heard.length < texts && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 5))
    })
    told()
    bareReceived += texts
    const beside = await measure(bare.pid, texts, async () => {
      await flood(BARE_PHONE)
      await bare.ask({ received: bareReceived })
    })
    // The first round only warms both up.
    if (round > 0) {
      receipts.gateway.push(figure)
      receipts.bare.push(beside)
    }
  }

  const group = async (member: string): Promise<string> =>
    (
      await call<{ jid: string }>('POST', `${sandbox.controlUrl}/groups`, {
        owner: FRIEND,
        subject: member,
        members: [member],
      })
    ).jid
  const [ourGroup, bareGroup] = [await group(GATEWAY_PHONE), await group(BARE_PHONE)]
  for (let round = 0; round <= rounds; round += 1) {
    heard.length = 0
    const figure = await measure(gateway.pid, texts, async () => {
      await flood(ourGroup)
      const deadline = performance.now() + 30_000
      while (heard.length < texts && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 5))
    })
    told()
    bareReceived += texts
    const beside = await measure(bare.pid, texts, async () => {
      await flood(bareGroup)
      await bare.ask({ received: bareReceived })
    })
    if (round > 0) {
      groups.gateway.push(figure)
      groups.bare.push(beside)
    }
  }

  const line = (what: string, { gateway: ours, bare: theirs }: typeof sends): string => {
    const [a, b] = [median(ours.map((one) => one.cpuMs)), median(theirs.map((one) => one.cpuMs))]
    const [x, y] = [median(ours.map((one) => one.perSecond)), median(theirs.map((one) => one.perSecond))]
    return `| ${what} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(a / b).toFixed(2)} | ${x.toFixed(0)} | ${y.toFixed(0)} |`
  }
  process.stdout.write(
    [
      '| | gateway, CPU ms | bare, CPU ms | ratio | gateway, per second | bare, per second |',
      '|---|--:|--:|--:|--:|--:|',
      line(`send through REST, ${AT_ONCE} at once`, sends),
      line('receive 1:1, to the webhook', receipts),
      line('receive in a group, to the webhook', groups),
      '',
      `${rounds} rounds of ${texts}, medians; received: ${lost} lost, ${inverted} out of order. Node.js ${process.version}.`,
      '',
    ].join('\n'),
  )
  receiver.close()
  receiver.closeAllConnections()
  await agent.close()
  await stopAll([bare, gateway, sandboxPart])
  rmSync(folder, { recursive: true, force: true })
}

async function stopAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.stop()
}

await main()
