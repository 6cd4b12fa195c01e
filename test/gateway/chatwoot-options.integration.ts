import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'

type Json = Record<string, unknown>

const ANA = '15550530001'
const BEN = '15550530002'
const EVE = '15550530003'
const CAT = '5511988530004'
const CAT_WITHOUT_NINE = '551188530004'
const DAN = '15550530005'
const FAY = '15550530006'
const GUS = '15550530007'

describe('options of Chatwoot', () => {
  const { world, account, platform, configure, shown, wrote, arrived } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [CAT]: 'Cat', [DAN]: 'Dan', [FAY]: 'Fay', [GUS]: 'Gus' },
    account: [ANA, 'Ana'],
  })
  const set = async (more: Json = {}) => {
    const { status, body } = await configure(more)
    assert.equal(status, 200, JSON.stringify(body))
  }
  const state = async () => (await account.call<Json>('GET', '/chatwoot/config')).body
  const message = (id: number) =>
    platform()
      .messages()
      .find((one) => one.id === id)
  const findContact = (conversationId: number) => {
    const conversation = platform()
      .conversations()
      .find(({ id }) => id === conversationId)
    return platform()
      .contacts()
      .find(({ id }) => id === conversation?.contactId)
  }

  it('show a group as one conversation with the names of its members, or leave groups out', async () => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: BEN,
      subject: 'Team',
      members: [ANA, EVE],
    })
    await world.network('POST', `/phones/${BEN}/text`, { to: jid, text: 'from Ben' })
    const first = await shown('**Ben:**\nfrom Ben')
    await world.network('POST', `/phones/${EVE}/text`, { to: jid, text: 'from Eve' })
    assert.equal((await shown('**Eve:**\nfrom Eve')).conversationId, first.conversationId)
    assert.equal(findContact(first.conversationId)?.identifier, jid)
    assert.equal(findContact(first.conversationId)?.phone, null)
    platform().agentReplies(first.conversationId, 'to the group')
    await arrived(EVE, 'to the group')
    await set({ ignore_groups: true })
    await world.network('POST', `/phones/${BEN}/text`, { to: jid, text: 'ignored' })
    await wrote(BEN, 'not ignored')
    assert.ok(
      !platform()
        .messages()
        .some(({ content }) => content?.includes('from Ben: ignored') || content?.endsWith('\nignored')),
    )
    await set()
  })

  it('sign replies with the name of the agent', async () => {
    await set({ sign_messages: true })
    const { conversationId } = await wrote(BEN, 'who is there?')
    platform().agentReplies(conversationId, 'me')
    await arrived(BEN, '*Alice:*\nme')
    await set()
  })

  it('begin a new conversation after the end of one if asked to, and open the old one again otherwise', async () => {
    const first = await wrote(DAN, 'first')
    platform().agents.resolves(first.conversationId)
    await platform().settled()
    assert.equal((await wrote(DAN, 'again')).conversationId, first.conversationId)
    await set({ create_new_conversation: true })
    platform().agents.resolves(first.conversationId)
    await platform().settled()
    const second = await wrote(DAN, 'anew')
    assert.notEqual(second.conversationId, first.conversationId)
    assert.equal((await wrote(DAN, 'anew still')).conversationId, second.conversationId)
    await set()
  })

  it('find a contact by its number with or without the ninth digit, and leave its name', async () => {
    const { conversation } = platform().agentStarts({ phone: `+${CAT_WITHOUT_NINE}`, name: 'Catherine', content: 'oi' })
    await arrived(CAT, 'oi')
    const answer = await wrote(CAT, 'oi!')
    assert.equal(answer.conversationId, conversation.id)
    const all = platform()
      .contacts()
      .filter(({ phone }) => phone === `+${CAT}` || phone === `+${CAT_WITHOUT_NINE}`)
    assert.deepEqual(
      all.map(({ name }) => name),
      ['Catherine'],
    )
  })

  it('make one contact and one conversation of a LID whose number is learnt later', async () => {
    await world.network('POST', `/phones/${FAY}/text`, { to: ANA, text: 'by LID', addressing: 'lid' })
    const first = await shown('by LID')
    const second = await wrote(FAY, 'by number')
    assert.equal(second.conversationId, first.conversationId)
    assert.equal(findContact(first.conversationId)?.phone, `+${FAY}`)
    assert.equal(
      platform()
        .contacts()
        .filter(({ name }) => name === '~Fay').length,
      1,
    )
  })

  it('make conversation and contact again after they were deleted there', async () => {
    const first = await wrote(EVE, 'before the deletion')
    platform().agents.deletesConversation(first.conversationId)
    const second = await wrote(EVE, 'after the deletion')
    assert.notEqual(second.conversationId, first.conversationId)
    platform().agents.deletesContact(Number(findContact(second.conversationId)?.id))
    const third = await wrote(EVE, 'after all is gone')
    assert.equal(findContact(third.conversationId)?.phone, `+${EVE}`)
  })

  it('send greetings and surveys of the platform to the person, and no notes', async () => {
    const { conversationId } = await wrote(GUS, 'hello?')
    platform().agentReplies(conversationId, { content: 'a note', isPrivate: true })
    platform().agentReplies(conversationId, { content: 'We are closed.', type: 'template' })
    await arrived(GUS, 'We are closed.')
    const list = await world.network<Json[]>('GET', `/phones/${GUS}/messages?text=${encodeURIComponent('a note')}`)
    assert.deepEqual(list, [])
  })

  it('take replies whose webhooks came in the reverse order in their order', async () => {
    const { conversationId } = await wrote(GUS, 'order?')
    platform().failWebhooks({ kind: 'reversed', count: 3 })
    for (const text of ['r1', 'r2', 'r3']) platform().agentReplies(conversationId, text)
    await arrived(GUS, 'r3')
    const all = await world.network<{ text: string }[]>('GET', `/phones/${GUS}/messages`)
    assert.deepEqual(
      all.map(({ text }) => text).filter((text) => /^r\d$/.test(text)),
      ['r1', 'r2', 'r3'],
    )
  })

  it('do not send the stored token to another address', async () => {
    const { chatwoot_access_token: access_token } = (await state()) as { chatwoot_access_token: string }
    await set({ access_token })
    const { status, body } = await configure({ access_token, url: 'http://127.0.0.1:9', relink: true })
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /access_token.*is required with another url/)
    assert.equal((await configure({ access_token: '...0000' })).status, 400)
  })

  it('note that the token was revoked, and continue when another one is set', async () => {
    const { tokens } = platform()
    platform().revoke(tokens.administrator)
    await world.write(BEN, ANA, 'while the token is wrong')
    await eventually(async () => (await state()).state === 'auth_failed')
    await set({ access_token: tokens.agent, relink: true })
    await shown('while the token is wrong')
    await eventually(async () => (await state()).state === 'ok')
  })

  it('carry nothing while they are switched off, and nothing of that time afterwards', async () => {
    await set({ enabled: false, access_token: platform().tokens.agent })
    await account.text(BEN, 'not carried')
    const { conversationId } =
      platform()
        .messages()
        .find(({ content }) => content === 'while the token is wrong') ?? {}
    const reply = platform().agentReplies(Number(conversationId), 'not sent')
    await platform().settled()
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await set({ access_token: platform().tokens.agent })
    await wrote(BEN, 'carried again')
    assert.ok(
      !platform()
        .messages()
        .some(({ content }) => content === 'not carried'),
    )
    assert.equal(message(reply.id)?.status, 'failed')
    assert.match(String(message(reply.id)?.attributes.external_error), /409/)
    const list = await world.network<Json[]>('GET', `/phones/${BEN}/messages?text=${encodeURIComponent('not sent')}`)
    assert.deepEqual(list, [])
  })

  it('carry the first message after they were saved switched off and then switched on', async () => {
    const zoe = await world.paired('15550530008', 'Zoe')
    const settings = {
      url: platform().url,
      access_token: platform().tokens.agent,
      account_id: platform().account.id,
      inbox_id: platform().inbox.id,
    }
    for (const enabled of [false, true])
      assert.equal((await zoe.call('PUT', '/chatwoot/config', { enabled, ...settings })).status, 200)
    await world.write(BEN, '15550530008', 'to Zoe')
    await shown('to Zoe')
  })
})
