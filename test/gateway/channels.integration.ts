import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'

type Json = Record<string, unknown>
type Reply<T = Json> = Json & { readonly response: T }
interface Post extends Json {
  readonly serverid: number
  readonly messageid: string
}
interface SandboxChannel extends Json {
  readonly jid: string
  readonly invite: string
  readonly posts: readonly (Json & { serverid: number; id: string })[]
}

const [ANA, BEN, EVE] = ['15550450001', '15550450002', '15550450003']
/** Present numbers of queries of WhatsApp Web, and one of a change. */
const [INFO, LIST, FOLLOW] = ['27456920720571478', '25399611239711790', '24404358912487870']

describe('channels', () => {
  const { world, account: ana } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const ask = async <T = Json>(what: string, body: Json = {}) =>
    (await ana.done<Reply<T>>(`/newsletter/${what}`, body)).response
  const refused = async (what: string, body: Json, status: number, code: string) => {
    const answer = await ana.call('POST', `/newsletter/${what}`, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    return answer.body
  }
  const list = async () => (await ana.call<Reply<Json[]>>('GET', '/newsletter/list')).body.response
  const atNetwork = (jid: unknown) => network<SandboxChannel>('GET', `/channels/${String(jid)}`)
  const bens = () => network<SandboxChannel>('POST', '/channels', { owner: BEN, name: "Ben's news" })
  const fault = (body: Json) => network('POST', '/faults', body)

  describe('of the account', () => {
    let id = ''
    before(async () => {
      const created = await ask('create', { name: 'Our news', description: 'of the shop' })
      id = String(created.id)
      assert.deepEqual(
        { ...created, id: '', link: '', created: 0 },
        {
          ...{ id: '', name: 'Our news', description: 'of the shop', link: '', subscribers: 0, verified: false },
          ...{ picture: '', state: 'ACTIVE', role: 'OWNER', muted: false, reactionCodes: 'all', created: 0 },
        },
      )
    })

    it('are created once, listed, and found by their JID and their link', async () => {
      assert.deepEqual(
        (await list()).map((one) => one.id),
        [id],
      )
      const info = await ask('info', { id })
      assert.deepEqual(await ask('info', { jid: id }), info)
      assert.match(String(info.link), /^https:\/\/whatsapp\.com\/channel\/[\w-]+$/)
      assert.deepEqual(await ask('link', { key: info.link }), info)
      assert.deepEqual(await ask('link', { key: String(info.link).split('/').at(-1) }), info)
      await refused('link', { key: 'https://example.org/x' }, 400, 'INVALID_REQUEST')
      await refused('link', { key: '0029VaUnknown00000' }, 404, 'CHANNEL_NOT_FOUND')
      await refused('info', {}, 400, 'INVALID_REQUEST')
      await refused('info', { id: '120363000000000000@g.us' }, 400, 'INVALID_NUMBER')
      await refused('info', { id: '120363999999999999@newsletter' }, 404, 'CHANNEL_NOT_FOUND')
    })

    it('change their name, description, picture and reactions, and one change leaves the others', async () => {
      await ask('settings', { id, reactionCodes: 'basic' })
      await ask('name', { id, name: ' Better news ' })
      await ask('description', { id, description: '' })
      const picture = (await png()).toString('base64')
      const changed = await ask('picture', { id, picture })
      assert.deepEqual(
        [changed.name, changed.description, changed.reactionCodes],
        ['Better news', '', 'basic'],
        'a change overwrote another',
      )
      assert.match(String(changed.picture), /^https:\/\/pps\.whatsapp\.net\//)
      assert.equal((await ask('picture', { id, picture: 'remove' })).picture, '')
      await refused('picture', { id, picture: 'no picture' }, 400, 'INVALID_REQUEST')
      await refused('settings', { id, reactionCodes: 'some' }, 400, 'INVALID_REQUEST')
      const { jid: foreign } = await bens()
      await refused('name', { id: foreign, name: 'mine' }, 403, 'NOT_CHANNEL_ADMIN')
      await refused('updates', { id: foreign }, 403, 'NOT_CHANNEL_FOLLOWER')
    })

    it('are administered with others: an invitation reaches the chat, and the owner can change', async () => {
      const { expires, messageid } = await ask<{ expires: number; messageid: string }>('admin/invite', {
        ...{ id, phone: BEN, caption: 'help us' },
      })
      assert.ok(expires > Date.now())
      const shown = await world.shownAt<Json & { message: Json }>(BEN, messageid)
      const { newsletterJid, newsletterName, caption } = shown.message.newsletterAdminInviteMessage as Json
      assert.deepEqual([newsletterJid, newsletterName, caption], [id, 'Better news', 'help us'])
      await ask('admin/revoke', { id, phone: BEN })
      assert.deepEqual((await atNetwork(id)).invited, [])
      await refused('admin/revoke', { id, phone: BEN }, 502, 'CHANNEL_REFUSED')
      await network('PATCH', `/channels/${id}`, { admins: [BEN, EVE] })
      await ask('admin/remove', { id, phone: EVE })
      assert.deepEqual((await atNetwork(id)).admins, [BEN])
      await ask('owner/transfer', { id, phone: BEN, quitAdmin: true })
      const { owner, admins } = await atNetwork(id)
      assert.deepEqual([owner, admins], [BEN, []])
      assert.equal((await ask('info', { id })).role, 'SUBSCRIBER')
      await refused('admin/accept', { id }, 403, 'NOT_CHANNEL_ADMIN')
      await network('PATCH', `/channels/${id}`, { invited: [ANA] })
      await ask('admin/accept', { id })
      assert.equal((await ask('info', { id })).role, 'ADMIN')
      await refused('delete', { id }, 403, 'NOT_CHANNEL_ADMIN')
      await refused('admin/invite', { id, phone: '15550459999' }, 404, 'NOT_ON_NETWORK')
      await refused('admin/invite', { id, phone: '120363000000000000@g.us' }, 400, 'INVALID_NUMBER')
    })

    it('edit and delete posts that the gateway has not stored, by either id', async () => {
      const { id: channel } = await ask('create', { name: 'Old news' })
      const posted = (text: string) =>
        network<readonly [Post & { id: string }]>('POST', `/channels/${channel}/posts`, { text })
      const [[one], [two], [three]] = [await posted('one'), await posted('two'), await posted('three')]
      await ask('messages/edit', { id: channel, serverid: one.serverid, text: 'one {{name}}' })
      await ask('messages/edit', { id: channel, messageid: two.id, text: 'two again' })
      await ask('messages/delete', { id: channel, messageid: three.id })
      const shown = await ask<Post[]>('messages', { id: channel })
      assert.deepEqual(
        shown.map(({ messageid, text, messageType }) => [messageid, text, messageType]),
        [
          [three.id, '', ''],
          [two.id, 'two again', 'text'],
          [one.id, 'one {{name}}', 'text'],
        ],
      )
      await refused('messages/edit', { id: channel, serverid: 9_999, text: 'x' }, 404, 'MESSAGE_NOT_FOUND')
      await refused('messages/delete', { id: channel }, 400, 'INVALID_REQUEST')
      const { jid: foreign } = await bens()
      const [other] = await network<readonly [Post]>('POST', `/channels/${foreign}/posts`, { text: 'theirs' })
      await refused('messages/edit', { id: foreign, serverid: other.serverid, text: 'x' }, 403, 'NOT_CHANNEL_ADMIN')
    })

    it('are deleted for good', async () => {
      const { id: doomed } = await ask('create', { name: 'Short news' })
      await ask('delete', { id: doomed })
      assert.equal((await atNetwork(doomed)).state, 'DELETED')
      await refused('mute', { id: doomed }, 404, 'CHANNEL_NOT_FOUND')
    })
  })

  describe('of others', () => {
    it('are followed, muted and left; leaving twice is no mistake', async () => {
      const { jid } = await bens()
      await ask('follow', { id: jid })
      assert.equal((await ask('info', { id: jid })).role, 'SUBSCRIBER')
      await ask('mute', { id: jid })
      assert.equal((await ask('info', { id: jid })).muted, true)
      await ask('unmute', { id: jid })
      assert.equal((await ask('info', { id: jid })).muted, false)
      for (const _ of [1, 2]) await ask('unfollow', { id: jid })
      assert.equal((await ask('info', { id: jid })).role, 'GUEST')
    })

    it('say why they cannot be followed: closed, too many, not in this country', async () => {
      const { jid } = await bens()
      for (const [code, reason] of [
        [405, /takes no followers/],
        [419, /limit of channels/],
        [451, /country/],
      ] as const) {
        await network('PATCH', `/channels/${jid}`, { followRefusal: code })
        const body = await refused('follow', { id: jid }, 502, 'CHANNEL_REFUSED')
        assert.equal(body.provider_code, code)
        assert.match(String(body.error), reason)
      }
    })

    it('show their posts page by page, count views and reactions, and take reactions back', async () => {
      const { jid } = await bens()
      await network('POST', `/channels/${jid}/posts`, { text: 'post', count: 5 })
      const first = await ask<Post[]>('messages', { id: jid, count: 3 })
      assert.deepEqual(
        first.map(({ text }) => text),
        ['post 4', 'post 3', 'post 2'],
      )
      const [newest, , third] = first as [Post, Post, Post]
      const second = await ask<Post[]>('messages', { id: jid, count: 3, beforeid: third.serverid })
      assert.deepEqual(
        second.map(({ text }) => text),
        ['post 1', 'post 0'],
      )
      await ask('follow', { id: jid })
      await ask('viewed', { id: jid, serverids: [newest.serverid] })
      await ask('reaction', { id: jid, serverid: newest.serverid, reaction: '👍' })
      const counted = () => ask<Post[]>('updates', { id: jid, afterid: newest.serverid - 1 })
      assert.deepEqual(await counted(), [{ serverid: newest.serverid, viewsCount: 1, reactionCounts: { '👍': 1 } }])
      await ask('reaction', { id: jid, serverid: newest.serverid })
      assert.deepEqual((await counted())[0]?.reactionCounts, {})
      await refused('reaction', { id: jid, serverid: 9_999, reaction: '👍' }, 404, 'CHANNEL_NOT_FOUND')
    })

    it('are searched in the directory, page by page', async () => {
      for (const name of ['Garden one', 'Garden two', 'Garden three'])
        await network('POST', '/channels', { owner: EVE, name })
      const first = await ask<{ after: string; data: Json[] }>('search', { searchText: 'garden', limit: 2 })
      const second = await ask<{ after: string; data: Json[] }>('search', {
        ...{ searchText: 'garden', limit: 2, after: first.after },
      })
      assert.deepEqual(
        [...first.data, ...second.data].map(({ name }) => name),
        ['Garden one', 'Garden two', 'Garden three'],
      )
      assert.equal(second.after, '')
      for (const view of ['RECOMMENDED', 'NEW'])
        assert.ok((await ask<{ data: Json[] }>('search', { view })).data.length > 2)
    })
  })

  describe('whose queries WhatsApp has retired', () => {
    it('are read under the older number, once', async () => {
      const { jid } = await bens()
      for (const name of [INFO, LIST]) await fault({ kind: 'mex-refused', phone: ANA, name, code: 400, times: 1 })
      assert.equal((await ask('info', { id: jid })).id, jid)
      assert.ok(Array.isArray(await list()))
      const { body } = await world.gateway.call<string>('GET', '/metrics', { admin: true })
      for (const name of ['channelInfo', 'channelsFollowed'])
        assert.match(String(body), new RegExp(`posthorn_queries_refused_total\\{query="${name}"\\} 1`))
    })

    it('are changed under one number only: a refused change is not asked again', async () => {
      const { jid } = await bens()
      await fault({ kind: 'mex-refused', phone: ANA, name: FOLLOW, code: 400, times: 1 })
      const body = await refused('follow', { id: jid }, 502, 'CHANNEL_REFUSED')
      assert.match(String(body.error), /WA_QUERY_IDS/)
      assert.deepEqual((await atNetwork(jid)).followers, [])
      await ask('follow', { id: jid })
    })
  })

  describe('with live updates', () => {
    it('are asked again for as long as somebody wants them, also after a reconnect', async () => {
      const { jid } = await bens()
      await ask('follow', { id: jid })
      await network('PUT', '/channel-updates', { seconds: 30 })
      const requests = async () => (await network<{ requests: number }>('GET', '/channel-updates')).requests
      const before = await requests()
      const { duration, until } = await ask<{ duration: number; until: number }>('subscribe', { id: jid, minutes: 5 })
      assert.equal(duration, 30)
      assert.ok(until > Date.now() + 4 * 60_000)
      await network('POST', '/faults/close', { phone: ANA })
      await eventually(requests, (count) => count >= before + 2)
      assert.equal((await ask<{ duration: number }>('subscribe', { id: jid, minutes: 0 })).duration, 0)
    })
  })
})
