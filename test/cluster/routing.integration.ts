import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import type { TestInstance } from '../support/world.js'

describe('any node answers for any instance', () => {
  const cleanup = suiteCleanup()
  let cluster: Cluster

  before(async () => {
    cluster = await startCluster(cleanup)
  })

  it('with its status, its sends, its webhooks', async () => {
    const receiver = await startReceiver(cleanup)
    await cluster.phone('15550002222', 'Ben')
    const instances: TestInstance[] = []
    for (let index = 0; index < 6; index += 1)
      instances.push(await cluster.paired(`1555000100${index}`, `instance ${index}`))
    const owners = new Set(
      (await cluster.network<{ node: string }[]>('GET', '/log/logins')).map(({ node }) => node).filter(Boolean),
    )
    assert.ok(owners.size > 1, [...owners].join())
    const texts: string[] = []
    for (const instance of instances) {
      await instance.hook(receiver.url)
      for (const node of cluster.nodes) {
        const status = await node.call<{ status: { connected: boolean } }>('GET', '/instance/status', {
          token: instance.token,
        })
        assert.deepEqual([status.status, status.body.status?.connected], [200, true], node.name)
        const text = `${instance.number} through ${node.name}`
        const sent = await node.call('POST', '/send/text', {
          token: instance.token,
          body: { number: '15550002222', text },
        })
        assert.equal(sent.status, 200, JSON.stringify(sent.body))
        texts.push(text)
      }
      await cluster.network('POST', '/phones/15550002222/text', { to: instance.number, text: `to ${instance.number}` })
    }
    const atPhone = await eventually(
      () => cluster.network<{ text: string; own: boolean }[]>('GET', '/phones/15550002222/messages'),
      (all) => all.filter(({ own }) => !own).length >= texts.length,
    )
    assert.deepEqual(
      atPhone
        .filter(({ own }) => !own)
        .map(({ text }) => text)
        .toSorted(),
      texts.toSorted(),
    )
    await eventually(
      () => receiver.of('messages').map(({ body }) => (body.message as { text: string }).text),
      (told) => instances.every(({ number }) => told.includes(`to ${number}`)),
    )
  })

  it('with its chats and contacts, which follow the phone and are changed on it', async () => {
    const [owned, friend] = ['15550001500', '15550002500']
    await cluster.phone(friend, 'Dan')
    const instance = await cluster.paired(owned, 'searched')
    await cluster.network('POST', `/phones/${friend}/text`, { to: owned, text: 'hello' })
    const ask = async (node: ClusterNode, path: string, body: object) =>
      (await node.call<Record<string, Record<string, unknown>[]>>('POST', path, { token: instance.token, body })).body
    const find = (node: ClusterNode) => ask(node, '/chat/find', { wa_unreadCount: '>0', wa_chatid: friend })
    for (const node of cluster.nodes)
      await eventually(
        () => find(node),
        ({ chats }) => chats?.length === 1,
      )
    await cluster.network('POST', `/phones/${owned}/chats`, { chat: friend, archived: true })
    await cluster.network('POST', `/phones/${owned}/contacts`, { number: friend, name: 'Dan Brown' })
    for (const node of cluster.nodes) {
      const found = await eventually(
        () => find(node),
        ({ chats }) => chats?.[0]?.wa_archived === true && chats[0].name === 'Dan Brown',
      )
      const { body: checked } = await node.call<Record<string, unknown>[]>('POST', '/chat/check', {
        token: instance.token,
        body: { numbers: [friend] },
      })
      assert.equal(checked[0]?.isInWhatsapp, true, node.name)
      assert.equal((found.totalChatsStats as unknown as Record<string, number>).archived_chats, 1, node.name)
      const { contacts } = await ask(node, '/contacts/list', { contactScope: 'address_book' })
      assert.deepEqual(
        contacts?.map(({ contact_name }) => contact_name),
        ['Dan Brown'],
        node.name,
      )
    }
    for (const [index, node] of cluster.nodes.entries()) {
      const isSet = index % 2 === 1
      await ask(node, '/chat/archive', { number: friend, archive: isSet })
      const onPhone = await cluster.network<
        { index: string[]; value: { archiveChatAction?: { archived: boolean } } }[]
      >('GET', `/phones/${owned}/app-state`)
      const archive = onPhone.findLast(({ index: [kind, jid] }) => kind === 'archive' && jid?.endsWith('@lid'))
      assert.equal(archive?.value.archiveChatAction?.archived, isSet, node.name)
      await ask(node, '/group/create', { name: `by ${node.name}`, participants: [friend] })
      await ask(node, '/label/edit', { labelid: String(index + 1), name: `by ${node.name}` })
      await ask(node, '/quickreply/edit', { shortCut: node.name, type: 'text', text: 'hello', onWhatsApp: true })
    }
    for (const node of cluster.nodes) {
      const { body } = await node.call<unknown[]>('GET', '/labels', { token: instance.token })
      assert.equal(body.length, cluster.nodes.length, node.name)
      const { body: listed } = await node.call<{ groups: unknown[] }>('GET', '/group/list', { token: instance.token })
      assert.equal(listed.groups.length, cluster.nodes.length, node.name)
      const replies = await node.call<unknown[]>('GET', '/quickreply/showall', { token: instance.token })
      assert.equal(replies.body.length, cluster.nodes.length, node.name)
    }
  })

  it('with its events, as a stream on each node', async () => {
    const instance = await cluster.paired('15550001999', 'streamed')
    await cluster.phone('15550002999', 'Cat')
    const told = cluster.nodes.map((node) => ({ node, text: '' }))
    for (const one of told) {
      const aborter = new AbortController()
      cleanup.after(() => aborter.abort())
      const response = await fetch(`${one.node.url}/sse?token=${instance.token}`, { signal: aborter.signal })
      assert.equal(response.status, 200)
      void (async () => {
        for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
          one.text += Buffer.from(part).toString()
      })().catch(() => {})
    }
    await eventually(
      () => told.map(({ text }) => text),
      (texts) => texts.every((text) => text.includes(':')),
    )
    for (let index = 0; index < 5; index += 1)
      await cluster.network('POST', '/phones/15550002999/text', { to: instance.number, text: `streamed ${index}` })
    await eventually(
      () =>
        told.map(({ text }) =>
          [...new Set([...text.matchAll(/"text":"streamed (\d)"/g)].map(([, index]) => index))].join(''),
        ),
      (orders) => orders.every((order) => order === '01234'),
    )
  })
})
