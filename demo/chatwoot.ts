/** The story of a support platform: a customer writes to a shop, an agent answers in Chatwoot, and the phone gets it. Chatwoot is a strict fake. */
import { randomBytes } from 'node:crypto'
import { type FakeChatwoot, type Message, startChatwoot } from '../sandbox/chatwoot/index.js'
import { type Calls, createCalls, type Json, until } from './calls.js'
import { dashboardLink } from './dashboard-link.js'
import { askedPort, freePort } from './front.js'
import { createInstances, type Instance } from './instances.js'
import { startProgram } from './program.js'
import { type DemoReceiver, startReceiver } from './receiver.js'
import type { Ending, Stage } from './stage.js'
import type { Transcript } from './transcript.js'

const SHOP = '15550001111'
const CARLA = '15550002222'
const QUESTION = 'Is my order 1042 ready?'
const ANSWER = 'Yes, you can pick it up today until 18:00.'
const LATE_QUESTION = 'May I come at 18:10?'
const LATE_ANSWER = 'Of course, we wait for you.'

interface Parts {
  readonly calls: Calls
  readonly adminToken: string
  readonly receiver: DemoReceiver
  readonly chatwoot: FakeChatwoot
  readonly tell: Transcript
}

export async function chatwootStory(stage: Stage): Promise<Ending> {
  const { tell, undo } = stage
  tell.note('Starting a private PostgreSQL and Redis, the gateway, and a strict fake of Chatwoot …')
  const chatwoot = await startChatwoot()
  undo(() => chatwoot.close())
  const adminToken = randomBytes(12).toString('hex')
  const gateway = await startProgram(
    'main.js',
    {
      ...stage.environment,
      PORT: String(askedPort() ?? (await freePort())),
      DATA_DIR: stage.folder,
      ADMIN_TOKEN: adminToken,
    },
    /"port":(\d+).*"msg":"The API listens\."/,
  )
  undo(gateway.stop)
  const url = `http://127.0.0.1:${gateway.said[1] ?? ''}`
  for (const line of await dashboardLink(url, adminToken)) tell.note(line)
  const receiver = await startReceiver(() => {})
  undo(() => receiver.close())

  const calls = createCalls(url, stage.controlUrl, tell)
  const instance = await run({ calls, adminToken, receiver, chatwoot, tell })
  return {
    summary: `${chatwoot.messages().length} messages in ${chatwoot.conversations().length} conversation of Chatwoot, none twice.`,
    toPlayWith: [
      ...(await dashboardLink(url, adminToken)),
      `The API page:  ${url}/docs`,
      `${instance.name}:          token: ${instance.token}`,
      `Carla writes:  curl -X POST ${stage.controlUrl}/phones/${CARLA}/text -H 'Content-Type: application/json' -d '{"to": "${SHOP}", "text": "Hello?"}'`,
      `Chatwoot has:  curl ${chatwoot.url}/sandbox/messages`,
      `You answer:    curl -X POST ${chatwoot.url}/sandbox/reply -H 'Content-Type: application/json' -d '{"conversation": 1, "text": "Hi!"}'`,
      `Carla sees:    curl ${stage.controlUrl}/phones/${CARLA}/messages?own=false`,
    ],
  }
}

async function run(parts: Parts): Promise<Instance> {
  const { calls, adminToken, receiver, chatwoot, tell } = parts
  const instances = createInstances({ calls, adminToken, receiver, tell })

  tell.step('Two phones on the simulated network: a shop, and Carla, who is its customer')
  await calls.tellNetwork('POST', '/phones', { phone: SHOP, name: 'Shop' })
  await calls.tellNetwork('POST', '/phones', { phone: CARLA, name: 'Carla' })

  tell.step('The shop connects its account')
  const shop = await instances.create('shop', SHOP)
  await instances.listen(shop)
  await instances.pairByCode(shop)

  tell.step(
    'The shop names its inbox in Chatwoot. The gateway checks address, token, account and inbox, and sets the webhook of the inbox',
  )
  await calls.call(
    'PUT',
    '/chatwoot/config',
    { token: shop.token },
    {
      enabled: true,
      url: chatwoot.url,
      access_token: chatwoot.tokens.administrator,
      account_id: chatwoot.account.id,
      inbox_id: chatwoot.inbox.id,
    },
  )
  tell.note('Chatwoot signs its webhooks from version 4.13.0 on, and the gateway refuses those without a signature.')

  tell.step('Carla writes. Her text appears in Chatwoot, in a conversation of its own')
  await write(parts, QUESTION)
  const asked = await atChatwoot(parts, QUESTION)
  const [contact] = chatwoot.contacts()
  tell.data('contact', { name: contact?.name, phone: contact?.phone })

  tell.step('An agent answers in Chatwoot, and the phone of Carla gets it once')
  const answer = chatwoot.agentReplies(asked.conversationId, ANSWER)
  tell.data('agent', ANSWER)
  await onThePhone(parts, ANSWER)

  tell.step('Carla reads it, and the agent sees that')
  await readAll(parts, ANSWER)
  await until(
    'read state',
    async () => ({ status: findStatus(chatwoot, answer.id) }),
    ({ status }) => status === 'read',
  )
  tell.note('Chatwoot shows the answer as read.')

  tell.step('Chatwoot goes away. Carla writes meanwhile, and her text appears when it is back')
  await chatwoot.stop()
  await write(parts, LATE_QUESTION)
  tell.note('Chatwoot does not answer …')
  await chatwoot.start()
  const late = await atChatwoot(parts, LATE_QUESTION)
  chatwoot.agentReplies(late.conversationId, LATE_ANSWER)
  tell.data('agent', LATE_ANSWER)
  await onThePhone(parts, LATE_ANSWER)

  tell.step('The settings show what is carried')
  const { chatwoot_access_token: token, ...settings } = await calls.call('GET', '/chatwoot/config', {
    token: shop.token,
  })
  tell.data('settings', settings)
  tell.note(`The token is stored encrypted; an answer shows ${String(token)}.`)
  checkOnce(chatwoot)
  return shop
}

async function write({ calls, tell }: Parts, text: string): Promise<void> {
  tell.data('Carla', text)
  await calls.tellNetwork('POST', `/phones/${CARLA}/text`, { to: SHOP, text })
}

async function atChatwoot({ chatwoot, tell }: Parts, text: string): Promise<Message> {
  const look = async () => ({ found: chatwoot.messages().find(({ content }) => content === text) })
  const { found } = await until(`"${text}" in Chatwoot`, look, (now) => now.found !== undefined)
  if (found === undefined) throw new Error(`Chatwoot has no "${text}".`)
  tell.note(`Chatwoot shows it in conversation ${found.conversationId}.`)
  return found
}

/** @throws Error if it came twice */
async function onThePhone({ calls, tell }: Parts, text: string): Promise<void> {
  const shown = () => calls.tellNetwork<Json[]>('GET', `/phones/${CARLA}/messages?own=false`)
  const messages = await until('answer', shown, (all) => all.some((one) => one.text === text))
  const [one, ...more] = messages.filter((message) => message.text === text)
  if (more.length > 0 || one?.arrivals !== 1) throw new Error(`Carla got the answer twice: ${JSON.stringify(messages)}`)
  tell.note('The phone of Carla shows it.')
}

async function readAll({ calls }: Parts, text: string): Promise<void> {
  const [one] = (await calls.tellNetwork<Json[]>('GET', `/phones/${CARLA}/messages?own=false`)).filter(
    (m) => m.text === text,
  )
  await calls.tellNetwork('POST', `/phones/${CARLA}/read`, { ids: [one?.id] })
}

function findStatus(chatwoot: FakeChatwoot, id: number): string {
  return chatwoot.messages().find((one) => one.id === id)?.status ?? ''
}

/** @throws Error if something is there twice */
function checkOnce(chatwoot: FakeChatwoot): void {
  const contents = chatwoot.messages().map(({ content }) => content)
  if (new Set(contents).size !== contents.length)
    throw new Error(`Chatwoot has a message twice: ${contents.join(' / ')}`)
  if (chatwoot.contacts().length !== 1) throw new Error(`Chatwoot has ${chatwoot.contacts().length} contacts.`)
}
