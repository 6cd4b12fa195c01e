import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'
import { jpeg } from '../support/samples.js'

type Json = Record<string, unknown>

const ANA = '15550520001'
const BEN = '15550520002'
const EVE = '15550520003'
const CAT = '15550520004'
const DAN = '15550520005'

describe('an instance with Chatwoot', () => {
  const { world, account, platform, configure, shown, wrote, arrived } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [CAT]: 'Cat', [DAN]: 'Dan' },
    account: [ANA, 'Ana'],
  })
  const texts = (conversationId: number) =>
    platform()
      .messages(conversationId)
      .map(({ content }) => content)
  const of = (phone: string) =>
    platform()
      .contacts()
      .filter((one) => one.phone === `+${phone}`)
  const update = (id: number) =>
    platform()
      .messages()
      .find((one) => one.id === id)
  const at = (phone: string, text: string) =>
    world.network<Json[]>('GET', `/phones/${phone}/messages?text=${encodeURIComponent(text)}`)

  it('carries texts of a person into one contact and one conversation, in order, each once', async () => {
    for (const text of ['one', 'two', 'three']) await world.write(BEN, ANA, `ben ${text}`)
    const last = await shown('ben three')
    assert.deepEqual(texts(last.conversationId), ['ben one', 'ben two', 'ben three'])
    assert.equal(last.type, 'incoming')
    assert.deepEqual(
      of(BEN).map(({ name }) => name),
      ['~Ben'],
    )
    assert.equal(platform().conversations().length, 1)
    assert.deepEqual(platform().mistakes(), [])
  })

  it('sends the reply of an agent to the person once, although its webhook comes twice', async () => {
    const { conversationId } = await wrote(BEN, 'a question')
    platform().failWebhooks({ kind: 'doubled' })
    const reply = platform().agentReplies(conversationId, '**an answer**')
    const message = await arrived(BEN, '*an answer*')
    assert.equal(message.arrivals, 1)
    await eventually(() => update(reply.id)?.status === 'delivered' || update(reply.id)?.status === 'read')
    assert.equal((await at(BEN, '*an answer*')).length, 1)
    // Messages from there are not carried back.
    assert.equal(texts(conversationId).filter((text) => text?.includes('an answer')).length, 1)
  })

  it('shows that the person has read a reply, and never goes back', async () => {
    const { conversationId } = await wrote(BEN, 'another question')
    const reply = platform().agentReplies(conversationId, 'read me')
    const { id } = await arrived(BEN, 'read me')
    await world.network('POST', `/phones/${BEN}/read`, { ids: [id] })
    await eventually(() => update(reply.id)?.status === 'read')
    await wrote(BEN, 'after reading')
    assert.equal(update(reply.id)?.status, 'read')
  })

  it('makes one message although the platform answers 500 after it has made it', async () => {
    await wrote(EVE, 'before the fault')
    // Its webhook would tell the id as well.
    platform().failWebhooks({ kind: 'lost', times: 3 })
    platform().fail({ fault: { kind: 'error', when: 'after' }, method: 'POST', path: /\/messages$/ })
    const { conversationId } = await wrote(EVE, 'made twice?')
    await wrote(EVE, 'after the fault')
    assert.deepEqual(texts(conversationId), ['before the fault', 'made twice?', 'after the fault'])
  })

  it('shows messages that the account sends by the API and on its phone as outgoing', async () => {
    await account.text(BEN, 'by the API')
    const sent = await shown('by the API')
    assert.equal(sent.type, 'outgoing')
    await world.network('POST', `/phones/${ANA}/text`, { to: BEN, text: 'on the phone' })
    assert.equal((await shown('on the phone')).type, 'outgoing')
    await platform().settled()
    assert.equal((await at(BEN, 'by the API')).length, 1)
  })

  it('binds a conversation that an agent opens to the chat of the person', async () => {
    const { conversation } = platform().agentStarts({ phone: `+${CAT}`, name: 'Cat', content: 'hello Cat' })
    await arrived(CAT, 'hello Cat')
    const answer = await wrote(CAT, 'hello agent')
    assert.equal(answer.conversationId, conversation.id)
    assert.equal(of(CAT).length, 1)
  })

  it('shows the error on the message of the agent when a number has no account, and sends again on retry', async () => {
    const { message } = platform().agentStarts({ phone: '+15550529999', name: 'Nobody', content: 'nobody there' })
    await eventually(() => update(message.id)?.status === 'failed')
    assert.match(String(update(message.id)?.attributes.external_error), /no account|not on/i)
    await world.phone('15550529999', 'Now there')
    platform().agents.retries(message.id)
    const shownThere = await arrived('15550529999', 'nobody there')
    assert.equal(shownThere.arrivals, 1)
  })

  it('carries quotes both ways', async () => {
    const asked = await wrote(BEN, 'quote me')
    const reply = platform().agentReplies(asked.conversationId, { content: 'quoting you', inReplyTo: asked.id })
    const there = await arrived(BEN, 'quoting you')
    assert.equal(there.quotedId, asked.waId)
    await world.network('POST', `/phones/${BEN}/text`, { to: ANA, text: 'quoting back', quotedId: there.id })
    assert.equal((await shown('quoting back')).attributes.in_reply_to, reply.id)
  })

  it('shows reactions and edits as answers to their message', async () => {
    const asked = await wrote(BEN, 'react to me')
    await world.network('POST', `/phones/${BEN}/react`, { id: asked.waId, text: '👍' })
    assert.equal((await shown('👍')).attributes.in_reply_to, asked.id)
    await world.network('POST', `/phones/${BEN}/edit`, { id: asked.waId, text: 'edited text' })
    assert.equal((await shown('✏️ edited text')).attributes.in_reply_to, asked.id)
  })

  it('shows a message whose content comes later once, and says it when the content does not come', async () => {
    const phone = (settings: Json) => world.network('PATCH', `/phones/${ANA}`, settings)
    const withheld = async (said: string) =>
      (
        await world.network<{ id: string }>('POST', `/phones/${EVE}/message`, {
          to: ANA,
          message: { conversation: said },
          mark: 'phone',
        })
      ).id
    await phone({ answerDelayMs: 2_000 })
    const id = await withheld('from an ad')
    await eventually(async () => (await account.messages({ id }))[0]?.messageType === 'unreadable')
    const beside = await wrote(EVE, 'while it waits')
    assert.equal(texts(beside.conversationId).at(-1), 'while it waits')
    const filled = await shown('from an ad')
    assert.equal(filled.sourceId, `WAID:${id}`)
    await phone({ answerDelayMs: 0, lacksContents: true })
    const lost = await withheld('nowhere')
    await shown('(a message whose content did not arrive; the phone shows it)')
    await phone({ lacksContents: false })
    await wrote(EVE, 'behind them')
    const all = [
      'while it waits',
      'from an ad',
      '(a message whose content did not arrive; the phone shows it)',
      'behind them',
    ]
    assert.deepEqual(texts(beside.conversationId).slice(-all.length), all)
    assert.equal(texts(beside.conversationId).filter((text) => text === 'from an ad').length, 1)
    const [ended] = await account.messages({ id: lost })
    assert.deepEqual(ended?.content, { reason: 'not_on_phone', state: 'unavailable' })
  })

  it('takes messages back on both sides', async () => {
    const asked = await wrote(BEN, 'take me back')
    await world.network('POST', `/phones/${BEN}/delete`, { id: asked.waId })
    await eventually(() => update(asked.id)?.attributes.deleted === true)
    const reply = platform().agentReplies(asked.conversationId, 'never mind')
    const { id } = await arrived(BEN, 'never mind')
    platform().agents.deletesMessage(reply.id)
    await world.shownAt<Json & { deleted: boolean }>(BEN, id, ({ deleted }) => deleted)
  })

  it('carries files both ways, the text of an agent with the first file', async () => {
    const bytes = await jpeg()
    const asked = await wrote(BEN, 'a picture?')
    await world.network('POST', `/phones/${BEN}/media`, {
      ...{ to: ANA, kind: 'image', caption: 'look', base64: bytes.toString('base64'), mimetype: 'image/jpeg' },
    })
    const picture = await shown('look')
    assert.deepEqual(
      picture.attachments.map(({ fileType }) => fileType),
      ['image'],
    )
    assert.deepEqual(picture.attachments[0]?.bytes, bytes)
    const files = ['a.jpg', 'b.pdf', 'c.pdf'].map((fileName) => ({
      fileName,
      contentType: fileName === 'a.jpg' ? 'image/jpeg' : 'application/pdf',
      bytes: fileName === 'a.jpg' ? bytes : Buffer.from(`%PDF-1.4 ${randomUUID()}`),
    }))
    platform().agentReplies(asked.conversationId, { content: 'three files', files })
    const look = async () =>
      (await world.network<Json[]>('GET', `/phones/${BEN}/messages`)).filter(
        ({ media }) => (media as Json[]).length > 0,
      )
    const there = await eventually(look, (found) => found.length >= 3)
    const shownFiles = there.flatMap(({ media }) => media as { kind: string; caption: string; fileName: string }[])
    assert.deepEqual(
      shownFiles.map(({ kind, caption, fileName }) => [kind, caption || fileName]),
      [
        ['image', 'three files'],
        ['document', 'b.pdf'],
        ['document', 'c.pdf'],
      ],
    )
  })

  it('carries nothing twice while the platform is away, and keeps the order', async () => {
    const { conversationId } = await wrote(DAN, 'before')
    await platform().stop()
    for (const text of ['away one', 'away two']) await world.write(DAN, ANA, text)
    await eventually(async () => (await account.call<Json>('GET', '/chatwoot/config')).body.state === 'unreachable')
    await platform().start()
    await shown('away two')
    assert.deepEqual(texts(conversationId), ['before', 'away one', 'away two'])
    await eventually(async () => (await account.call<Json>('GET', '/chatwoot/config')).body.state === 'ok')
  })

  it('refuses webhooks with a wrong path or signature, and stores nothing', async () => {
    const { body } = await account.call<Json>('GET', '/chatwoot/config')
    const url = String(body.chatwoot_inbox_webhook_url)
    const post = (address: string, headers: Record<string, string> = {}) =>
      fetch(address, {
        method: 'POST',
        body: '{"event":"message_created"}',
        headers: { 'content-type': 'application/json', ...headers },
      })
    assert.equal((await post(`${url}x`)).status, 401)
    assert.equal((await post(url)).status, 401)
    const old = String(Math.floor(Date.now() / 1000) - 3600)
    assert.equal((await post(url, { 'x-chatwoot-timestamp': old, 'x-chatwoot-signature': 'sha256=00' })).status, 401)
  })

  it('tells which setting is wrong', async () => {
    const { foreignAccount, tokens, websiteInbox } = platform()
    const why = async (more: Json) => {
      const { status, body } = await configure({ relink: true, ...more })
      assert.equal(status, 400, JSON.stringify(body))
      return (body.details as { field: string }[])[0]?.field
    }
    assert.equal(await why({ access_token: 'wrong' }), 'access_token')
    assert.equal(await why({ account_id: foreignAccount.id }), 'account_id')
    assert.equal(await why({ inbox_id: 999 }), 'inbox_id')
    assert.equal(await why({ inbox_id: websiteInbox.id }), 'inbox_id')
    assert.equal(await why({ access_token: tokens.outsider }), 'inbox_id')
    const other = await configure({ inbox_id: websiteInbox.id })
    assert.deepEqual([other.status, other.body.code], [409, 'CHATWOOT_LINKED'])
  })

  it('shows its settings without the token, and lists no webhook for it', async () => {
    const { body } = await account.call<Json>('GET', '/chatwoot/config')
    assert.equal(body.chatwoot_access_token, `...${platform().tokens.administrator.slice(-4)}`)
    assert.deepEqual((await account.call<Json[]>('GET', '/webhook')).body, [])
  })
})
