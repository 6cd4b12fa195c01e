/** The story of an agent: a customer asks, a language model answers with the knowledge and a function of a shop. The model is a strict fake. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FakeProviders, startProviders } from '../sandbox/providers/index.js'
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
const HOURS = 'Our bakery is open from 7 to 18 on workdays and from 8 to 13 on Saturdays. On Sundays it is closed.'
const OPEN = 'Yes, on Saturdays we are open from 8 to 13.'
const ON_ITS_WAY = 'Your order 1042 is on its way and arrives today at 16:30.'

interface Shop {
  readonly url: string
  /** Calls of the function. */
  readonly calls: readonly string[]
}

interface Parts {
  readonly calls: Calls
  readonly adminToken: string
  readonly receiver: DemoReceiver
  readonly providers: FakeProviders
  readonly shop: Shop
  readonly tell: Transcript
}

export async function agentStory(stage: Stage): Promise<Ending> {
  const { tell, undo } = stage
  tell.note('Starting a private PostgreSQL and Redis, the gateway, and a strict fake of OpenAI …')
  const providers = await startProviders()
  undo(() => providers.close())
  const shop = await startShop(undo)
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
  const instance = await run({ calls, adminToken, receiver, providers, shop, tell })
  receiver.checkSignatures()
  // Others make vectors of the knowledge.
  const answers = providers.calls.filter(({ operation }) => operation === 'chat')
  return {
    summary: `the agent gave 2 answers with ${answers.length} calls of the model and ${shop.calls.length} of the function.`,
    toPlayWith: [
      ...(await dashboardLink(url, adminToken)),
      `The API page:  ${url}/docs`,
      `${instance.name}:          token: ${instance.token}`,
      `Ask something: curl -X POST ${stage.controlUrl}/phones/${CARLA}/text -H 'Content-Type: application/json' -d '{"to": "${SHOP}", "text": "Hello?"}'`,
      'The fake repeats what it is asked from now on; `call order_status {"order": "7"}` makes it call the function.',
      `The answers:   curl ${stage.controlUrl}/phones/${CARLA}/messages?own=false`,
    ],
  }
}

async function run(parts: Parts): Promise<Instance> {
  const { calls, adminToken, receiver, tell } = parts
  const instances = createInstances({ calls, adminToken, receiver, tell })

  tell.step('Two phones on the simulated network: a shop, and Carla, who is its customer')
  await calls.tellNetwork('POST', '/phones', { phone: SHOP, name: 'Shop' })
  await calls.tellNetwork('POST', '/phones', { phone: CARLA, name: 'Carla' })

  tell.step('The shop connects its account')
  const shop = await instances.create('shop', SHOP)
  await instances.listen(shop)
  await instances.pairByCode(shop)

  tell.step('Knowledge of the shop: a text, a file or a page')
  await teach(parts, shop)

  tell.step('A function: an HTTP call that the model may ask for')
  await addFunction(parts, shop)

  tell.step('An agent, which checks its key with the provider, and a trigger that gives it every chat')
  await addAgent(parts, shop)

  tell.step('Carla asks what stands in the knowledge')
  parts.providers.next({ answer: { text: OPEN }, when: ({ body }) => JSON.stringify(body).includes(HOURS) })
  await ask(parts, 'Are you open on Saturday?', OPEN)

  tell.step('Carla asks what only the function knows')
  parts.providers.answer({ calls: [{ name: 'order_status', arguments: { order: '1042' } }] })
  parts.providers.next({ answer: { text: ON_ITS_WAY }, when: ({ body }) => JSON.stringify(body).includes('16:30') })
  await ask(parts, 'Where is my order 1042?', ON_ITS_WAY)
  if (parts.shop.calls.length !== 1) throw new Error(`The shop was called ${parts.shop.calls.length} times.`)
  tell.note(`The gateway called the shop once: GET ${parts.shop.calls[0] ?? ''}`)

  tell.step('The turn: states, tokens, and each step of the model')
  await showTurn(parts, shop)
  return shop
}

async function teach({ calls, tell }: Parts, { token }: Instance): Promise<void> {
  await calls.call('POST', '/knowledge/edit', { token }, { knowledge: { tittle: 'Opening hours', content: HOURS } })
  const list = (): Promise<Json[]> => calls.ask('GET', '/knowledge/list', { token }) as unknown as Promise<Json[]>
  const [entry] = await until('knowledge', list, ([one]) => one?.vectorStatus === 'indexed')
  tell.data('entry', { tittle: entry?.tittle, vectorStatus: entry?.vectorStatus })
}

async function addFunction({ calls, shop }: Parts, { token }: Instance): Promise<void> {
  const order = { name: 'order', type: 'string', description: 'Number of the order.', required: true }
  await calls.call(
    'POST',
    '/function/edit',
    { token },
    {
      function: {
        name: 'order_status',
        description: 'Tells where an order is and when it arrives.',
        method: 'GET',
        endpoint: `${shop.url}/orders/{{order}}`,
        isActive: true,
        parameters: [order],
      },
    },
  )
}

async function addAgent({ calls, providers }: Parts, { token }: Instance): Promise<void> {
  const agent = {
    name: 'Ana',
    provider: 'openai',
    model: 'gpt-4o-mini',
    apikey: 'sk-0123456789-of-the-demo',
    baseUrl: providers.baseUrl('openai'),
    basePrompt: 'You work for a bakery. Answer in one sentence.',
  }
  const { id } = await calls.call('POST', '/agent/edit', { token }, { agent })
  const trigger = { type: 'agent', agent_id: id, responseDelay_seconds: 0 }
  await calls.call('POST', '/trigger/edit', { token }, { trigger })
  await calls.call('POST', '/instance/updatechatbotsettings', { token }, { chatbot_enabled: true })
}

/** Writes on the phone of Carla and waits for the answer there. @throws Error if it came twice or is another one */
async function ask({ calls, tell, receiver }: Parts, question: string, answer: string): Promise<void> {
  tell.data('Carla', question)
  await calls.tellNetwork('POST', `/phones/${CARLA}/text`, { to: SHOP, text: question })
  await receiver.next('the answer', ({ EventType, message }) => EventType === 'messages' && message?.text === answer)
  const shown = () => calls.tellNetwork<Json[]>('GET', `/phones/${CARLA}/messages?own=false`)
  const messages = await until('answer', shown, (all) => all.some(({ text }) => text === answer))
  const [one, ...more] = messages.filter(({ text }) => text === answer)
  if (more.length > 0 || one?.arrivals !== 1) throw new Error(`Carla got the answer twice: ${JSON.stringify(messages)}`)
  tell.data('agent', `${answer}  (on the phone of Carla)`)
}

async function showTurn({ calls, tell }: Parts, { token }: Instance): Promise<void> {
  const newest = () => calls.ask('GET', '/agent/turns?trace=true&limit=1', { token })
  const ended = await until('end of the turn', newest, ({ turns }) => (turns as Json[])[0]?.state === 'done')
  await calls.call('GET', '/agent/turns?trace=true&limit=1', { token })
  const { state, tokensIn, tokensOut, steps } = (ended.turns as Json[])[0] ?? {}
  tell.data('turn', { state, tokensIn, tokensOut })
  for (const { text, calls: made } of steps as Json[]) {
    if (text !== '') tell.data('step', text)
    for (const { name, arguments: given, result } of made as Json[])
      tell.data('step', `calls ${String(name)} ${String(given)}, which answers ${String(result).trim()}`)
  }
}

/** Starts the server of the shop, which answers the function. */
async function startShop(undo: Stage['undo']): Promise<Shop> {
  const calls: string[] = []
  const server = createServer(({ url = '' }, response) => {
    calls.push(url)
    const order = url.split('/').at(-1)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ order, state: 'on its way', arrives: '16:30' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  undo(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}
