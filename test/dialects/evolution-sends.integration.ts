/** Sends in the form of Evolution API: what the phone shows, and what the caller reads. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { type EvolutionInstance, evolutionClient, type Json, pairedEvolution } from '../support/evolution.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png as pngFile } from '../support/samples.js'

const ANA = '5511988880011'
const BEN = '5511988880012'
const CLEO = '5511988880013'
const BEN_JID = `${BEN}@s.whatsapp.net`

describe('sends of Evolution API', () => {
  let ana: EvolutionInstance
  const suite = gatewaySuite({
    env: { DIALECTS: 'evolution' },
    phones: { [BEN]: 'Ben', [CLEO]: 'Cleo' },
    complete: async () => {
      ana = await pairedEvolution(suite.world, 'ana', ANA)
    },
  })
  const { world } = suite
  const send = (kind: string, body: Json, status = 201) => ana.done<Json>('POST', `/message/${kind}/ana`, body, status)
  /** Lets Ben write a text, and waits until it is stored. */
  const received = async (text: string): Promise<string> => {
    const id = await world.write(BEN, ANA, text)
    const found = () =>
      ana.done<{ messages: { records: Json[] } }>('POST', '/chat/findMessages/ana', { where: { key: { id } } }, 200)
    await eventually(found, ({ messages }) => messages.records.length === 1)
    return id
  }
  const shown = (answer: Json) => world.shownAt<Json>(BEN, (answer.key as Json).id)

  it('sends a text, and answers with the message as clients read it', async () => {
    const answer = await send('sendText', { number: BEN, text: 'Hello {{name}}' })
    const { key, message, messageTimestamp, ...rest } = answer as {
      key: Json
      message: Json
      messageTimestamp: number
    } & Json
    assert.deepEqual([key.remoteJid, key.fromMe, typeof key.id], [BEN_JID, true, 'string'])
    assert.deepEqual(message, { conversation: 'Hello {{name}}' })
    assert.ok(Math.abs(messageTimestamp - Date.now() / 1_000) < 120)
    assert.deepEqual([rest.status, rest.messageType], ['PENDING', 'conversation'])
    assert.equal((await shown(answer)).text, 'Hello {{name}}', 'placeholders of ours stay as they are')
  })

  it('quotes a known message, and leaves an unknown one out', async () => {
    const id = await received('a question')
    const quoted = await send('sendText', { number: BEN, text: 'an answer', quoted: { key: { id } } })
    assert.equal((await shown(quoted)).quotedId, id)
    const bare = await send('sendText', {
      number: `+${BEN.slice(0, 2)} ${BEN.slice(2)}`,
      text: 'alone',
      quoted: { key: { id: 'NOTHING' } },
    })
    assert.equal((await shown(bare)).text, 'alone')
  })

  it('answers a number without an account with 400 and exists: false', async () => {
    const answer = await send('sendText', { number: '5511900000000', text: 'x' }, 400)
    assert.deepEqual(answer, {
      status: 400,
      error: 'Bad Request',
      response: {
        message: [{ jid: '5511900000000@s.whatsapp.net', exists: false, number: '5511900000000' }],
      },
    })
    const missing = await send('sendText', { number: BEN }, 400)
    assert.deepEqual((missing.response as Json).message, [['instance requires property "text"']])
  })

  it('sends a file that comes as a part of a form, with its name, and refuses a broken form', async () => {
    const form = new FormData()
    form.append('number', BEN)
    form.append('mediatype', 'document')
    form.append('caption', 'the offer, “now”')
    form.append('delay', '5')
    form.append('quoted', JSON.stringify({ key: { id: 'NOTHING' } }))
    const content = Buffer.alloc(300_000, 'offer ')
    form.append('file', new Blob([content], { type: 'text/plain' }), 'angebot für ana.txt')
    const post = async (body: FormData | string, headers: Record<string, string> = {}) => {
      const url = `${world.gateway.url}/evolution/message/sendMedia/ana`
      const response = await fetch(url, { method: 'POST', headers: { apikey: ana.token, ...headers }, body })
      return { status: response.status, body: (await response.json()) as Json }
    }
    const sent = await post(form)
    assert.equal(sent.status, 201, JSON.stringify(sent.body))
    const part = (sent.body.message as { documentMessage: Json }).documentMessage
    assert.deepEqual([part.fileName, part.mimetype], ['angebot für ana.txt', 'text/plain'])
    assert.equal(Number(part.fileLength), content.length)
    assert.equal((await shown(sent.body)).kind, 'documentWithCaptionMessage')
    const broken = await post('--x\r\nContent-Disposition: form-data; name="number"\r\n\r\n1', {
      'content-type': 'multipart/form-data; boundary=x',
    })
    assert.equal(broken.status, 400)
    assert.match(JSON.stringify(broken.body), /its end is missing/)
  })

  it('sends files of all kinds as base64', async () => {
    const png = (await pngFile()).toString('base64')
    const image = await send('sendMedia', { number: BEN, mediatype: 'image', media: png, caption: 'a picture' })
    assert.equal(image.messageType, 'imageMessage')
    const part = (image.message as { imageMessage: Json }).imageMessage
    assert.deepEqual([part.mimetype, part.caption], ['image/png', 'a picture'])
    assert.equal((await shown(image)).kind, 'imageMessage')
    const media = Buffer.from('%PDF-1.4 hello').toString('base64')
    const document = await send('sendMedia', {
      number: BEN,
      mediatype: 'document',
      media,
      fileName: 'a.pdf',
      mimetype: 'application/pdf',
    })
    assert.equal((document.message as { documentMessage: Json }).documentMessage.fileName, 'a.pdf')
    const sticker = await send('sendSticker', { number: BEN, sticker: `data:image/png;base64,${png}` })
    assert.equal(sticker.messageType, 'stickerMessage')
    const large = Buffer.concat([await pngFile(), Buffer.alloc(3 * 2 ** 20)]).toString('base64')
    assert.equal(
      (await send('sendMedia', { number: BEN, mediatype: 'document', media: large, fileName: 'big.bin' })).status,
      'PENDING',
    )
  })

  it('sends locations, several contacts as one message, and reactions', async () => {
    const place = await send('sendLocation', {
      number: BEN,
      latitude: -23.5,
      longitude: -46.6,
      name: 'Sé',
      address: 'São Paulo',
    })
    assert.equal((place.message as { locationMessage: Json }).locationMessage.name, 'Sé')
    const two = [
      { fullName: 'Ana Lima', wuid: ANA, phoneNumber: `+${ANA}`, organization: 'Shop' },
      { fullName: 'Cleo', phoneNumber: CLEO },
    ]
    const cards = await send('sendContact', { number: BEN, contact: two })
    assert.equal(cards.messageType, 'contactsArrayMessage')
    const { contacts } = (cards.message as { contactsArrayMessage: { contacts: Json[] } }).contactsArrayMessage
    assert.deepEqual(
      contacts.map(({ displayName }) => displayName),
      ['Ana Lima', 'Cleo'],
    )
    const one = await send('sendContact', { number: BEN, contact: two.slice(1) })
    assert.equal(one.messageType, 'contactMessage')
    const id = await received('react to me')
    const reaction = await send('sendReaction', { key: { id, remoteJid: BEN, fromMe: false }, reaction: '🎉' })
    assert.deepEqual(
      [reaction.messageType, ((reaction.message as Json).reactionMessage as Json).text],
      ['reactionMessage', '🎉'],
    )
  })

  it('sends polls, lists, buttons and PIX keys', async () => {
    const poll = await send('sendPoll', {
      number: BEN,
      name: 'Which day?',
      selectableCount: 1,
      values: ['Mon|day', '[Tuesday]'],
    })
    const options = ((poll.message as Json).pollCreationMessageV3 as { options: Json[] }).options
    assert.deepEqual(
      options.map(({ optionName }) => optionName),
      ['Mon|day', '[Tuesday]'],
    )
    const list = await send('sendList', {
      number: BEN,
      title: 'Menu',
      description: 'What may we bring?',
      buttonText: 'Choose',
      footerText: 'Until 22:00',
      sections: [{ title: 'Drinks', rows: [{ title: 'Water', description: 'Half a litre', rowId: 'water' }] }],
    })
    assert.equal(list.messageType, 'listMessage')
    const buttons = await send('sendButtons', {
      number: BEN,
      title: 'Hello',
      description: 'Choose one',
      buttons: [{ type: 'reply', displayText: 'Yes', id: 'y1' }],
    })
    assert.equal(buttons.messageType, 'interactiveMessage')
    const mixed = await send(
      'sendButtons',
      {
        number: BEN,
        title: 'x',
        buttons: [
          { type: 'reply', displayText: 'Yes', id: 'y' },
          { type: 'url', displayText: 'Site', url: 'https://example.com' },
        ],
      },
      400,
    )
    assert.match(JSON.stringify(mixed), /mixes reply buttons/)
    const key = '123e4567-e89b-12d3-a456-426614174000'
    const pix = await send('sendButtons', {
      number: BEN,
      buttons: [{ type: 'pix', currency: 'BRL', name: 'Ana', keyType: 'random', key }],
    })
    assert.equal(pix.messageType, 'interactiveMessage')
  })

  it('posts a status to people, and refuses what is not offered', async () => {
    const status = await send('sendStatus', {
      type: 'text',
      content: 'Open today',
      backgroundColor: '#008000',
      font: 1,
      allContacts: false,
      statusJidList: [BEN_JID],
    })
    assert.equal((status.key as Json).remoteJid, 'status@broadcast')
    const template = await ana.call<{ response: { message: string[] } }>('POST', '/message/sendTemplate/ana', {})
    assert.equal(template.status, 501)
    const stranger = await evolutionClient(world, 'wrong').call('POST', '/message/sendText/ana', {
      number: BEN,
      text: 'x',
    })
    assert.equal(stranger.status, 401)
  })

  it('rings a person', async () => {
    const rung = await ana.done<Json>('POST', '/call/offer/ana', { number: BEN, isVideo: false, callDuration: 1 })
    const calls = () => world.network<Json[]>('GET', `/phones/${BEN}/calls`)
    await eventually(async () => (await calls()).some(({ id }) => id === rung.id))
  })

  it('answers as the original while the instance is not connected', async () => {
    const admin = evolutionClient(world)
    await admin.done('POST', '/instance/create', { instanceName: 'off', integration: 'WHATSAPP-BAILEYS' })
    const answer = await admin.call('POST', '/message/sendText/off', { number: BEN, text: 'x' })
    assert.deepEqual(answer.body, {
      status: 500,
      error: 'Internal Server Error',
      response: { message: 'Connection Closed' },
    })
  })
})
