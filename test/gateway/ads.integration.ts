import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { Received } from '../support/receiver.js'

type Json = Record<string, unknown>

const ANA = '15550780001'
const BEN = '15550780002'
const EVE = '15550780003'
const ZOE = '15550780004'

/** The first message of a person who tapped an ad, as phones write it. */
const fromAd = (text: string, more: Json = {}) => ({
  extendedTextMessage: {
    text,
    contextInfo: {
      externalAdReply: {
        title: 'Running shoes',
        body: 'Half price this week',
        sourceType: 'ad',
        sourceId: '120210000000000001',
        sourceUrl: 'https://fb.me/1abcDEF',
        sourceApp: 'instagram',
        ctwaClid: 'ARAkLkA8rmlFeiCktEJQ-QTwRiyYHAFDLMNDBH0CD3qpjd0HR4irJ6LEkR7JwLF4XvnO2E4Nx0-eM-GABDLOPaOdRMv-_zfUQ2a',
        ref: 'summer',
        ...more,
      },
      conversionSource: 'FB_Ads',
      conversionData: Buffer.from('data').toString('base64'),
      conversionDelaySeconds: 4,
      entryPointConversionSource: 'ctwa_ad',
      entryPointConversionApp: 'instagram',
      entryPointConversionDelaySeconds: 5,
    },
  },
})

describe('people who come from an ad', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [ZOE]: 'Zoe' },
    account: [ANA, 'Ana'],
    events: ['messages', 'leads'],
  })
  const write = async (from: string, message: Json) =>
    (await world.network<{ id: string }>('POST', `/phones/${from}/message`, { to: ANA, message })).id
  const findEvent = async (id: string) => {
    const find = () => receiver.of('messages').find(({ body }) => (body.message as Json).messageid === id)
    const { message, chat } = ((await eventually(find)) as Received).body
    return { message: message as Json, chat: chat as Json }
  }
  const listLeads = (phone: string) =>
    receiver
      .of('leads')
      .flatMap(({ body: { chat } }) => ((chat as Json).wa_chatid === `${phone}@s.whatsapp.net` ? [chat as Json] : []))
  const found = async (filters: Json) =>
    ((await ana.done<{ chats: Json[] }>('/chat/find', filters)).chats ?? []).map(({ phone }) => phone)

  it('reports the ad with the message and with its chat, and finds the chat by it', async () => {
    const id = await write(BEN, fromAd('Is it still half price?'))
    const { message, chat } = await findEvent(id)
    const { ad, text } = message as Json & { ad: Json }
    assert.equal(text, 'Is it still half price?')
    assert.deepEqual(ad, {
      source: 'ctwa_ad',
      sourceType: 'ad',
      sourceId: '120210000000000001',
      sourceUrl: 'https://fb.me/1abcDEF',
      sourceApp: 'instagram',
      title: 'Running shoes',
      body: 'Half price this week',
      ctwaClid: fromAd('').extendedTextMessage.contextInfo.externalAdReply.ctwaClid,
      ref: 'summer',
      conversionSource: 'FB_Ads',
      conversionData: 'ZGF0YQ==',
      conversionDelaySeconds: 4,
      entryPoint: 'ctwa_ad',
      entryPointApp: 'instagram',
      entryPointDelaySeconds: 5,
    })
    assert.equal(chat.lead_adSourceId, '120210000000000001')
    assert.equal(chat.lead_adClickId, ad.ctwaClid)
    assert.equal(chat.lead_adTitle, 'Running shoes')
    assert.equal(chat.lead_adAt, message.messageTimestamp)
    await eventually(() => listLeads(BEN).length === 1)
    const [stored] = await ana.messages({ id })
    assert.deepEqual(stored?.ad, ad)
    assert.deepEqual(await found({ lead_adSourceId: '120210000000000001' }), [`+${BEN}`])
    assert.deepEqual(await found({ lead_adRef: '!=', sort: '-lead_adAt' }), [`+${BEN}`])
  })

  it('keeps the first ad of a person', async () => {
    await write(BEN, fromAd('Another ad', { sourceId: '2', title: 'Sandals' }))
    const id = await write(BEN, { conversation: 'bye' })
    const { chat } = await findEvent(id)
    assert.equal(chat.lead_adTitle, 'Running shoes')
    assert.equal(listLeads(BEN).length, 1)
  })

  it('reads an ad without a preview and without a text', async () => {
    const payload = Buffer.from('payload of the click').toString('base64')
    const contextInfo = { ctwaPayload: payload, entryPointConversionSource: 'ctwa_ad' }
    const id = await write(EVE, { extendedTextMessage: { contextInfo } })
    const { message, chat } = await findEvent(id)
    assert.deepEqual(message.ad, { source: 'ctwa_ad', entryPoint: 'ctwa_ad', ctwaPayload: payload })
    assert.equal(message.messageType, 'text')
    assert.equal(message.text ?? '', '')
    assert.equal(chat.lead_adSource, 'ctwa_ad')
  })

  it('takes no preview of a link for an ad', async () => {
    const contextInfo = { externalAdReply: { title: 'A page', sourceUrl: 'https://example.org' } }
    const search = { contextInfo: { entryPointConversionSource: 'global_search_new_chat' } }
    await write(ZOE, { extendedTextMessage: { text: 'found you', ...search } })
    const id = await write(ZOE, { extendedTextMessage: { text: 'look', contextInfo } })
    const { message, chat } = await findEvent(id)
    assert.equal(message.ad, undefined)
    assert.equal(chat.lead_adAt ?? 0, 0)
    assert.deepEqual(listLeads(ZOE), [])
  })
})
