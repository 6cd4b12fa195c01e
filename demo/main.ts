/** `npm run demo`: two accounts pair, write to each other, and a webhook hears of it; all on this machine, on a simulated network. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProgram } from './program.js'
import { type DemoReceiver, startReceiver } from './receiver.js'
import { createTranscript, curlLine, type Transcript } from './transcript.js'

interface Instance {
  readonly name: string
  readonly token: string
  readonly phone: string
}

type Json = Record<string, unknown>

class Demo {
  constructor(
    private readonly gateway: string,
    private readonly network: string,
    private readonly adminToken: string,
    private readonly receiver: DemoReceiver,
    private readonly tell: Transcript,
  ) {}

  async run(): Promise<Instance[]> {
    const { tell } = this
    tell.step('Two phones, on the simulated network')
    await this.tellNetwork('POST', '/phones', { phone: '15550001111', name: 'Ana' })
    await this.tellNetwork('POST', '/phones', { phone: '15550002222', name: 'Ben' })
    tell.note('Ana has 15550001111, Ben has 15550002222. The simulated network speaks the real wire protocol.')

    tell.step('Two instances: one account each, connected to the gateway')
    const ana = await this.create('ana', '15550001111')
    const ben = await this.create('ben', '15550002222')

    tell.step('A webhook for each, so that we hear what happens')
    await this.listen(ana)
    await this.listen(ben)

    tell.step('Ana pairs by QR')
    await this.pairByQr(ana)

    tell.step('Ben pairs by code')
    await this.pairByCode(ben)

    tell.step('Ana writes to Ben, and Ben answers')
    await this.write(ana, ben, 'Hello Ben, this is Ana.')
    await this.write(ben, ana, 'Hello Ana, I can hear you.')

    tell.step("Somebody writes on Ben's phone itself: his instance hears of that too")
    const { id } = await this.tellNetwork('POST', `/phones/${ben.phone}/text`, {
      to: ana.phone,
      text: 'Typed on the phone.',
    })
    await this.receiver.next(
      "Ben's own message from his phone",
      ({ EventType, instanceName, message }) =>
        EventType === 'messages' && instanceName === 'ben' && message?.text === 'Typed on the phone.',
    )
    tell.note(`Message ${String(id)} came to the webhooks of both.`)

    tell.step('What is stored')
    const found = await this.call('POST', '/message/find', { token: ana.token }, { limit: 10 })
    for (const message of (found.messages as Json[]).toReversed())
      tell.data(message.fromMe ? '→' : '←', `${String(message.text)}  (${String(message.status)})`)
    return [ana, ben]
  }

  private async create(name: string, phone: string): Promise<Instance> {
    const made = await this.call('POST', '/instance/init', { admintoken: this.adminToken }, { name })
    const token = String((made.instance as Json | undefined)?.token ?? made.token)
    this.tell.data('token', `${token}  (shown once, stored as a hash)`)
    return { name, token, phone }
  }

  private async listen(instance: Instance): Promise<void> {
    const [webhook] = (await this.call(
      'POST',
      '/webhook',
      { token: instance.token },
      { url: this.receiver.url, events: ['connection', 'messages', 'messages_update'], enabled: true },
    )) as unknown as Json[]
    if (typeof webhook?.secret !== 'string') throw new Error('The webhook was made without a secret.')
    this.receiver.expectSecret(instance.name, webhook.secret)
  }

  private async pairByQr(instance: Instance): Promise<void> {
    let shown = await this.call('POST', '/instance/connect', { token: instance.token }, {})
    for (let scans = 1; ; scans += 1) {
      const qr = String((shown.instance as Json).qrcodeText)
      this.tell.data('QR', `${qr.slice(0, 72)}…  (as an image at ${this.gateway}/instance/qr.png)`)
      const { status } = await this.tellNetwork('POST', `/phones/${instance.phone}/scan`, { qr })
      if (status === 'paired') break
      if (scans > 3) throw new Error('The phone asked for one QR after another.')
      this.tell.note(
        'The network retired the secret in that QR, as the real one does since July 2026; the gateway shows a new one.',
      )
      shown = await this.until(
        'a new QR',
        () => this.ask('GET', '/instance/status', { token: instance.token }),
        (now) => (now.instance as Json).qrcodeText !== qr,
      )
    }
    await this.connected(instance)
  }

  private async pairByCode(instance: Instance): Promise<void> {
    const shown = await this.call('POST', '/instance/connect', { token: instance.token }, { phone: instance.phone })
    const code = String((shown.instance as Json).paircode)
    this.tell.data('code', code)
    await this.tellNetwork('POST', `/phones/${instance.phone}/code`, { code })
    await this.connected(instance)
  }

  private async connected(instance: Instance): Promise<void> {
    await this.until(
      'a connection',
      () => this.ask('GET', '/instance/status', { token: instance.token }),
      (now) => (now.status as Json).connected === true,
    )
    await this.receiver.next(
      'the event of the connection',
      ({ EventType, instanceName, instance: told }) =>
        EventType === 'connection' && instanceName === instance.name && told?.status === 'connected',
    )
    this.tell.note('Connected.')
  }

  private async write(from: Instance, to: Instance, text: string): Promise<void> {
    const sent = await this.call('POST', '/send/text', { token: from.token }, { number: to.phone, text })
    this.tell.data('answer', { status: sent.status, messageid: sent.messageid })
    await this.receiver.next(
      `"${text}"`,
      ({ EventType, instanceName, message }) =>
        EventType === 'messages' && instanceName === to.name && message?.text === text,
    )
    const messages = (await this.tellNetwork(
      'GET',
      `/phones/${to.phone}/messages?id=${String(sent.messageid)}`,
    )) as unknown as Json[]
    if (messages[0]?.text !== text || messages[0].arrivals !== 1)
      throw new Error(`The phone of ${to.name} does not have the message once: ${JSON.stringify(messages)}`)
    this.tell.note(`On the phone of ${to.name}: "${text}"`)
  }

  private call(method: string, route: string, headers: Record<string, string>, body?: Json): Promise<Json> {
    this.tell.typed(curlLine(method, `${this.gateway}${route}`, headers, body))
    return this.ask(method, route, headers, body)
  }

  private ask(method: string, route: string, headers: Record<string, string>, body?: Json): Promise<Json> {
    return request(method, `${this.gateway}${route}`, headers, body)
  }

  private tellNetwork(method: string, route: string, body?: Json): Promise<Json> {
    return request(method, `${this.network}${route}`, {}, body)
  }

  private async until(what: string, ask: () => Promise<Json>, isGood: (answer: Json) => boolean): Promise<Json> {
    const deadline = performance.now() + 20_000
    while (performance.now() < deadline) {
      const answer = await ask()
      if (isGood(answer)) return answer
      await pause(100)
    }
    throw new Error(`There was no ${what} within 20 s.`)
  }
}

async function request(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: Json | undefined,
): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Json
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

async function main(): Promise<void> {
  const exits = process.argv.includes('--exit')
  const tell = createTranscript()
  const stops: (() => Promise<void> | void)[] = []
  const stopAll = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop()
  }
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    tell.title('Posthorn: two accounts write to each other')
    tell.note('Starting a private PostgreSQL and Redis, the simulated network, and the gateway …')
    const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-demo-'))
    stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    const sandbox = await startProgram('sandbox/main.js', {}, /^\{"websocketUrl".*\}$/)
    stops.push(sandbox.stop)
    const network = JSON.parse(sandbox.said[0]) as { websocketUrl: string; noiseRootKeyHex: string; controlUrl: string }
    const adminToken = randomBytes(12).toString('hex')
    const gateway = await startProgram(
      'main.js',
      {
        PORT: process.env.PORT ?? '0',
        DATA_DIR: folder,
        ADMIN_TOKEN: adminToken,
        WA_WEBSOCKET_URL: network.websocketUrl,
        WA_NOISE_ROOT_KEY: network.noiseRootKeyHex,
        ALLOW_PRIVATE_ADDRESSES: 'true',
        SEND_DELAY_MIN_MS: '0',
        SEND_DELAY_MAX_MS: '0',
        LOG_LEVEL: 'info',
      },
      /"port":(\d+).*"msg":"The API listens\."/,
    )
    stops.push(gateway.stop)
    const url = `http://127.0.0.1:${gateway.said[1] ?? ''}`
    const receiver = await startReceiver(({ EventType, instanceName, message, instance, state }) => {
      const what = message?.text ?? instance?.status ?? state ?? ''
      tell.data('webhook', `${EventType} of ${instanceName}: ${what}`)
    })
    stops.push(() => receiver.close())
    tell.note(`The gateway listens on ${url}; the network is told what its phones do at ${network.controlUrl}.`)

    const demo = new Demo(url, network.controlUrl, adminToken, receiver, tell)
    const instances = await demo.run()
    if (receiver.counts.badSignatures > 0)
      throw new Error(`${receiver.counts.badSignatures} webhooks had a wrong signature.`)

    tell.title(`Done: ${receiver.counts.received} signed webhooks received.`)
    if (!exits) {
      tell.note(`The API page:  ${url}/docs`)
      tell.note(`Administrator: admintoken: ${adminToken}`)
      for (const { name, token } of instances) tell.note(`${name}:           token: ${token}`)
      tell.note(`The events as a stream: curl -N '${url}/sse?token=${instances[0]?.token ?? ''}'`)
      tell.note('It stays up to play with; Ctrl+C ends it and removes what it stored.')
      await interrupted
    }
  } finally {
    await stopAll()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
