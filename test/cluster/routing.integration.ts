import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { FiguresReply } from '../../schemas/generated.js'
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

  it('tells an administrator the last hour of every node', async () => {
    const names = cluster.nodes.map(({ name }) => name).toSorted()
    for (const node of cluster.nodes) {
      const figures = async () => (await node.call<FiguresReply>('GET', '/admin/figures', { admin: true })).body
      // A busy machine may answer too late once. The next reading comes after some seconds.
      const { nodes = [] } = await eventually(
        figures,
        (now) => now.nodes?.every(({ minutes }) => (minutes ?? []).length > 0) === true,
        30_000,
      )
      assert.deepEqual(
        nodes.map(({ id }) => id),
        names,
      )
      for (const { minutes } of nodes) assert.ok((minutes?.at(-1)?.memoryBytes ?? 0) > 0, JSON.stringify(minutes))
    }
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

  describe('with changes of many instances', () => {
    interface Job {
      readonly id: string
      readonly state: string
      readonly count: number
      readonly waiting: number
      readonly done: number
      readonly skipped: number
      readonly failed: number
    }
    interface Answer {
      readonly code?: string
      readonly count: number
      readonly counts: Record<string, number>
      readonly ids: string[]
      readonly unknown: string[]
      readonly digest: string
      readonly job: Job | null
    }
    interface Shown {
      readonly jobs: Job[]
      readonly instances: { readonly instance: string; readonly outcome: string; readonly code: string }[]
      readonly next: number | null
    }
    const node = (index: number): ClusterNode => cluster.nodes[index % cluster.nodes.length] as ClusterNode
    const post = (at: number, body: object, path = '/admin/instances/bulk') =>
      node(at).call<Answer>('POST', path, { admin: true, body })
    const show = async (at: number, query: string) =>
      (await node(at).call<Shown>('GET', `/admin/instances/bulk?${query}`, { admin: true })).body
    const ended = async (at: number, job: Job | null) =>
      await eventually(
        () => show(at, `id=${job?.id}`),
        ({ jobs }) => jobs[0]?.state !== 'running',
      )
    const change = async (body: object) => {
      const { digest, unknown } = (await post(0, { ...body, dryRun: true })).body
      const begun = await post(1, { ...body, digest, perMinute: 3000 })
      assert.equal(begun.status, 202, JSON.stringify(begun.body))
      return { ...(await ended(2, begun.body.job)), unknown }
    }
    const six = { name: 'instance ' }

    it('counts them first, then changes each once, on whichever node it lives, and every node shows the progress', async () => {
      const countLogins = async () => (await cluster.network<unknown[]>('GET', '/log/logins')).length
      const before = await countLogins()
      const tried = (await post(0, { action: 'reset', filter: six, dryRun: true })).body
      assert.deepEqual([tried.count, tried.counts.connected, tried.ids.length, tried.job], [6, 6, 6, null])
      assert.equal(await countLogins(), before)
      const begun = await post(1, { action: 'reset', filter: six, digest: tried.digest, perMinute: 3000 })
      assert.equal(begun.status, 202, JSON.stringify(begun.body))
      for (const index of cluster.nodes.keys()) {
        const { jobs, instances } = await ended(index, begun.body.job)
        assert.deepEqual([jobs[0]?.state, jobs[0]?.done, jobs[0]?.failed], ['done', 6, 0], JSON.stringify(instances))
        assert.deepEqual(
          instances.map(({ instance }) => instance),
          tried.ids,
        )
      }
      await eventually(
        () => post(0, { action: 'reset', filter: six, dryRun: true }),
        ({ body }) => body.counts.connected === 6,
      )
      assert.equal(await countLogins(), before + 6)
      const page = await show(2, `id=${begun.body.job?.id}&outcome=done&limit=4`)
      assert.equal(page.instances.length, 4)
      assert.equal((await show(2, `id=${begun.body.job?.id}&limit=4&cursor=${page.next}`)).instances.length, 2)
      assert.equal((await node(0).call('GET', '/admin/instances/bulk?id=none', { admin: true })).status, 404)
    })

    it('refuses a run whose selection is not that of the dry run, and every selection that is none', async () => {
      const fresh = { action: 'tag', add: ['seen'], filter: { ...six, withoutTags: ['seen'] } }
      const { digest, ids } = (await post(0, { ...fresh, dryRun: true })).body
      await node(1).call('POST', '/instance/updateTags', { admin: true, body: { id: ids[0], add: ['seen'] } })
      for (const body of [{ ...fresh }, { ...fresh, add: ['other'] }, { ...fresh, action: 'delete', add: [] }]) {
        const refused = await post(2, { ...body, digest })
        assert.deepEqual([refused.status, refused.body.code], [409, 'SELECTION_CHANGED'])
      }
      const { jobs, instances } = await change(fresh)
      assert.deepEqual([jobs[0]?.done, instances.length], [5, 5])
      const hostile: [object, number][] = [
        [{ action: 'delete', filter: { name: "'; DELETE FROM instance; --" }, dryRun: true }, 200],
        [{ action: 'delete', filter: { search: '%_\\' }, dryRun: true }, 200],
        [{ action: 'delete', filter: { search: '\0' }, dryRun: true }, 400],
        [{ action: 'delete', filter: { nodes: ['n1'] }, dryRun: true }, 400],
        [{ action: 'delete', filter: {}, digest: 'x' }, 400],
        [{ action: 'delete', filter: {} }, 400],
        [{ action: 'delete', dryRun: true }, 400],
        [{ action: 'delete', ids, filter: {}, dryRun: true }, 400],
        [{ action: 'delete', ids: Array.from({ length: 1001 }, String), dryRun: true }, 400],
        [{ action: 'tag', filter: {}, dryRun: true }, 400],
        [{ action: 'reset', filter: {}, add: ['x'], dryRun: true }, 400],
        [{ action: 'reset', filtre: {}, ids, dryRun: true }, 400],
        [{ action: 'restart', ids, dryRun: true }, 400],
      ]
      for (const [body, status] of hostile) {
        const answer = await post(0, body)
        assert.equal(answer.status, status, JSON.stringify([body, answer.body]).slice(0, 500))
        if (status === 200) assert.equal(answer.body.count, 0, JSON.stringify(body))
      }
    })

    it('restarts connections at a pace, and begins no further one when it is cancelled', async () => {
      const all = (await post(0, { filter: six, dryRun: true }, '/admin/restart')).body
      assert.equal(all.count, 6)
      // Chance decides how many live on which.
      const tries = cluster.nodes.map(({ name }) => post(0, { nodes: [name], dryRun: true }, '/admin/restart'))
      const onNodes = (await Promise.all(tries)).reduce((sum, { body }) => sum + body.count, 0)
      assert.ok(onNodes >= 6, String(onNodes))
      const begun = await post(0, { filter: six, perMinute: 1 }, '/admin/restart')
      assert.equal(begun.status, 202)
      const again = await post(1, { filter: six }, '/admin/restart')
      assert.equal(again.body.job?.id, begun.body.job?.id, 'the same call finds the running job')
      await eventually(
        () => show(1, `id=${begun.body.job?.id}`),
        ({ jobs }) => jobs[0]?.done === 1,
      )
      const cancelled = await post(2, { id: begun.body.job?.id }, '/admin/instances/bulk/cancel')
      assert.deepEqual([cancelled.body.job?.state, cancelled.body.job?.waiting], ['cancelled', 5])
      const other = await post(0, { filter: {}, ids: all.ids }, '/admin/restart')
      assert.equal(other.status, 400)
      // A restart that begins after it shows that the job runs no more.
      const { body } = await post(0, { ids: all.ids.slice(0, 1), perMinute: 3000 }, '/admin/restart')
      await ended(1, body.job)
      const [job] = (await show(2, `id=${begun.body.job?.id}`)).jobs
      assert.deepEqual([job?.state, job?.done, job?.waiting], ['cancelled', 1, 5])
    })

    it('ends sessions and deletes, names those that it left or could not change, and the audit log has each', async () => {
      const [kept, gone] = (await post(0, { action: 'connect', filter: six, dryRun: true })).body.ids as [
        string,
        string,
      ]
      const ended = await change({ action: 'disconnect', ids: [kept, gone, 'inone'] })
      assert.deepEqual([ended.jobs[0]?.done, ended.unknown], [2, ['inone']])
      const connected = await change({ action: 'connect', ids: [kept] })
      assert.deepEqual(
        connected.instances.map(({ outcome, code }) => [outcome, code]),
        [['skipped', 'INSTANCE_NOT_PAIRED']],
      )
      const reset = await change({ action: 'reset', ids: [kept] })
      assert.deepEqual(
        reset.instances.map(({ outcome, code }) => [outcome, code]),
        [['skipped', 'INSTANCE_NOT_CONNECTED']],
      )
      const full = { id: kept, tags: Array.from({ length: 20 }, (_, index) => `tag ${index}`) }
      await node(0).call('POST', '/instance/updateTags', { admin: true, body: full })
      const tagged = await change({ action: 'tag', ids: [kept, gone], add: ['one more'] })
      assert.deepEqual(tagged.instances.map(({ outcome, code }) => [outcome, code]).toSorted(), [
        ['done', ''],
        ['failed', 'INVALID_REQUEST'],
      ])
      const deleted = await change({ action: 'delete', ids: [gone] })
      assert.equal(deleted.jobs[0]?.done, 1)
      const { body } = await node(2).call<{ entries: { operation: string; status: number; requestId: string }[] }>(
        'GET',
        `/admin/audit?subject=${gone}&operation=changeInstances`,
        { admin: true },
      )
      assert.deepEqual(
        body.entries.map(({ operation, status, requestId }) => [operation, status, requestId]),
        [deleted, ended].map(({ jobs }) => ['changeInstances', 200, jobs[0]?.id]),
      )
      assert.equal((await post(1, { action: 'delete', ids: [gone], dryRun: true })).body.count, 0)
    })
  })
})
