import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'

type Json = Record<string, unknown>
interface SandboxPost extends Json {
  readonly serverid: number
  readonly id: string
  readonly type: string
  readonly message: Json | null
  readonly edits: number
}
interface Sent extends Json {
  readonly messageid: string
  readonly status: string
}

const [ANA, BEN] = ['15550451001', '15550451002']

describe('posts of channels', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update', 'newsletter_messages'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const make = async (owner: string, followers: readonly string[] = []) =>
    (await network<{ jid: string }>('POST', '/channels', { owner, name: 'News', followers })).jid
  const listPosts = async (jid: string) => (await network<{ posts: SandboxPost[] }>('GET', `/channels/${jid}`)).posts
  const events = (jid: string) =>
    receiver
      .of('newsletter_messages')
      .map(({ body }) => body as Json & { message?: Json; event?: Json })
      .filter(({ message, event }) => message?.chatid === jid || event?.Chat === jid)
  const cameTo = (jid: string, count: number) =>
    eventually(
      () => events(jid),
      (all) => all.length >= count,
    )

  describe('of the account', () => {
    let own = ''
    before(async () => {
      own = await make(ANA)
    })

    it('are texts, files and polls, sent by the ordinary calls, unencrypted', async () => {
      const text = await ana.done<Sent>('/send/text', { number: own, text: 'Open today' })
      const file = (await png()).toString('base64')
      const image = await ana.done<Sent>('/send/media', { number: own, type: 'image', file, text: 'Our shop' })
      const pdf = Buffer.from('%PDF-1.4 a price list').toString('base64')
      const paper = await ana.done<Sent>('/send/media', {
        number: own,
        type: 'document',
        file: pdf,
        docName: 'Prices.pdf',
      })
      const choices = ['Bread', 'Cake']
      const poll = await ana.done<Sent>('/send/menu', { number: own, type: 'poll', text: 'Which?', choices })
      assert.deepEqual(
        [text, image, paper, poll].map(({ status }) => status),
        ['sent', 'sent', 'sent', 'sent'],
      )
      const posts = await listPosts(own)
      assert.deepEqual(
        posts.map(({ id, type, mediatype }) => [id, type, mediatype ?? '']),
        [
          [text.messageid, 'text', ''],
          [image.messageid, 'media', 'image'],
          [paper.messageid, 'media', 'document'],
          [poll.messageid, 'poll', ''],
        ],
      )
      assert.deepEqual(posts[0]?.message?.extendedTextMessage, { text: 'Open today' })
      const shown = posts[1]?.message?.imageMessage as Json
      assert.equal(shown.caption, 'Our shop')
      assert.deepEqual([shown.mediaKey ?? '', shown.fileEncSha256 ?? ''], ['', ''], 'a file of a channel has no key')
      const files = await network<{ kind: string }[]>('GET', '/media')
      assert.ok(files.some(({ kind }) => kind === 'image'))
      const downloaded = await ana.done<{ mimetype: string }>('/message/download', { id: image.messageid })
      assert.equal(downloaded.mimetype, 'image/png')
    })

    it('are refused with a reason where channels take no such thing', async () => {
      const refused = async (path: string, body: Json) => {
        const answer = await ana.call('POST', path, { number: own, ...body })
        assert.deepEqual([answer.status, answer.body.code], [501, 'NOT_SUPPORTED'], JSON.stringify(answer.body))
      }
      const before = (await listPosts(own)).length
      await refused('/send/location', { latitude: 1, longitude: 2 })
      const { messageid } = await ana.done<Sent>('/send/text', { number: BEN, text: 'x' })
      await refused('/send/text', { text: 'a reply', replyid: messageid })
      assert.equal((await listPosts(own)).length, before)
      const foreign = await make(BEN)
      const answer = await ana.call('POST', '/send/text', { number: foreign, text: 'mine' })
      assert.deepEqual([answer.status, answer.body.code, answer.body.provider_code], [502, 'SEND_REFUSED', 403])
    })

    it('are edited and deleted under their own ids, by either call', async () => {
      const channel = await make(ANA)
      const { messageid } = await ana.done<Sent>('/send/text', { number: channel, text: 'Open till 8' })
      await ana.done('/message/edit', { id: messageid, text: 'Open till 9' })
      const [post] = await listPosts(channel)
      assert.deepEqual([post?.id, post?.message?.conversation, post?.edits], [messageid, 'Open till 9', 1])
      const edited = async () => String((await ana.messages({ id: messageid }))[0]?.edited)
      assert.match(await edited(), /Open till 9/)
      await ana.done('/newsletter/messages/edit', { id: channel, serverid: post?.serverid, text: 'Closed' })
      assert.match(await edited(), /Closed/)
      await ana.done('/newsletter/messages/delete', { id: channel, messageid })
      const [deleted] = await listPosts(channel)
      assert.deepEqual([deleted?.message, (await ana.messages({ id: messageid }))[0]?.status], [null, 'deleted'])
      assert.equal((await listPosts(channel)).length, 1)
    })
  })

  describe('of others', () => {
    it('are stored as messages and told as events of their own, with edits and deletions', async () => {
      const jid = await make(BEN, [ANA])
      const [{ id, serverid }] = await network<[{ id: string; serverid: number }]>('POST', `/channels/${jid}/posts`, {
        text: 'Hello',
      })
      const [posted] = await cameTo(jid, 1)
      assert.deepEqual(
        [posted?.serverid, posted?.message?.messageid, posted?.message?.text, posted?.message?.fromMe],
        [serverid, id, 'Hello', false],
      )
      const [stored] = await ana.messages({ id })
      assert.deepEqual([stored?.chatid, stored?.text, stored?.isGroup], [jid, 'Hello', false])
      assert.equal((await ana.chat(jid)).wa_unreadCount, 1)
      await network('POST', `/channels/${jid}/changes`, { id, text: 'Hello again' })
      await network('POST', `/channels/${jid}/changes`, { id })
      const [, edited, deleted] = await cameTo(jid, 3)
      assert.deepEqual(
        [edited?.type, edited?.event?.Text, edited?.event?.MessageIDs, deleted?.type],
        ['Edited', 'Hello again', [id], 'Deleted'],
      )
      const of = (kind: string) => receiver.of(kind).filter(({ body }) => JSON.stringify(body).includes(jid))
      assert.deepEqual([of('messages').length, of('messages_update').length], [0, 0])
    })

    it('tell their views and reactions while somebody wants them', async () => {
      const jid = await make(BEN, [ANA])
      const [{ serverid }] = await network<[{ serverid: number }]>('POST', `/channels/${jid}/posts`, { text: 'Hello' })
      await cameTo(jid, 1)
      await ana.done('/newsletter/subscribe', { id: jid })
      await network('POST', `/channels/${jid}/counts`, { serverid, views: 7, emoji: '👍', by: [BEN] })
      const [, counted] = await cameTo(jid, 2)
      assert.deepEqual(
        [counted?.type, counted?.event?.Posts],
        ['Counts', [{ serverid, viewsCount: 7, reactionCounts: { '👍': 1 } }]],
      )
    })

    it('that arrived while the gateway was away are delivered by the next connection, once', async () => {
      const jid = await make(BEN, [ANA])
      await network('POST', '/faults/close', { phone: ANA })
      await network('POST', `/channels/${jid}/posts`, { text: 'while away', count: 20 })
      const all = await cameTo(jid, 20)
      assert.deepEqual(
        all.map(({ message }) => message?.text),
        Array.from({ length: 20 }, (_, index) => `while away ${index}`),
      )
      await eventually(
        () => network<{ devices: { pending: number }[] }>('GET', `/phones/${ANA}`),
        ({ devices }) => devices.every(({ pending }) => pending === 0),
      )
    })
  })
})
