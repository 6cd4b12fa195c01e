/** The client library as somebody uses it who has nothing of us but the package. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { toString as drawQr } from 'qrcode'
import { packageRoot } from '../../lib/package-root.js'
import { startProviders } from '../../sandbox/providers/index.js'
import { clientFiles } from '../../scripts/client-source.js'
import { postmanCollection } from '../../scripts/collections.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type Example, isInstalled, LANGUAGES, startExample } from '../support/examples.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { lastingPort } from '../support/port.js'
import { png } from '../support/samples.js'

const run = promisify(execFile)
const client = path.join(packageRoot, 'clients/typescript')
const BEN = '15550650002'
const SHOP = '15550650003'

/** Compiles; never runs. */
const program = `
import { createPosthorn, isKnownEvent, type PosthornError, type PosthornEvent, verifyWebhook } from 'posthorn-client'

const posthorn = createPosthorn({ url: 'http://localhost', token: 't' })

export async function send(number: string): Promise<string> {
  const sent = await posthorn.sendText({ number, text: 'x', track_id: 'order 7' }, { idempotencyKey: 'order-7' })
  return sent.messageid
}

export async function texts(): Promise<(string | undefined)[]> {
  const { messages } = await posthorn.findMessages({ track_id: 'order 7', limit: 10 }, { timeoutMs: 5_000 })
  return messages.map((message) => message.text)
}

export async function follow(signal: AbortSignal): Promise<void> {
  for await (const event of posthorn.events({ kinds: ['messages', 'connection'], signal })) tell(event)
}

export function tell(event: PosthornEvent): string | undefined {
  switch (event.EventType) {
    case 'messages': return event.message.text
    case 'connection': return event.instance.status
    default: return isKnownEvent(event) ? event.instanceName : undefined
  }
}

export async function receive(request: Request): Promise<PosthornEvent> {
  return verifyWebhook(await request.text(), request.headers, ['a', 'b'], { toleranceSeconds: 60 })
}

export const next = (error: PosthornError): 'never' | 'later' | 'safe' | 'check' => error.retry
export const picture = (): Promise<Blob> => posthorn.showQrCode()
`

/** Each line is a mistake, and would be run by nobody. */
const mistakes = [
  "await posthorn.sendText({ number: '1' })",
  "await posthorn.sendText({ number: 1, text: 'x' })",
  "await posthorn.sendText({ number: '1', text: 'x', readchat: 'yes' })",
  "await posthorn.sendMenu({ number: '1', text: 'x', type: 'wheel', choices: ['A'] })",
  'await posthorn.updateAnnounce({ groupjid: "1@g.us" })',
  '(await posthorn.showStatus()).state',
  'const all = await posthorn.listLabels(); all[0]!.colour',
  "posthorn.events({ kinds: ['letters'] })",
  "for await (const event of posthorn.events()) if (event.EventType === 'messages') event.instance",
  "createPosthorn({ url: 'http://localhost', token: 't', adminToken: 'a' })",
  "createPosthorn({ url: 'http://localhost' })",
]

describe('the client library', () => {
  let folder: string
  const readme = readFileSync(path.join(client, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const { world, account, cleanup } = gatewaySuite({
    env: { NEW_CHATS_PER_DAY: '0', NEW_CHATS_WARM_UP: 'none', SEND_RATE_PER_MINUTE: '0' },
    phones: { [BEN]: 'Ben', [SHOP]: 'Shop' },
    account: ['15550650001', 'Ana'],
    complete: async () => {
      folder = testFolder(cleanup)
      const target = path.join(folder, 'node_modules/posthorn-client')
      mkdirSync(target, { recursive: true })
      cpSync(path.join(client, 'package.json'), path.join(target, 'package.json'))
      writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
      await run(process.execPath, [compiler, '-p', client, '--outDir', path.join(target, 'dist')])
    },
  })

  it('is as fresh as the OpenAPI document', async () => {
    for (const [file, text] of Object.entries(await clientFiles()))
      assert.ok(readFileSync(path.join(packageRoot, file), 'utf8') === text, `${file} is stale: run npm run generate.`)
  })

  it('compiles in the two ways in which packages are found, and not with a wrong call', async () => {
    const lines = mistakes.map((mistake, index) => `export async function x${index}() { ${mistake} }`)
    const opening =
      "import { createPosthorn } from 'posthorn-client'; const posthorn = createPosthorn({ url: '', token: '' })"
    writeFileSync(path.join(folder, 'program.ts'), program)
    writeFileSync(path.join(folder, 'mistakes.ts'), [opening, ...lines].join('\n'))
    for (const [module, moduleResolution] of [
      ['NodeNext', 'NodeNext'],
      ['ESNext', 'Bundler'],
    ]) {
      const options = { target: 'ES2022', lib: ['ES2022', 'DOM'], strict: true, types: [], noEmit: true }
      const compilerOptions = { ...options, module, moduleResolution }
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      const told = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
        (error: { stdout: string }) => error,
      )
      const found = told.stdout.split('\n').filter((line) => line.includes('error TS'))
      const wrong = found.map((line) => Number(/\bmistakes\.ts\((\d+),/.exec(line)?.[1] ?? assert.fail(line)))
      assert.deepEqual(
        [...new Set(wrong)],
        lines.map((_, index) => index + 2),
      )
    }
  })

  // The rest runs the examples of its README, in their order.

  /** Starts an example of the README. */
  function start(index: number, env: Readonly<Record<string, string>> = {}): Example {
    const file = path.join(folder, `example-${index}.mjs`)
    writeFileSync(file, examples[index] ?? '')
    return startExample(cleanup, [process.execPath, file], {
      POSTHORN_URL: world.gateway.url,
      POSTHORN_TOKEN: account.token,
      POSTHORN_ADMIN_TOKEN: world.gateway.adminToken,
      CUSTOMER: BEN,
      PHONE: SHOP,
      ...env,
    })
  }

  it('and programs in other languages do what the examples show', async (t) => {
    const providers = await startProviders()
    cleanup.after(() => providers.close())
    const picture = path.join(folder, 'picture.png')
    writeFileSync(picture, await png())
    cpSync(path.join(packageRoot, 'examples'), path.join(folder, 'examples'), { recursive: true })
    const languages = LANGUAGES.filter((language) => isInstalled(language))
    for (const { name } of LANGUAGES.filter((language) => !languages.includes(language)))
      t.diagnostic(`${name} is not installed`)
    const runExamples = async (language: (typeof LANGUAGES)[number], index: number): Promise<void> => {
      const customer = `1555065010${index}`
      await world.phone(customer, `customer of ${language.name}`)
      const example = (name: string, env: Readonly<Record<string, string>> = {}): Example =>
        startExample(cleanup, language.command(path.join(folder, 'examples', language.name), name, env), {
          POSTHORN_URL: world.gateway.url,
          POSTHORN_TOKEN: account.token,
          CUSTOMER: customer,
          ...env,
        })
      const key = { KEY: `order-${language.name}` }
      const sent = await example('send', key).result()
      assert.deepEqual(await example('send', key).result(), sent)
      await world.shownAt(customer, sent.messageid)

      const media = await example('media', { PICTURE: picture }).result()
      await world.shownAt(customer, media.messageid)

      const menu = example('menu')
      const id = await menu.line('sent')
      await world.shownAt(customer, id)
      await world.network('POST', `/phones/${customer}/tap`, { id, choice: 'Yes' })
      assert.deepEqual(await menu.result(), { choice: 'yes' })

      const many = { CUSTOMERS: customer, DELAY_MIN: '0', DELAY_MAX: '0' }
      const { id: campaign, ...counts } = await example('campaign', many).result()
      assert.ok(campaign)
      assert.deepEqual(counts, { sent: 1, failed: 0 })

      const model = { MODEL: 'm', MODEL_URL: providers.baseUrl('custom') }
      const { trigger } = await example('agent', model).result()
      assert.ok(trigger)

      const port = await lastingPort()
      const secret = `whsec_${Buffer.alloc(32, index).toString('base64')}`
      const position = path.join(folder, `position-${language.name}`)
      const receiver = example('receive', { PORT: String(port), WEBHOOK_SECRET: secret, POSITION: position })
      await language.listens(receiver, port)
      const url = `http://127.0.0.1:${port}/`
      await account.call('POST', '/webhook', { action: 'add', url, events: ['messages'], enabled: true, secret })
      await world.write(customer, account.number, `ação ${language.name}`)
      await receiver.line(
        '',
        (line) => line.includes(`ação ${language.name}`) || line.includes(`\\u00e3o ${language.name}`),
      )
      receiver.stop()
    }
    await Promise.all(languages.map(runExamples))
    await account.unhook()
  })

  it('and the command line makes, pairs and uses an instance', async () => {
    const customer = '15550650200'
    await world.phone(customer, 'Dora')
    const typed = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Example =>
      startExample(cleanup, [process.execPath, path.join(packageRoot, 'dist/cli/main.js'), ...words], {
        POSTHORN_URL: world.gateway.url,
        ...env,
      })
    const created = typed(['create', 'of a terminal'], { POSTHORN_ADMIN_TOKEN: world.gateway.adminToken })
    const token = await created.line('')
    const env = { POSTHORN_TOKEN: token }

    const connecting = typed(['connect'], env)
    const status = () => world.gateway.call<{ instance: { qrcodeText: string } }>('GET', '/instance/status', { token })
    const qr = (await eventually(status, ({ body }) => body.instance.qrcodeText !== '')).body.instance.qrcodeText
    const [, , row = ''] = (await drawQr(qr, { type: 'terminal', small: true })).split('\n')
    await connecting.line(row)
    const scan = async () => {
      const now = (await status()).body.instance.qrcodeText
      return now === '' ? undefined : world.network('POST', `/phones/${customer}/scan`, { qr: now })
    }
    await eventually(scan, (told) => told?.status === 'paired')
    assert.equal(await connecting.ended, 0)

    const tail = typed(['tail', '--kinds', 'messages'], env)
    await tail.noted('Connected.')
    const words = ['send', BEN, 'by a terminal', '--key', 'order-8']
    const id = await typed(words, env).line('')
    assert.equal(await typed(words, env).line(''), id)
    await world.shownAt(BEN, id)
    await tail.line('', (line) => line.endsWith('text by a terminal'))
    await world.write(BEN, customer, 'red \u001b[31m')
    await tail.line('', (line) => line.endsWith('red \\u001b[31m'))

    const refused = typed(['send', 'nobody', 'x'], env)
    await refused.noted('INVALID_NUMBER: ')
    assert.equal(await refused.ended, 1)
    assert.equal(await typed(['sned']).ended, 2)
  })

  it('and the command line starts a gateway, and examines one', async () => {
    const typed = (word: string, env: Readonly<Record<string, string>>): Example =>
      startExample(cleanup, [process.execPath, path.join(packageRoot, 'dist/cli/main.js'), word], env)
    const doctor = typed('doctor', world.gateway.environment as Record<string, string>)
    await doctor.line('', (line) => line.includes('The encryption key opens the stored credentials.'))
    assert.equal(await doctor.ended, 0)

    const [port, peerPort] = [String(await lastingPort()), String(await lastingPort())]
    const own = { DATA_DIR: path.join(folder, 'data'), HOST: '127.0.0.1', PORT: port, PEER_PORT: peerPort }
    const started = typed('start', own)
    const health = () =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ status }) => status,
        () => 0,
      )
    await eventually(health, (status) => status === 200, 60_000)
    started.stop()
    await started.ended
    assert.equal(await health(), 0)
    assert.equal(await typed('start', { ...own, PORT: 'none' }).ended, 1)
  })

  it('is joined by a collection whose requests the gateway takes as they stand', async () => {
    const { item } = JSON.parse(postmanCollection()) as { item: readonly { item: readonly PostmanItem[] }[] }
    const requests = item.flatMap((area) => area.item).map(({ request }) => request)
    const filled = (text: string): string =>
      text.replace('{{url}}', world.gateway.url).replace('{{token}}', account.token).replace('{{number}}', BEN)
    for (const call of ['GET {{url}}/instance/status', 'POST {{url}}/send/text', 'POST {{url}}/message/find']) {
      const request = requests.find(({ method, url }) => `${method} ${url.raw}` === call) ?? assert.fail(call)
      const headers = request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, filled(value)])
      const body = request.body === undefined ? {} : { body: filled(request.body.raw) }
      const answer = await fetch(filled(request.url.raw), {
        method: request.method,
        headers: headers as [string, string][],
        ...body,
      })
      assert.equal(answer.status, 200, `${call}: ${await answer.text()}`)
    }
  })

  it('sends a text, and the same one once', async () => {
    const first = start(0)
    const id = await first.line('sent')
    const second = start(0)
    assert.equal(await second.line('sent'), id)
    await world.shownAt(BEN, id)
    assert.deepEqual([await first.ended, await second.ended], [0, 0])
  })

  it('throws errors with code, status and next step', async () => {
    const example = start(1)
    assert.match(await example.line('INVALID_NUMBER'), /^400 never \S+$/)
    assert.equal(await example.ended, 0)
  })

  it('follows events', async () => {
    const example = start(2)
    await example.line('open')
    await world.write(BEN, account.number, 'ação')
    assert.equal(await example.line('received'), 'ação')
    assert.match(await example.line('position'), /^\d+$/)
    await world.write(BEN, account.number, 'stop')
    assert.equal(await example.ended, 0)
  })

  it('receives webhooks, and refuses those that are not of the gateway', async () => {
    const port = await lastingPort()
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const example = start(3, { PORT: String(port), WEBHOOK_SECRET: secret })
    await example.line('listening')
    const url = `http://127.0.0.1:${port}/`
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 400)
    await account.hook(url, { secret })
    await world.write(BEN, account.number, 'signed')
    assert.match(await example.line('webhook messages'), /^\S+$/)
    await account.unhook()
  })

  it('makes an instance and pairs it', async () => {
    const example = start(4)
    const code = await example.line('type on the phone:')
    await world.network('POST', `/phones/${SHOP}/code`, { code })
    await example.line('connected')
    assert.equal(await example.ended, 0)
  })
})

interface PostmanItem {
  readonly request: {
    readonly method: string
    readonly url: { readonly raw: string }
    readonly header: readonly { readonly key: string; readonly value: string; readonly disabled?: boolean }[]
    readonly body?: { readonly raw: string }
  }
}

const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')
