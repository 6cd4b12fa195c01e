import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type ProxyServer, type ProxyTarget, startProxyServer } from '../../sandbox/proxies/proxy-server.js'
import { suiteCleanup } from '../support/cleanup.js'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { TestInstance } from '../support/world.js'
import { assertAnswersAlike } from './every-operation.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  text: string | null
  own: boolean
  deleted: boolean
  edited: boolean
  kind: string
  arrivals: number
  hidden: boolean
  reactions: { from: string; text: string }[]
  menu: { type: string } | null
  poll: { options: { text: string; voters: string[] }[] } | null
}

const ANA = '15550450001'
const BEN = '15550450002'

describe('every kind of send through a node that is not the owner', () => {
  const cleanup = suiteCleanup()
  let cluster: Cluster
  let ana: TestInstance
  let owner: ClusterNode
  let other: ClusterNode
  before(async () => {
    cluster = await startCluster(cleanup, { nodes: 2, env: { RECONNECT_DELAY_MAX_MS: '500' } })
    await cluster.phone(BEN, 'Ben')
    ana = await cluster.paired(ANA, 'Ana')
    const logins = await cluster.network<{ node: string | null }[]>('GET', `/log/logins?phone=${ANA}`)
    const name = logins.at(-1)?.node
    owner = cluster.nodes.find((node) => node.name === name) as ClusterNode
    other = cluster.nodes.find((node) => node.name !== name) as ClusterNode
  })

  let proxy: ProxyServer | undefined
  let since = 0
  const beside = () =>
    cluster.sandbox.network.log.arrivals.slice(since).filter(({ port }) => proxy?.ports.has(port) !== true)

  const call = async (method: string, path: string, body?: Json) => {
    const answer = await other.call<Json>(method, path, { token: ana.token, body })
    assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const post = (path: string, body: Json) => call('POST', path, body)
  const atBen = () => cluster.network<Shown[]>('GET', `/phones/${BEN}/messages?own=false`)
  const shown = (id: unknown, is: (message: Shown) => boolean = () => true) =>
    eventually(
      async () => (await atBen()).find((one) => one.id === id),
      (one) => one !== undefined && is(one),
    )
  const ofBen = async (text: string) => {
    const { id } = await cluster.network<{ id: string }>('POST', `/phones/${BEN}/text`, { to: ANA, text })
    await eventually(
      () => ana.call<{ messages: Json[] }>('POST', '/message/find', { id }),
      ({ body }) => body.messages.length > 0,
    )
    return id
  }
  const reactionsAtBen = async (id: string) =>
    (await cluster.network<Shown[]>('GET', `/phones/${BEN}/sent`)).find((one) => one.id === id)?.reactions
  const ring = async () => {
    const { id } = await cluster.network<{ id: string }>('POST', `/phones/${BEN}/call`, { to: ANA })
    // The account's device has heard of it.
    await eventually(
      () => cluster.network<{ devices: { id: number; pending: number }[] }>('GET', `/phones/${ANA}`),
      ({ devices }) => devices.every(({ id: device, pending }) => device === 0 || pending === 0),
    )
    return id
  }
  const endsAtBen = (id: string) =>
    eventually(
      async () => (await cluster.network<Json[]>('GET', `/phones/${BEN}/calls`)).find((one) => one.id === id),
      (one) => one?.state === 'rejected',
    )
  const card = { number: BEN, fullName: 'Eve', phoneNumber: '15550450003' }
  const place = { number: BEN, latitude: 1.5, longitude: 2.5, name: 'here' }
  const poll = { number: BEN, type: 'poll', text: 'Colour?', choices: ['Red', 'Blue'] }
  const menus: readonly [path: string, body: Json, drawn: string][] = [
    ['/send/menu', { ...poll, type: 'button' }, 'buttons'],
    ['/send/menu', { ...poll, type: 'list' }, 'list'],
    ['/send/menu', { ...poll, type: 'carousel', choices: ['[A]', 'Red', '[B]', 'Blue'] }, 'carousel'],
    ['/send/pix-button', { number: BEN, pixType: 'evp', pixKey: '123e4567-e89b-12d3-a456-426655440000' }, 'payment'],
    ['/send/location-button', { number: BEN, text: 'Where?' }, 'location'],
    ['/send/request-payment', { number: BEN, amount: 1, pixKey: '123e4567-e89b-12d3-a456-426655440000' }, 'order'],
  ]
  const find = async (id: unknown) => ((await post('/message/find', { id })).messages as Json[])[0]
  const asBen = (path: string, body: Json) => cluster.network<{ id: string }>('POST', `/phones/${BEN}/${path}`, body)
  const comesTo = (id: unknown, votes: readonly number[]) =>
    eventually(
      async () => JSON.parse(String((await find(id))?.vote || '[]')) as { votes: number }[],
      (tally) => JSON.stringify(tally.map((one) => one.votes)) === JSON.stringify(votes),
    )

  it('arrives: contacts, locations, reactions, edits, deletions, rejections of calls, leads; the queue is shown', async () => {
    await shown((await post('/send/contact', card)).messageid, ({ kind }) => kind === 'contactMessage')
    await shown((await post('/send/location', place)).messageid, ({ kind }) => kind === 'locationMessage')
    const question = await ofBen('a question')
    await post('/message/react', { number: BEN, id: question, text: '👍' })
    await eventually(
      () => reactionsAtBen(question),
      (all) => all?.[0]?.text === '👍',
    )
    const { messageid: text } = await post('/send/text', { number: BEN, text: 'befoer' })
    await post('/message/edit', { id: text, text: 'before' })
    await shown(text, (one) => one.text === 'before')
    await post('/message/delete', { id: text })
    await shown(text, ({ deleted }) => deleted)
    const map = await post('/instance/updateFieldsMap', { lead_field05: 'colour' })
    assert.deepEqual(map.fieldsMap, { lead_field05: 'colour' })
    for (const lead_field05 of ['red', 'blue']) {
      await post('/chat/editLead', { id: `${BEN}@s.whatsapp.net`, lead_field05 })
      // Asked of the one node, sent by the other.
      for (const node of cluster.nodes) {
        const { body } = await node.call<Json>('POST', '/send/text', {
          token: ana.token,
          body: { number: BEN, text: '{{colour}}' },
        })
        await shown(body.messageid, (one) => one.text === lead_field05)
      }
    }
    const rings = await ring()
    assert.equal((await post('/call/reject', { number: BEN, id: rings })).response, 'Call rejected')
    await endsAtBen(rings)
    const { id: made } = await post('/call/make', { number: BEN, call_duration: 60 })
    const callsAtBen = () => cluster.network<Json[]>('GET', `/phones/${BEN}/calls`)
    for (const state of ['ringing', 'ended']) {
      await eventually(callsAtBen, (all) => all.some((one) => one.id === made && one.state === state))
      if (state === 'ringing') await post('/call/reject', { id: made })
    }
    await cluster.network('POST', `/phones/${ANA}/payments`, {})
    for (const [path, body, drawn] of menus)
      await shown((await post(path, body)).messageid, ({ menu }) => menu?.type === drawn)
    const { messageid: buttons } = await post('/send/menu', { ...poll, type: 'button' })
    await shown(buttons)
    const { id: tap } = await asBen('tap', { id: buttons, choice: 'Blue' })
    await eventually(
      () => find(tap),
      (one) => one?.buttonOrListid === 'Blue' && one.quoted === buttons,
    )
    const { messageid: choice } = await post('/send/menu', poll)
    await shown(choice, (one) => one.poll !== null)
    await asBen('vote', { id: choice, options: ['Blue'] })
    await comesTo(choice, [0, 1])
    assert.equal(((await call('GET', '/message/async')).queue as Json).status, 'idle')
    assert.deepEqual((await call('DELETE', '/message/async')).stats, { canceled: 0 })
  })

  it('is answered as by the owner, whatever the operation', async () => {
    const links = new Set(cluster.nodes.map((node) => node.links.network.port))
    const behind = new URL(cluster.sandbox.websocketUrl)
    // Past the links of the nodes, so that the network sees who came through the proxy.
    const route = ({ host, port }: ProxyTarget) => ({ host, port: links.has(port) ? Number(behind.port) : port })
    proxy = await startProxyServer({ scheme: 'http', username: 'ana', password: 'secret', route })
    cleanup.after(() => proxy?.close())
    const proxyUrl = `http://ana:secret@127.0.0.1:${proxy.port}`
    since = cluster.sandbox.network.log.arrivals.length
    const set = await ana.call('POST', '/instance/proxy', { mode: 'custom', proxy_url: proxyUrl })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    await ana.connected()
    await assertAnswersAlike(cleanup, cluster, ana, { owner, other }, proxyUrl)
  })

  it('leaves through the proxy of the account alone, whatever the operation', () => {
    assert.ok(proxy !== undefined && proxy.ports.size >= 2)
    assert.deepEqual(beside(), [])
  })

  it('is sent once, and answered, when the owner is killed in the middle of it', async () => {
    const question = await ofBen('another question')
    const { messageid: text } = await post('/send/text', { number: BEN, text: 'to be edited' })
    const { messageid: wrong } = await post('/send/text', { number: BEN, text: 'to be deleted' })
    const rings = await ring()
    const { messageid: colour } = await post('/send/menu', poll)
    await shown(colour)
    await asBen('vote', { id: colour, options: ['Blue'] })
    await comesTo(colour, [0, 1])
    // Handed over, and not answered.
    const fault = await cluster.network('POST', '/faults', { kind: 'swallow-acks', phone: ANA })
    const unanswered = [
      post('/send/contact', card),
      post('/send/location', place),
      post('/message/react', { number: BEN, id: question, text: '🙏' }),
      post('/send/menu', poll),
      ...menus.map(([path, body]) => post(path, body)),
    ]
    const before = (await atBen()).length
    const changes = [post('/message/edit', { id: text, text: 'edited' }), post('/message/delete', { id: wrong })]
    await shown(text, ({ edited }) => edited)
    await shown(wrong, ({ deleted }) => deleted)
    await eventually(atBen, (all) => all.length >= before + unanswered.length + changes.length)
    // Not begun: they wait for their time.
    const delayed = [
      post('/send/contact', { ...card, delay: 1_500 }),
      post('/send/location', { ...place, delay: 200 }),
      post('/send/contact', { ...card, async: true }),
      ...menus.map(([path, body]) => post(path, { ...body, async: true })),
    ]
    await Promise.all(delayed.slice(2))
    await owner.kill('SIGKILL')
    await asBen('vote', { id: colour, options: ['Red'] })
    await cluster.network('DELETE', `/faults/${String(fault.id)}`)
    const sent = await Promise.all([...unanswered, ...delayed])
    await Promise.all(changes)
    // A call that rang at the former owner is known to the new one.
    assert.equal((await post('/call/reject', { id: rings })).id, rings)
    await endsAtBen(rings)
    const ids = sent.map(({ messageid }) => messageid)
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) await shown(id)
    const kinds = (await atBen()).map(({ kind }) => kind)
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    assert.deepEqual([count('contactMessage'), count('locationMessage'), count('reactionMessage')], [4, 3, 2])
    assert.deepEqual(await reactionsAtBen(question), [{ from: ANA, text: '🙏' }])
    assert.ok((await atBen()).every(({ hidden }) => !hidden))
    await comesTo(colour, [1, 0])
    assert.equal(JSON.parse(String((await find(text))?.edited))[0].text, 'edited')
    assert.equal((await find(wrong))?.status, 'deleted')
    for (const id of ids)
      await eventually(
        () => find(id),
        (one) => one?.status === 'delivered',
      )
    assert.deepEqual(await cluster.network('GET', `/phones/${BEN}/failures`), [])
    // The new owner uses the proxy of the account too.
    assert.deepEqual(beside(), [])
  })
})
