import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { type FakeProviders, startProviders } from '../../sandbox/providers/index.js'
import { eventually } from '../support/eventually.js'
import { type FileServer, startFileServer } from '../support/file-server.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { type Received, startReceiver } from '../support/receiver.js'

type Json = Record<string, unknown>
interface Shown {
  readonly id: string
  readonly text: string
}
interface Turn extends Json {
  readonly id: string
  readonly state: string
  readonly reason: string
}

const ANA = '15550730001'
/** A phone for each test, so that no chat has the past of another. */
const PEOPLE = Array.from({ length: 21 }, (_, index) => `155507310${String(index).padStart(2, '0')}`)

describe('an agent that answers', () => {
  let providers: FakeProviders
  let shop: FileServer
  let agentId = ''
  let person = ''
  const people = [...PEOPLE]
  const {
    world,
    account: ana,
    receiver,
    cleanup,
  } = gatewaySuite({
    phones: Object.fromEntries(PEOPLE.map((phone) => [phone, `Person ${phone}`])),
    account: [ANA, 'Ana'],
    // All agents of this file are of the fakes.
    env: { AGENT_KEY_CHECK: 'true', LOG_LEVEL: 'debug' },
    events: ['agents', 'messages'],
    prepare: async () => {
      providers = await startProviders()
      shop = await startFileServer(cleanup)
      cleanup.after(() => providers.close())
    },
    complete: async () => {
      const agent = {
        name: 'Bot',
        provider: 'custom',
        model: 'qwen3:8b',
        inputPrice: 2.5,
        outputPrice: 10,
        apikey: '',
        baseUrl: providers.baseUrl('custom'),
        basePrompt: 'You sell bread.',
        fallbackMessage: 'We will be back soon.',
        contextTimeWindow_hours: 1,
      }
      const made = await ana.call<Json>('POST', '/agent/edit', { agent })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      agentId = String(made.body.id)
      const trigger = { type: 'agent', agent_id: agentId, responseDelay_seconds: 0 }
      assert.equal((await ana.call('POST', '/trigger/edit', { trigger })).status, 201)
      await ana.done('/instance/updatechatbotsettings', {
        chatbot_enabled: true,
        chatbot_stopConversation: 'parar',
        chatbot_stopMinutes: 60,
        chatbot_stopWhenYouSendMsg: 30,
      })
    },
  })

  /** Calls besides those for vectors, which knowledge makes by itself. */
  const chats = () => providers.calls.filter(({ operation }) => operation !== 'embeddings')

  beforeEach(() => {
    providers.clear()
    person = people.shift() as string
  })

  const writes = (text: string) => world.write(person, ANA, text)
  const shown = () => world.network<Shown[]>('GET', `/phones/${person}/messages?own=false`)
  const shows = (count: number) => eventually(shown, (messages) => messages.length >= count)
  const edit = (agent: Json) => ana.call('POST', '/agent/edit', { id: agentId, agent })
  const turns = async (query = '') =>
    (await ana.call<{ turns: Turn[] }>('GET', `/agent/turns?chatid=${person}${query}`)).body.turns
  const ends = (state: string) =>
    eventually(
      () => turns(),
      ([turn]) => turn?.state === state,
    )

  it('answers a message with what the model says, and keeps what it was made of', async () => {
    const knowledge = { tittle: 'Hours', content: 'Open from 8 to 5.' }
    assert.equal((await ana.call('POST', '/knowledge/edit', { knowledge })).status, 201)
    await eventually(
      async () => (await ana.call<Json[]>('GET', '/knowledge/list')).body[0]?.vectorStatus,
      (status) => status === 'indexed',
    )
    providers.answer({ text: 'We have {{lead_name}} bread.', usage: { input: 40, output: 9 } })
    await writes('Good morning!')
    const [answer] = await shows(1)
    assert.equal(answer?.text, 'We have {{lead_name}} bread.')
    const [turn] = await ends('done')
    assert.deepEqual([turn?.tokensIn, turn?.tokensOut, turn?.agent_id], [40, 9, agentId])
    // 40 tokens at 2.5 and 9 at 10 for a million.
    assert.equal(turn?.cost, 0.00019)
    const usage = (await ana.call<Json>('GET', '/agent/usage?days=2')).body
    const nextDay = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    const day = new Date(nextDay - 1).toISOString().slice(0, 10)
    const today = { day, turns: 1, tokensIn: 40, tokensOut: 9, tokensReserved: 0, cost: 0.00019 }
    const limits = { turns: 2_000, tokens: 2_000_000, cost: 0 }
    assert.deepEqual(usage, { limits, resetsAt: nextDay, days: [today] })
    const stored = (await ana.messages({ id: answer?.id }))[0]?.ai_metadata as Json
    assert.equal(stored.agent_id, agentId)
    assert.match(JSON.stringify(stored.request), /You sell bread/)
    assert.match(JSON.stringify(chats()[0]?.body), /Open from 8 to 5/)
    assert.match(JSON.stringify(stored.response), /lead_name/)
    const { chatbot_lastTrigger_id: lastTrigger, chatbot_lastTriggerAt: lastAt } = await ana.chat(person)
    assert.equal(lastTrigger, turn?.trigger_id)
    assert.ok(Math.abs(Date.now() - Number(lastAt)) < 600_000, String(lastAt))
    const event = await eventually(
      () => receiver.of('messages').find(({ body }) => (body.message as Json).text === answer?.text),
      (one) => one !== undefined,
    )
    assert.deepEqual(Reflect.get(event?.body.message as Json, 'ai_metadata'), {})
  })

  it('shows what its answer was made of to a webhook that asks for it, and keeps that out of lists', async (t) => {
    const asking = await startReceiver(t)
    const body = { action: 'add', url: asking.url, events: ['messages'], enabled: true, includeAiMetadata: true }
    const hooks = await ana.done<Json[]>('/webhook', body)
    const id = hooks.at(-1)?.id
    t.after(() => ana.done('/webhook', { action: 'delete', id }))
    assert.deepEqual(
      hooks.map(({ includeAiMetadata }) => includeAiMetadata),
      [false, true],
    )
    providers.answer({ text: 'We open at 8.' })
    await writes('When?')
    const [answer] = await shows(1)
    const isAnswer = ({ body: one }: Received) => (one.message as Json).text === 'We open at 8.'
    const told = await eventually(() => asking.of('messages').find(isAnswer))
    const metadata = (told?.body.message as Json | undefined)?.ai_metadata as Json
    assert.deepEqual(metadata, (await ana.messages({ id: answer?.id }))[0]?.ai_metadata)
    assert.equal(metadata.agent_id, agentId)
    assert.match(JSON.stringify(metadata.request), /You sell bread/)
    const all = asking.of('messages').map(({ body: one }) => one.message as Json)
    assert.deepEqual(all.find(({ text }) => text === 'When?')?.ai_metadata, {})
    const list = (await ana.call<{ deliveries: Json[] }>('GET', `/webhook/deliveries?webhookId=${String(id)}`)).body
    for (const { id: delivery } of list.deliveries) {
      const shown = await ana.call('GET', `/webhook/deliveries/${String(delivery)}`)
      assert.doesNotMatch(JSON.stringify(shown.body), /You sell bread/)
    }
  })

  it('gives a burst one answer, made of all its messages', async () => {
    providers.next({ answer: { text: 'too early' }, delayMs: 60_000, when: () => true })
    await writes('one')
    await providers.called(1)
    providers.answer({ text: 'Once.' })
    await writes('two')
    await shows(1)
    await ends('done')
    assert.deepEqual(
      (await shown()).map(({ text }) => text),
      ['Once.'],
    )
    assert.equal(chats().length, 2)
    assert.equal(chats()[0]?.isAbandoned, true)
    const asked = JSON.stringify(chats()[1]?.body)
    assert.ok(asked.includes('one') && asked.includes('two'))
    assert.equal((await turns()).length, 1)
  })

  it('splits a long answer between sentences, and signs it', async () => {
    const short = await edit({ maxMessageLength: 49 })
    assert.match(JSON.stringify(short.body), /agent\.maxMessageLength.*must be 0 or at least 50/)
    await edit({ maxMessageLength: 50, signMessages: true })
    providers.answer({ text: 'This is the first sentence. This is the second one.' })
    await writes('tell me more')
    const parts = (await shows(2)).map(({ text }) => text)
    assert.deepEqual(parts, ['*Bot:*\nThis is the first sentence.', 'This is the second one.'])
    await edit({ maxMessageLength: 0, signMessages: false })
  })

  it('is silent after the word that stops it, and ends the answer that is under way', async () => {
    providers.next({ answer: { text: 'never' }, delayMs: 60_000 })
    await writes('hello')
    await providers.called(1)
    await writes('Parar!')
    const [turn] = await ends('cancelled')
    assert.equal(turn?.reason, 'stop_word')
    await writes('are you there?')
    await eventually(
      () => ana.messages({ chatid: person }),
      (messages) => messages.length === 3,
    )
    const chat = await ana.chat(person)
    assert.ok(Number(chat.chatbot_disableUntil) > Date.now() + 3_000_000)
    assert.deepEqual([(await turns()).length, (await shown()).length, chats().length], [1, 0, 1])
  })

  it('leaves a chat to the person who answers from the phone', async () => {
    providers.next({ answer: { text: 'never' }, delayMs: 60_000 })
    await writes('hello')
    await providers.called(1)
    await world.write(ANA, person, 'I take over.')
    const [turn] = await ends('cancelled')
    assert.equal(turn?.reason, 'person_answered')
    assert.deepEqual(
      (await shows(1)).map(({ text }) => text),
      ['I take over.'],
    )
  })

  it('leaves a chat to a person who answers in another program, at once and by the queue', async () => {
    providers.next({ answer: { text: 'never' }, delayMs: 60_000 })
    await writes('hello')
    await providers.called(1)
    const pausedFor = async () => Number((await ana.chat(person)).chatbot_disableUntil) - Date.now()
    await ana.done('/send/text', { number: person, text: 'I take over.', pauseChatbotMinutes: 30 })
    const [turn] = await ends('cancelled')
    assert.equal(turn?.reason, 'person_answered')
    assert.ok((await pausedFor()) > 29 * 60_000)
    await eventually(
      () => chats()[0]?.isAbandoned,
      (isAbandoned) => isAbandoned === true,
    )
    await ana.done('/send/text', { number: person, text: 'Wait.', async: true, pauseChatbotMinutes: 60 })
    assert.ok((await pausedFor()) > 59 * 60_000)
    // A shorter pause does not end a longer one.
    await ana.done('/send/text', { number: person, text: 'Here.', delay: 1, pauseChatbotMinutes: 1 })
    assert.ok((await pausedFor()) > 58 * 60_000)
    const texts = (await shows(3)).map(({ text }) => text)
    assert.deepEqual(texts.toSorted(), ['Here.', 'I take over.', 'Wait.'])
  })

  it('is refused when its provider does not know its key or model, and taken with a warning while the provider is away', async () => {
    const agent = { name: 'Bia', provider: 'openai', model: 'gpt-4o-mini', apikey: 'sk-0123456789-of-a-test' }
    const baseUrl = providers.baseUrl('openai')
    const given = { ...agent, baseUrl }
    const before = (await ana.call<Json[]>('GET', '/agent/list')).body
    for (const [change, field, words] of [
      [{ apikey: 'sk-wrong-0123456789abcdef' }, 'agent.apikey', 'The provider refuses the key'],
      [{ model: 'gpt-missing' }, 'agent.model', 'gpt-missing'],
    ] as const) {
      const { status, body } = await ana.call<Json>('POST', '/agent/edit', { agent: { ...given, ...change } })
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal((body.details as Json[])[0]?.field, field)
      assert.ok(String(body.error).includes(words), JSON.stringify(body))
      assert.doesNotMatch(JSON.stringify(body), /sk-wrong/)
    }
    assert.deepEqual((await ana.call('GET', '/agent/list')).body, before)
    providers.fail({ kind: 'status', status: 503, body: { error: { message: 'busy' } } })
    const made = await ana.call<Json>('POST', '/agent/edit', { agent: given })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.match(String((made.body.warnings as string[])[0]), /^agent\.apikey: was stored without a check\./)
    const { id } = made.body
    const calls = chats().length
    // The stored key is checked with another model, and nothing is asked if neither changes.
    const another = await ana.call<Json>('POST', '/agent/edit', { id, agent: { model: 'gpt-missing' } })
    assert.deepEqual([another.status, chats().length], [400, calls + 1])
    assert.equal(chats().at(-1)?.key, agent.apikey)
    assert.equal((await ana.call('POST', '/agent/edit', { id, agent })).status, 200)
    await ana.done('/agent/edit', { id, agent: { basePrompt: 'Be kind.' } })
    assert.equal(chats().length, calls + 2)
    await ana.done('/agent/edit', { id, delete: true })
  })

  it('shows the model the pictures and documents of a burst, and says what else came', async () => {
    await edit({ model: 'qwen2.5-vl:7b' })
    const has = (call: { readonly body: Json }, text: string) => JSON.stringify(call.body).includes(text)
    providers.next({ answer: { text: 'early' }, delayMs: 60_000, times: 5, when: (call) => !has(call, 'Bread: 5') })
    providers.answer({ text: 'Seen.' })
    const picture = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#aa5500' } })
      .png()
      .toBuffer()
    const sends = (body: Json) => world.network('POST', `/phones/${person}/media`, { to: ANA, ...body })
    await sends({ kind: 'audio', ptt: true, base64: Buffer.from('OggS').toString('base64') })
    await sends({ kind: 'image', caption: 'my bread', base64: picture.toString('base64') })
    await sends({
      ...{ kind: 'document', fileName: 'prices.txt', mimetype: 'text/plain' },
      base64: Buffer.from('Bread: 5').toString('base64'),
    })
    assert.equal((await shows(1))[0]?.text, 'Seen.')
    await ends('done')
    const asked = JSON.stringify(chats().at(-1)?.body)
    for (const part of ['[voice note', 'my bread', 'data:image/jpeg;base64,', '[document prices.txt]', 'Bread: 5'])
      assert.ok(asked.includes(part), `${part} is not in ${asked.slice(0, 2_000)}`)
    assert.doesNotMatch(asked, /\[image\]/)
    providers.clear()
    await edit({ model: 'qwen3:8b' })
  })

  it('hands a chat to a person when the model wants it, with an event, and is silent there', async () => {
    providers.answer({ calls: [{ name: 'transfer_to_human', arguments: { message: 'Maria will answer you.' } }] })
    await writes('a person, please')
    assert.equal((await shows(1))[0]?.text, 'Maria will answer you.')
    const [turn] = await ends('done')
    assert.equal(turn?.reason, 'transferred')
    await eventually(
      () => receiver.of('agents').map(({ body }) => body.event as Json),
      (events) => events.some(({ TurnID, Action }) => TurnID === turn?.id && Action === 'transferred'),
    )
    assert.ok(Number((await ana.chat(person)).chatbot_disableUntil) > Date.now() + 3_000_000)
    await writes('thank you')
    await eventually(
      () => ana.messages({ chatid: person }),
      (messages) => messages.length === 3,
    )
    assert.equal((await turns()).length, 1)
  })

  it('answers in a group only when it is mentioned there, and the settings and the trigger allow it', async () => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      ...{ owner: person, subject: 'Bakery', members: [ANA] },
    })
    const [trigger] = (await ana.call<Json[]>('GET', '/trigger/list')).body
    const { id } = trigger as Json
    const allow = async (inSettings: boolean, inTrigger: boolean): Promise<void> => {
      await ana.done('/instance/updatechatbotsettings', { chatbot_ignoreGroups: !inSettings })
      await ana.done('/trigger/edit', { id, trigger: { ignoreGroups: !inTrigger } })
    }
    const says = async (text: string, mentionedJid: string[]): Promise<void> => {
      const message = { extendedTextMessage: { text, contextInfo: { mentionedJid } } }
      await world.network('POST', `/phones/${person}/message`, { to: jid, message })
      await eventually(
        () => ana.messages({ chatid: jid }),
        (messages) => messages.some((one) => one.text === text),
      )
    }
    const inGroup = async () => (await ana.call<{ turns: Turn[] }>('GET', `/agent/turns?chatid=${jid}`)).body.turns
    const me = [`${ANA}@s.whatsapp.net`]
    providers.answer({ text: 'Five, please.' })
    await allow(false, true)
    await says('How much is it?', me)
    await allow(true, false)
    await says('How much is the bread?', me)
    await allow(true, true)
    await says('Does anybody know?', [])
    assert.deepEqual([await inGroup(), chats()], [[], []])
    await says('What does the bread cost?', me)
    await eventually(inGroup, ([turn]) => turn?.state === 'done')
    const asked = JSON.stringify(chats()[0]?.body)
    assert.ok(asked.includes(`Person ${person}: What does the bread cost?`), asked)
    // Groups name members by their LIDs, too.
    const { devices } = await world.network<{ devices: { lid: string }[] }>('GET', `/phones/${ANA}`)
    const lid = `${devices[0]?.lid.split(/[:@]/)[0]}@lid`
    assert.match(lid, /^\d+@lid$/)
    providers.answer({ text: 'Seven.' })
    await says('And you?', [`1${lid}`])
    await says('And the cake?', [lid])
    await eventually(inGroup, (all) => all.length === 2 && all.every(({ state }) => state === 'done'))
    const answers = (await ana.messages({ chatid: jid })).filter(({ fromMe }) => fromMe)
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['Seven.', 'Five, please.'],
    )
    await allow(false, false)
    // Fields that an edit does not name stay.
    assert.equal((await ana.call<Json[]>('GET', '/trigger/list')).body[0]?.responseDelay_seconds, 0)
  })

  it('leaves the answers of another agent of the installation alone', async () => {
    const bob = await world.linked(person, 'Bob')
    const made = await bob.call<Json>('POST', '/agent/edit', {
      agent: { name: 'Other', provider: 'custom', model: 'qwen3:8b', apikey: '', baseUrl: providers.baseUrl('custom') },
    })
    const trigger = { type: 'agent', agent_id: made.body.id, responseDelay_seconds: 0 }
    assert.equal((await bob.call('POST', '/trigger/edit', { trigger })).status, 201)
    await bob.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
    providers.clear()
    providers.answer({ text: 'I am an agent.' })
    await ana.text(person, 'hello')
    await eventually(
      () => ana.messages({ chatid: person }),
      (messages) => messages.some(({ text }) => text === 'I am an agent.'),
    )
    assert.deepEqual([await turns(), chats().length], [[], 1])
    await bob.done('/instance/updatechatbotsettings', { chatbot_enabled: false })
  })

  it('never shows a model prompts, knowledge, functions, keys or messages of another instance', async () => {
    const [bob, writer] = [await world.linked(person, 'Bob'), people.shift() as string]
    const knowledge = { tittle: 'Canary-Bob', content: 'canary-bob-knowledge: open from 9 to 4.' }
    await bob.call('POST', '/knowledge/edit', { knowledge })
    await eventually(
      async () => (await bob.call<Json[]>('GET', '/knowledge/list')).body[0]?.vectorStatus,
      (status) => status === 'indexed',
    )
    const tool = { name: 'canary_bob_tool', description: 'Helps.', method: 'GET', endpoint: `${shop.url}/bob` }
    await bob.done('/function/edit', { function: { ...tool, isActive: true } })
    const agent = { name: 'Canary-Bob', provider: 'custom', model: 'qwen3:8b', baseUrl: providers.baseUrl('custom') }
    const given = { ...agent, apikey: 'canary-bob-key-0123456789', basePrompt: 'canary-bob-prompt' }
    const made = await bob.call<Json>('POST', '/agent/edit', { agent: given })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const trigger = { type: 'agent', agent_id: made.body.id, responseDelay_seconds: 0 }
    await bob.call('POST', '/trigger/edit', { trigger })
    await bob.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
    providers.clear()
    const isOfBob = (call: { readonly key: string | null }) => call.key === given.apikey
    const search = { name: 'search_knowledge', arguments: { query: 'When are you open?' } }
    for (const when of [isOfBob, (call: { readonly key: string | null }) => !isOfBob(call)]) {
      providers.next({ answer: { calls: [search] }, when })
      providers.next({ answer: { text: 'Found.' }, when, times: 3 })
    }
    // Both turns of the same person are under way at once, and the second ones have a history.
    for (const round of [1, 2]) {
      await Promise.all([
        world.write(writer, ANA, `for-ana-only ${round}`),
        world.write(writer, person, `canary-bob-message ${round}`),
      ])
      const answers = () => world.network<Shown[]>('GET', `/phones/${writer}/messages?own=false`)
      await eventually(answers, ({ length }) => length === 2 * round)
    }
    const asked = chats().map((call) => [isOfBob(call), JSON.stringify(call)] as const)
    const [ofBob, ofAna] = [true, false].map((which) => asked.filter(([is]) => is === which).map(([, text]) => text))
    assert.deepEqual([ofBob?.length, ofAna?.length], [3, 3])
    for (const text of ofAna ?? []) assert.doesNotMatch(text, /canary.bob|9 to 4/i)
    for (const text of ofBob ?? []) assert.doesNotMatch(text, /for-ana-only|You sell bread|Open from 8 to 5/)
    assert.match(ofAna?.at(-1) ?? '', /You sell bread.*for-ana-only 1.*for-ana-only 2/)
    assert.match(ofBob?.at(-1) ?? '', /canary-bob-prompt.*canary-bob-message 1.*canary-bob-message 2/)
    assert.ok(ofBob?.every((text) => text.includes('canary-bob-knowledge') && text.includes('canary_bob_tool')))
    assert.ok(ofAna?.every((text) => text.includes('Open from 8 to 5')))
    await bob.done('/instance/updatechatbotsettings', { chatbot_enabled: false })
  })

  it('gives one answer each if the node is killed while the model is asked, in a call, and between two messages', async () => {
    const [other, buyer] = people.splice(0, 2) as [string, string]
    await edit({ maxMessageLength: 50, typingDelay_seconds: 1 })
    const asks = (phone: string) => (call: { readonly body: Json }) =>
      JSON.stringify(call.body).includes(`I am ${phone}`)
    providers.next({ answer: { text: 'lost' }, delayMs: 60_000, when: asks(other) })
    const text = 'This is the first sentence. This is the second one. And here is the third one of them.'
    providers.next({ answer: { text }, when: asks(person) })
    const order = { name: 'find_order', description: 'Finds an order.', method: 'GET', isActive: true }
    await ana.done('/function/edit', {
      function: {
        ...order,
        endpoint: `${shop.url}/orders/{{order}}?phone={{chat.phone}}`,
        headers: { authorization: 'Bearer key-of-the-shop' },
        parameters: [{ name: 'order', type: 'string', required: true }],
      },
    })
    const book = { name: 'book', description: 'Books a table.', method: 'POST', isActive: true }
    await ana.done('/function/edit', {
      function: { ...book, endpoint: `${shop.url}/book`, parameters: [{ name: 'apiToken', type: 'string' }] },
    })
    shop.on(`/orders/A7?phone=${buyer}`, (response, { headers }) => response.end(`Sent. ${headers.authorization}`))
    shop.on('/book', () => {})
    providers.next({ answer: { calls: [{ name: 'find_order', arguments: { order: 'A7' } }] }, when: asks(buyer) })
    const booking = { name: 'book', arguments: { apiToken: 'canary-token' } }
    providers.next({ answer: { calls: [booking] }, when: asks(buyer) })
    await world.write(other, ANA, `I am ${other}`)
    await world.write(buyer, ANA, `I am ${buyer}`)
    await eventually(
      () => shop.asked('/book') === 1 && chats().some(asks(other)),
      (isUnderWay) => isUnderWay,
    )
    await writes(`I am ${person}`)
    await shows(1)
    providers.next({ answer: { text: 'After the crash.' }, when: asks(other) })
    providers.next({ answer: { text: 'It is being checked.' }, when: asks(buyer) })
    await world.gateway.kill('SIGKILL')
    await world.gateway.start()
    await ends('done')
    const texts = (await shown()).map((message) => message.text)
    assert.deepEqual(texts, [
      'This is the first sentence.',
      'This is the second one.',
      'And here is the third one of them.',
    ])
    person = other
    await ends('done')
    await edit({ maxMessageLength: 0, typingDelay_seconds: 0 })
    assert.deepEqual(
      (await shown()).map((message) => message.text),
      ['After the crash.'],
    )
    person = buyer
    const [turn] = await ends('done')
    assert.deepEqual(
      (await shown()).map((message) => message.text),
      ['It is being checked.'],
    )
    assert.equal(shop.asked('/book'), 1)
    assert.equal(chats().length, 6)
    const { days } = (await ana.call<{ days: Json[] }>('GET', '/agent/usage?days=2')).body
    const reserved = days.map(({ tokensReserved }) => tokensReserved)
    // A turn reserves 1,000 and more. A question for a vector that was under way too has no turn.
    assert.ok(
      reserved.every((tokens) => Number(tokens) < 10),
      JSON.stringify(days),
    )
    const told = JSON.stringify(chats().filter(asks(buyer)).at(-1)?.body)
    assert.match(told, /Sent. Bearer \*\*\*/)
    assert.match(told, /not known whether it was done/)
    const answer = (await ana.messages({ chatid: buyer })).find(({ fromMe }) => fromMe)
    const kept = JSON.stringify(answer?.ai_metadata)
    for (const part of ['find_order', 'A7', 'Sent. Bearer ***', 'book', 'not known'])
      assert.ok(kept.includes(part), `${part} is not in ${kept}`)
    assert.doesNotMatch(kept, /key-of-the-shop|canary-token/)
    const traced = (await turns('&trace=true')).find(({ id }) => id === turn?.id)
    const steps = traced?.steps as { calls: Json[] }[]
    assert.deepEqual(
      steps.map(({ calls }) => calls.map(({ name, arguments: given, state, status }) => [name, given, state, status])),
      [[['find_order', '{"order":"A7"}', 'done', 200]], [['book', '{"apiToken":"***"}', 'done', undefined]], []],
    )
    assert.match(String(steps[0]?.calls[0]?.result), /Sent. Bearer \*\*\*/)
  })

  it('sends the fallback text once if the provider refuses, tells its owner, and answers when it is retried', async () => {
    providers.fail({ kind: 'status', status: 400, body: { error: { message: 'No such parameter.' } } })
    await writes('hello')
    assert.deepEqual(
      (await shows(1)).map(({ text }) => text),
      ['We will be back soon.'],
    )
    const [failed] = await ends('failed')
    assert.equal(failed?.reason, 'provider_refused')
    const told = await eventually(
      () => receiver.of('agents').map(({ body }) => body.event as Json),
      (events) => events.some(({ TurnID }) => TurnID === failed?.id),
    )
    assert.equal(told.find(({ TurnID }) => TurnID === failed?.id)?.Reason, 'provider_refused')
    providers.answer({ text: 'Here I am.' })
    const again = await ana.done<Json>('/agent/turns/retry', { id: failed?.id })
    assert.deepEqual((await shows(2)).at(-1)?.text, 'Here I am.')
    assert.notEqual(again.id, failed?.id)
    const refused = await ana.call<Json>('POST', '/agent/turns/retry', { id: again.id })
    assert.equal(refused.status, 409)
  })

  it('tries again when the provider is away for a moment', async () => {
    providers.fail({ kind: 'status', status: 503, body: { error: { message: 'busy' } } })
    providers.answer({ text: 'Here.' })
    await writes('hello')
    assert.deepEqual(
      (await shows(1)).map(({ text }) => text),
      ['Here.'],
    )
    const [turn] = await ends('done')
    const [step] = ((await turns('&trace=true'))[0]?.steps ?? []) as Json[]
    assert.deepEqual([turn?.state, step?.text], ['done', 'Here.'])
  })

  it('is seen typing while the model works, marks as read if it is to, and leaves the words out of the log', async () => {
    const states = async () =>
      (await world.network<{ state: string }[]>('GET', `/phones/${person}/presences`)).map(({ state }) => state)
    const isRead = async () =>
      (await world.network<{ type: string }[]>('GET', `/phones/${person}/receipts`)).some(({ type }) => type === 'read')
    const { id } = (await ana.call<Json[]>('GET', '/trigger/list')).body[0] ?? {}
    await edit({ readMessages: true, basePrompt: 'canary-prompt' })
    // Only who has the chat open sees it.
    await world.network('POST', `/phones/${person}/presence`, { available: true })
    providers.next({ answer: { text: 'canary-answer' }, delayMs: 2_000 })
    await writes('canary-question')
    await providers.called(1)
    await eventually(states, (seen) => seen.includes('composing'))
    assert.deepEqual([await isRead(), await shown()], [false, []])
    assert.equal((await shows(1))[0]?.text, 'canary-answer')
    await eventually(isRead, (isIt) => isIt)
    await ends('done')
    await edit({ readMessages: false })
    providers.fail({ kind: 'status', status: 400, body: { error: { message: 'canary-refusal' } } })
    await writes('canary-question')
    await shows(2)
    await edit({ basePrompt: 'You sell bread.' })
    // Out of its hours the trigger says so, once.
    const tomorrow = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7]
    const windows = [{ days: [tomorrow], from: '08:00', to: '09:00' }]
    const schedule = { timezone: 'UTC', windows, closedMessage: 'canary-closed' }
    await ana.done('/trigger/edit', { id, trigger: { schedule } })
    const calls = chats().length
    await writes('canary-late')
    assert.equal((await shows(3)).at(-1)?.text, 'canary-closed')
    await writes('canary-later')
    const [last] = await ends('skipped')
    assert.deepEqual([last?.reason, (await shown()).length, chats().length], ['hours', 3, calls])
    await ana.done('/trigger/edit', { id, trigger: { schedule: null } })
    const printed = world.gateway.output()
    assert.match(printed, /The model of an agent did not answer/)
    assert.deepEqual(
      printed.split('\n').filter((line) => /canary-/.test(line)),
      [],
    )
  })

  it('says nothing to a chat when the chatbot is off', async () => {
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: false })
    await writes('hello')
    await eventually(
      () => ana.messages({ chatid: person }),
      (messages) => messages.length === 1,
    )
    assert.deepEqual(await turns(), [])
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
  })
})
