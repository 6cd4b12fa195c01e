import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FakeProviders, startProviders } from '../../sandbox/providers/index.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>

const ANA = '15550860001'
const BEN = '15550860002'

for (const skewMs of [5_000, -5_000])
  describe(`the order of a conversation, with the clock of the node off by ${skewMs} ms`, () => {
    let providers: FakeProviders
    const {
      world,
      account: ana,
      receiver,
      cleanup,
    } = gatewaySuite({
      env: () => {
        const script = `const now=Date.now;Date.now=()=>now()+(${skewMs})`
        return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
      },
      phones: { [BEN]: 'Ben' },
      account: [ANA, 'Ana'],
      events: ['messages', 'history'],
      prepare: async () => {
        providers = await startProviders()
        cleanup.after(() => providers.close())
      },
      complete: async () => {
        const settings = { name: 'Bot', provider: 'custom', model: 'm', apikey: '', contextTimeWindow_hours: 1 }
        const agent = await ana.call<Json>('POST', '/agent/edit', {
          agent: { ...settings, baseUrl: providers.baseUrl('custom') },
        })
        const trigger = { type: 'agent', agent_id: agent.body.id, wordsToStart: 'the bot', responseDelay_seconds: 0 }
        assert.equal((await ana.call('POST', '/trigger/edit', { trigger })).status, 201)
        await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
      },
    })
    const chatid = `${BEN}@s.whatsapp.net`
    const find = async (body: Json) =>
      (await ana.call<{ messages: Json[]; older?: string; newer?: string }>('POST', '/message/find', body)).body
    const texts = async (body: Json = {}) => (await find({ chatid, ...body })).messages.map(({ text }) => text)

    it('is that of what was said after what, on pages, in events, around a message, in the chat and for an agent, before a history that comes later', async () => {
      const said: string[] = []
      for (let turn = 1; turn <= 3; turn += 1) {
        said.push(`question ${turn}`, `answer ${turn}`)
        await world.write(BEN, ANA, `question ${turn}`)
        await eventually(texts, ([newest]) => newest === `question ${turn}`)
        await ana.text(BEN, `answer ${turn}`)
      }
      said.push('thanks')
      await world.write(BEN, ANA, 'thanks')
      const newestFirst = said.toReversed()
      await eventually(texts, (all) => all.length === said.length)
      assert.deepEqual(await texts(), newestFirst)
      assert.equal((await ana.chat(chatid))?.wa_lastMessageTextVote, 'thanks')
      const told = () => receiver.of('messages').map(({ body }) => (body.message as Json).text)
      await eventually(told, (all) => all.length === said.length)
      assert.deepEqual(told(), said)
      const first = await find({ chatid, limit: 3 })
      const second = await find({ chatid, limit: 4, before: first.older })
      assert.deepEqual(
        [...first.messages, ...second.messages].map(({ text }) => text),
        newestFirst,
      )
      const back = await find({ chatid, limit: 3, after: second.newer })
      assert.deepEqual(
        back.messages.map(({ text }) => text),
        newestFirst.slice(0, 3),
      )
      const middle = first.messages[2]?.id
      assert.deepEqual(await texts({ around: middle, limit: 4 }), newestFirst.slice(0, 4))

      const atMs = Date.now() + 5_000
      const history = [atMs - 60_000, atMs].map((timestampMs, index) => ({
        id: `PAST${index}`,
        text: `past ${index}`,
        timestamp: Math.floor(timestampMs / 1000),
      }))
      await world.network('PUT', `/phones/${ANA}/history`, { chats: [{ id: BEN, messages: history }] })
      await world.network('POST', `/phones/${ANA}/history`)
      await eventually(texts, (all) => all.length === said.length + 2)
      assert.deepEqual(await texts(), [...newestFirst, 'past 1', 'past 0'])
      assert.equal((await ana.chat(chatid))?.wa_lastMessageTextVote, 'thanks')
      await eventually(() => receiver.of('history').length > 0)
      assert.deepEqual(told(), said)

      await world.write(BEN, ANA, 'the bot is asked')
      const [call] = await eventually(
        () => providers.calls,
        (calls) => calls.length > 0,
      )
      const asked = JSON.stringify(call?.body)
      const places = ['past 0', 'past 1', ...said, 'the bot is asked'].map((text) => asked.indexOf(text))
      assert.ok(!places.includes(-1), asked)
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      )
    })
  })
