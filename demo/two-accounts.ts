/** The story of one gateway: two accounts pair, write to each other, and a webhook hears of it. */
import { randomBytes } from 'node:crypto'
import { type Calls, createCalls, type Json } from './calls.js'
import { dashboardLink } from './dashboard-link.js'
import { askedPort, otherPortNote, startFront } from './front.js'
import { createInstances, type Instance } from './instances.js'
import { startProgram } from './program.js'
import { type DemoReceiver, startReceiver } from './receiver.js'
import type { Ending, Stage } from './stage.js'
import type { Transcript } from './transcript.js'

const ANA = { number: '15550001111', name: 'Ana' }
const BEN = { number: '15550002222', name: 'Ben' }

export async function twoAccounts(stage: Stage): Promise<Ending> {
  const { tell, undo } = stage
  tell.note('Starting a private PostgreSQL and Redis, and the gateway …')
  const adminToken = randomBytes(12).toString('hex')
  const gateway = await startProgram(
    'main.js',
    { ...stage.environment, PORT: '0', DATA_DIR: stage.folder, ADMIN_TOKEN: adminToken },
    /"port":(\d+).*"msg":"The API listens\."/,
  )
  undo(gateway.stop)
  const front = await startFront({
    gatewayUrl: `http://127.0.0.1:${gateway.said[1] ?? ''}`,
    controlUrl: stage.controlUrl,
    phones: [ANA, BEN],
    port: askedPort(),
  })
  undo(front.close)
  const { url } = front
  for (const line of [...(await dashboardLink(url, adminToken)), ...otherPortNote(url)]) tell.note(line)
  const receiver = await startReceiver(({ EventType, instanceName, message, instance, state }) => {
    const what = message?.text ?? instance?.status ?? state ?? ''
    tell.data('webhook', `${EventType} of ${instanceName}: ${what}`)
  })
  undo(() => receiver.close())
  tell.note(`The gateway listens on ${url}; control the simulated phones at ${stage.controlUrl}.`)

  const instances = await run(createCalls(url, stage.controlUrl, tell), adminToken, receiver, tell)
  receiver.checkSignatures()
  return {
    summary: `${receiver.counts.received} signed webhooks received.`,
    toPlayWith: [
      ...(await dashboardLink(url, adminToken)),
      `The API page:  ${url}/docs`,
      `Administrator: admintoken: ${adminToken}`,
      ...instances.map(({ name, token }) => `${name}:           token: ${token}`),
      `The events as a stream: curl -N '${url}/sse?token=${instances[0]?.token ?? ''}'`,
      'What to do next:',
      '  1. Open the dashboard, choose "Phones" and write from one phone to the other.',
      '  2. Make a new instance there, and choose "Scan with Ana\'s phone" beside its QR. Campaigns and agents work with these phones too.',
      `  3. Send a message yourself: curl ${url}/send/text -H 'token: ${instances[0]?.token ?? ''}' -H 'Content-Type: application/json' -d '{"number":"${BEN.number}","text":"Hello"}'`,
      '  4. For your own phone, start a gateway: npm start, or npx posthorn start.',
    ],
  }
}

async function run(calls: Calls, adminToken: string, receiver: DemoReceiver, tell: Transcript): Promise<Instance[]> {
  const instances = createInstances({ calls, adminToken, receiver, tell })

  tell.step('Two phones, on the simulated network')
  await calls.tellNetwork('POST', '/phones', { phone: ANA.number, name: ANA.name })
  await calls.tellNetwork('POST', '/phones', { phone: BEN.number, name: BEN.name })
  tell.note('Ana has 15550001111, Ben has 15550002222. The simulated network speaks the real wire protocol.')

  tell.step('Two instances: one account each, connected to the gateway')
  const ana = await instances.create('ana', ANA.number)
  const ben = await instances.create('ben', BEN.number)

  tell.step('A webhook for each, so that we hear what happens')
  await instances.listen(ana)
  await instances.listen(ben)

  tell.step('Ana pairs by QR')
  await instances.pairByQr(ana)

  tell.step('Ben pairs by code')
  await instances.pairByCode(ben)

  tell.step('Ana writes to Ben, and Ben answers')
  await write(ana, ben, 'Hello Ben, this is Ana.')
  await write(ben, ana, 'Hello Ana, I can hear you.')

  tell.step("Somebody writes on Ben's phone itself: his instance hears of that too")
  const { id } = await calls.tellNetwork('POST', `/phones/${ben.phone}/text`, {
    to: ana.phone,
    text: 'Typed on the phone.',
  })
  await receiver.next(
    "Ben's own message from his phone",
    ({ EventType, instanceName, message }) =>
      EventType === 'messages' && instanceName === 'ben' && message?.text === 'Typed on the phone.',
  )
  tell.note(`Message ${String(id)} came to the webhooks of both.`)

  tell.step('What is stored')
  const found = await calls.call('POST', '/message/find', { token: ana.token }, { limit: 10 })
  for (const message of (found.messages as Json[]).toReversed())
    tell.data(message.fromMe ? '→' : '←', `${String(message.text)}  (${String(message.status)})`)
  return [ana, ben]

  async function write(from: Instance, to: Instance, text: string): Promise<void> {
    const sent = await calls.call('POST', '/send/text', { token: from.token }, { number: to.phone, text })
    tell.data('answer', { status: sent.status, messageid: sent.messageid })
    await receiver.next(
      `"${text}"`,
      ({ EventType, instanceName, message }) =>
        EventType === 'messages' && instanceName === to.name && message?.text === text,
    )
    const messages = await calls.tellNetwork<Json[]>('GET', `/phones/${to.phone}/messages?id=${String(sent.messageid)}`)
    if (messages[0]?.text !== text || messages[0].arrivals !== 1)
      throw new Error(`The phone of ${to.name} does not have the message once: ${JSON.stringify(messages)}`)
    tell.note(`On the phone of ${to.name}: "${text}"`)
  }
}
