import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface Received {
  id: string
  text: string | null
  edited: boolean
  kind: string
}

const [ANA, BEN] = ['15550490001', '15550490002']

function suite(env: Readonly<Record<string, string>>, ana: string, ben: string) {
  const { world, account } = gatewaySuite({ env, phones: { [ben]: 'Ben' }, account: [ana, 'Ana'] })
  /** Edits a message; returns the kind of the message that carried the edit to Ben, and the attribute of its stanza. */
  const edit = async (id: unknown, text: string) => {
    const answer = await account.call<Json>('POST', '/message/edit', { id, text })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await world.shownAt<Received>(ben, id, (message) => message.edited && message.text === text)
    const carrier = await world.shownAt<Received>(ben, answer.body.messageid)
    const frames = await world.network<Json[]>('GET', '/log/frames?tag=message&direction=in')
    const frame = frames.find((one) => one.id === answer.body.messageid)
    return { kind: carrier.kind, edit: frame?.edit, type: frame?.type, content: answer.body.content }
  }
  return { world, account, edit }
}

describe('edits that the gateway sends', () => {
  const { world, account: ana, edit } = suite({}, ANA, BEN)

  it('are plain, and encrypted in the announcement group of a community', async () => {
    const { messageid } = await ana.text(BEN, 'to one')
    const plain = await edit(messageid, 'to one, edited')
    assert.deepEqual([plain.kind, plain.edit], ['protocolMessage', '1'])
    const village = (await ana.done('/community/create', { name: 'Village' })).group as Json
    const announcements = await eventually(async () => {
      const { groups } = (await ana.call<{ groups: Json[] }>('GET', '/group/list')).body
      return groups.find(({ LinkedParentJID }) => LinkedParentJID === village.JID)
    })
    await world.network('PATCH', `/groups/${String(announcements?.JID)}`, { by: ANA, add: [BEN] })
    const news = await ana.text(String(announcements?.JID), 'news')
    await world.shownAt(BEN, news.messageid)
    const secret = await edit(news.messageid, 'newer news')
    assert.deepEqual([secret.kind, secret.edit, secret.type], ['secretEncryptedMessage', '1', 'text'])
  })
})

describe('with WA_SECRET_EDITS', () => {
  const ben = '15550490004'
  const { world, account: ana, edit } = suite({ WA_SECRET_EDITS: 'true' }, '15550490003', ben)

  it('edits are encrypted in all chats, any number of times, and leave no message undecryptable', async () => {
    const { messageid } = await ana.text(ben, 'one')
    for (const text of ['two', 'three']) {
      const sent = await edit(messageid, text)
      assert.deepEqual([sent.kind, sent.edit, sent.type], ['secretEncryptedMessage', '1', 'text'])
    }
    const record = (await ana.messages({ id: messageid }))[0] as Json
    assert.deepEqual(
      (JSON.parse(String(record.edited)) as { text: string }[]).map(({ text }) => text),
      ['two', 'three'],
    )
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: ben,
      subject: 'Trip',
      members: ['15550490003'],
    })
    const inGroup = await ana.text(jid, 'to all')
    assert.equal((await edit(inGroup.messageid, 'to all of you')).kind, 'secretEncryptedMessage')
  })

  it('an edit of a message without a secret is plain', async () => {
    const { id } = await world.network<{ id: string }>('POST', '/phones/15550490003/text', {
      to: ben,
      text: 'bare',
      secret: false,
    })
    await eventually(async () => (await ana.messages({ id }))[0])
    assert.equal((await edit(id, 'still bare')).kind, 'protocolMessage')
  })

  it('a phone that could not decrypt an edit gets it again', async () => {
    const { messageid } = await ana.text(ben, 'lost at first')
    await world.shownAt(ben, messageid)
    await world.network('DELETE', `/phones/${ben}/sessions`)
    await edit(messageid, 'found')
    assert.deepEqual((await world.network<Json[]>('GET', `/phones/${ben}/failures`)).length, 1)
  })
})
