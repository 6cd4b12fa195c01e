import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

describe('tokens in a cluster', () => {
  let cluster: Cluster
  let ana: TestInstance
  let one: ClusterNode
  let two: ClusterNode
  const admins: string[] = []
  const cleanup = suiteCleanup()
  before(async () => {
    cluster = await startCluster(cleanup, { nodes: 2, env: { RATE_LIMIT_REFUSED_PER_MINUTE: '0', MCP: 'true' } })
    ;[one, two] = cluster.nodes as [ClusterNode, ClusterNode]
    ana = await cluster.instance('ana')
  })

  const ask = (node: ClusterNode, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    node.call<Json>(method, path, { headers, ...(body === undefined ? {} : { body }) })
  const readStatus = async (node: ClusterNode, token: string) =>
    (await ask(node, 'GET', '/instance/status', { token })).status
  const readAdminStatus = async (node: ClusterNode, admintoken: string) =>
    (await ask(node, 'GET', '/admin/nodes', { admintoken })).status

  let streamed: string | undefined
  before(async () => {
    const answer = await fetch(`${two.url}/sse`, { headers: { token: ana.token } })
    assert.equal(answer.status, 200)
    void answer.text().then((text) => {
      streamed = text
    })
  })

  it('an instance gets another token on one node, and the former one ends on all, at once or after a grace', async () => {
    for (const node of cluster.nodes) assert.equal(await readStatus(node, ana.token), 200)
    const first = await ask(one, 'POST', '/instance/token/rotate', { token: ana.token }, {})
    const second = first.body.token as string
    assert.equal(first.status, 200)
    assert.notEqual(second, ana.token)
    assert.equal(await readStatus(one, ana.token), 401)
    await eventually(async () => (await readStatus(two, ana.token)) === 401)
    for (const node of cluster.nodes) assert.equal(await readStatus(node, second), 200)

    const graceful = await ask(two, 'POST', '/instance/token/rotate', { token: second }, { graceSeconds: 600 })
    const third = graceful.body.token as string
    assert.ok(Date.parse(String(graceful.body.former_end)) > Date.now() + 500_000)
    for (const node of cluster.nodes)
      for (const token of [second, third]) await eventually(async () => (await readStatus(node, token)) === 200)

    // An owner who has lost it asks the administrator; all former ones end with it.
    const path = `/admin/instances/${ana.id}/token/rotate`
    const given = await one.call<Json>('POST', path, { admin: true, body: {} })
    const fourth = given.body.token as string
    for (const node of cluster.nodes) {
      for (const token of [second, third]) await eventually(async () => (await readStatus(node, token)) === 401)
      assert.equal(await readStatus(node, fourth), 200)
    }
    const missing = await one.call<Json>('POST', '/admin/instances/inone/token/rotate', { admin: true, body: {} })
    assert.deepEqual([missing.status, missing.body.code], [404, 'INSTANCE_NOT_FOUND'])
  })

  it('an agent is asked on one node, and its confirmed call is taken on the other', async () => {
    const use = async (node: ClusterNode, args: Json) => {
      const headers = { token: kim.token, accept: 'application/json, text/event-stream' }
      const params = { name: 'send_message', arguments: args }
      const answer = await fetch(`${node.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      const data = /^data: (.*)$/m.exec(await answer.text())?.[1] ?? '{}'
      const { result } = JSON.parse(data) as { result: { isError?: boolean; content: { text: string }[] } }
      return { isError: result.isError === true, ...(JSON.parse(result.content[0]?.text ?? '{}') as Json) }
    }
    await cluster.phone('15551500008', 'Lee')
    const kim = await cluster.paired('15551500007', 'Kim')
    const args = { to: '15551500008', text: 'Hello' }
    const { code, confirm } = (await use(one, args)) as Json
    assert.equal(code, 'CONFIRMATION_NEEDED')
    assert.equal((await use(two, { ...args, confirm })).isError, false)
  })

  it('a key made on one node works on the other for its scope only, until it ends', async () => {
    const [ben, cat] = ['15551500002', '15551500003']
    await Promise.all([cluster.phone(ben, 'Ben', { lid: '900000000000502' }), cluster.phone(cat, 'Cat')])
    const dan = await cluster.paired('15551500001', 'Dan')
    const toCat = await dan.text(cat, 'not for the key')
    await cluster.network('POST', `/phones/${ben}/text`, { to: dan.number, text: 'for the key' })
    const make = async (key: Json) => {
      const answer = await ask(one, 'POST', '/instance/keys', { token: dan.token }, key)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as { token: string; key: Json & { id: string } }
    }
    const forBen = await make({ name: 'Ben', scopes: ['read', 'send'], chat: ben })
    const reads = await make({ name: 'reads', scopes: ['read'] })
    const sends = await make({ name: 'sends', scopes: ['send'] })
    const short = await make({ name: 'short', scopes: ['send'], expiresInSeconds: 1 })

    const call = async (key: { token: string }, path: string, body: unknown) => {
      const { status, body: told } = await ask(two, 'POST', path, { token: key.token }, body)
      return { status, told, code: told.code }
    }
    const own = await call(forBen, '/send/text', { number: ben, text: 'from the key' })
    assert.equal(own.status, 200)
    const byLid = await call(forBen, '/send/text', { number: '900000000000502@lid', text: 'by his LID' })
    assert.equal(byLid.status, 200, 'another name of the same chat')
    const refused = await Promise.all([
      call(forBen, '/send/text', { number: cat, text: 'to another' }),
      call(forBen, '/send/text', { number: ben, text: 'with the words of another', replyid: toCat.messageid }),
      call(forBen, '/message/find', { chatid: cat }),
      call(forBen, '/message/find', { chatid: ben, id: '' }).then(({ code, status }) => ({ code: code ?? status })),
      call(forBen, '/message/delete', { id: toCat.id }),
      call(forBen, '/message/download', { id: `${dan.number}:${toCat.messageid}` }),
      call(forBen, '/chat/find', {}),
    ])
    const other = 'KEY_OTHER_CHAT'
    assert.deepEqual(
      refused.map(({ code }) => code),
      [other, other, other, 200, other, other, other],
    )
    const around = await call(forBen, '/message/find', { around: toCat.messageid })
    assert.equal(around.code, 'MESSAGE_NOT_FOUND', 'a message of another chat is none')
    const pass = (await ask(one, 'POST', '/pass', { token: forBen.token }, {})).body as { token: string }
    assert.equal(
      (await call(pass, '/message/find', { chatid: cat })).code,
      other,
      'nor does a pass of the key go further',
    )
    assert.equal((await call(pass, '/message/find', { chatid: ben })).status, 200)
    const found = await eventually(
      async () => (await call(forBen, '/message/find', {})).told.messages as Json[],
      (all) => all.length === 3,
    )
    assert.ok(found.every(({ chatid }) => chatid === `${ben}@s.whatsapp.net`))
    assert.equal(((await call(reads, '/message/find', {})).told.messages as Json[]).length, 4)
    assert.equal((await call(reads, '/send/text', { number: ben, text: 'x' })).code, 'KEY_NOT_ENOUGH')
    assert.equal((await call(sends, '/message/find', {})).code, 'KEY_NOT_ENOUGH')
    for (const path of ['/instance/keys', '/instance/token/rotate', '/instance/disconnect'])
      assert.equal((await call(forBen, path, { name: 'more', scopes: ['read'] })).code, 'KEY_NOT_ENOUGH', path)
    const heard = await cluster.network<Json[]>('GET', `/phones/${cat}/messages`)
    assert.deepEqual(
      heard.map(({ text }) => text),
      ['not for the key'],
    )

    await eventually(
      async () => (await call(short, '/send/text', { number: cat, text: 'x', delay: -1 })).status === 401,
    )
    const { body } = await ask(two, 'GET', '/instance/keys', { token: dan.token })
    const listed = body.keys as Json[]
    assert.deepEqual(
      listed.map(({ name, chat }) => [name, chat]),
      [
        ['Ben', `${ben}@s.whatsapp.net`],
        ['reads', ''],
        ['sends', ''],
      ],
    )
    for (const { token } of [forBen, reads]) {
      assert.ok(!JSON.stringify(listed).includes(token))
      assert.ok(token.startsWith(`${listed.find(({ prefix }) => token.startsWith(`${prefix}`))?.prefix}_`))
    }
    const gone = await ask(one, 'DELETE', `/instance/keys/${forBen.key.id}`, { token: dan.token })
    assert.equal(gone.status, 200)
    await eventually(async () => (await call(forBen, '/message/find', {})).status === 401)
    assert.equal((await call(reads, '/message/find', {})).status, 200)
  })

  it('an administrator acts on an instance by a pass, of which the audit log has all it did, until it is ended', async () => {
    const eve = '15551500005'
    await cluster.phone(eve, 'Eve')
    const fay = await cluster.paired('15551500004', 'Fay')
    const opened = await one.call<{ token: string; pass: Json }>('POST', `/admin/instances/${fay.id}/pass`, {
      admin: true,
      body: {},
    })
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    const { token, pass } = opened.body
    assert.deepEqual([pass.instance, pass.openedBy, pass.actor], [fay.id, 'admin', 'ADMIN_TOKEN'])
    const shown = await ask(two, 'GET', '/pass', { token })
    assert.deepEqual([shown.body.kind, (shown.body.instance as Json).id], ['admin', fay.id])
    for (const node of cluster.nodes)
      assert.equal((await ask(node, 'POST', '/send/text', { token }, { number: eve, text: node.name })).status, 200)
    for (let times = 0; times < 2; times += 1)
      assert.equal((await ask(two, 'POST', '/message/find', { token }, { chatid: eve })).status, 200)
    assert.equal((await ask(one, 'GET', '/admin/nodes', { admintoken: token })).status, 401)
    assert.equal((await ask(one, 'POST', '/pass', { token }, {})).body.code, 'PASS_NOT_ENOUGH')

    const listed = (await ask(two, 'GET', '/passes', { token: fay.token })).body.passes as Json[]
    assert.deepEqual(
      listed.map(({ id }) => id),
      [pass.id],
    )
    assert.ok(!JSON.stringify(listed).includes(token))
    assert.equal((await ask(two, 'DELETE', '/pass', { token })).status, 200)
    for (const node of cluster.nodes) assert.equal(await readStatus(node, token), 401)

    const done = (await one.call<Json>('GET', `/admin/audit?pass=${String(pass.id)}`, { admin: true })).body
    assert.deepEqual(
      (done.entries as Json[])
        .map(({ operation, actorKind, actor, subject, status }) => [operation, actorKind, actor, subject, status])
        .toReversed(),
      [
        ['openInstancePass', 200],
        ['showPass', 200],
        ['sendText', 200],
        ['sendText', 200],
        ['findMessages', 200],
        ['openPass', 403],
        ['endPass', 200],
      ].map(([operation, status]) => [operation, 'admin', 'ADMIN_TOKEN', fay.id, status]),
    )
  })

  it('a pass has the rights of its parent, and ends with it on all nodes', async () => {
    const gil = await cluster.instance('gil')
    const open = async (headers: Record<string, string>, path = '/pass') => {
      const answer = await ask(one, 'POST', path, headers, { expiresInSeconds: 600 })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as { token: string; pass: Json }
    }
    const key = await ask(one, 'POST', '/instance/keys', { token: gil.token }, { name: 'reads', scopes: ['read'] })
    const ofKey = await open({ token: String(key.body.token) })
    const ofToken = await open({ token: gil.token })
    const find = async (node: ClusterNode, token: string) =>
      (await ask(node, 'POST', '/message/find', { token }, {})).status
    assert.equal(await find(two, ofKey.token), 200)
    const send = await ask(two, 'POST', '/send/text', { token: ofKey.token }, { number: '15551500005', text: 'x' })
    assert.equal(send.body.code, 'KEY_NOT_ENOUGH')
    await ask(one, 'DELETE', `/instance/keys/${(key.body.key as Json).id as string}`, { token: ofToken.token })
    assert.equal(await find(two, ofKey.token), 401)
    assert.equal(await find(two, ofToken.token), 200)
    await ask(one, 'POST', '/instance/token/rotate', { token: gil.token }, {})
    for (const node of cluster.nodes) assert.equal(await find(node, ofToken.token), 401)

    const own = await open({ admintoken: one.adminToken })
    assert.equal(await readAdminStatus(two, own.token), 200)
    const child = await open({ admintoken: own.token }, `/admin/instances/${gil.id}/pass`)
    assert.ok(String(child.pass.ends) <= String(own.pass.ends))
    assert.equal(await find(two, child.token), 200)
    const rotated = await ask(two, 'POST', '/admin/token/rotate', { admintoken: own.token }, {})
    assert.equal(rotated.body.code, 'PASS_NOT_ENOUGH')
    const ended = await ask(two, 'DELETE', `/passes/${String(own.pass.id)}`, { admintoken: two.adminToken })
    assert.equal(ended.status, 200)
    assert.equal(await readAdminStatus(one, own.token), 401)
    assert.equal(await find(one, child.token), 401)
    const none = await ask(one, 'POST', '/admin/instances/inone/pass', { admintoken: one.adminToken }, {})
    assert.equal(none.body.code, 'INSTANCE_NOT_FOUND')
  })

  it('a code of a link makes one pass on any node, with the rights of its parent, and opens nothing else', async () => {
    const hal = await cluster.instance('hal')
    const key = await ask(one, 'POST', '/instance/keys', { token: hal.token }, { name: 'reads', scopes: ['read'] })
    const createCode = async (headers: Record<string, string>) => {
      const answer = await ask(one, 'POST', '/pass/code', headers, {})
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as { code: string; pass: Json }
    }
    const admin = await createCode({ admintoken: one.adminToken })
    for (const [method, path] of [
      ['GET', '/pass'],
      ['DELETE', '/pass'],
      ['GET', '/admin/nodes'],
      ['POST', '/pass/code'],
      ['POST', `/admin/instances/${hal.id}/pass`],
    ] as const)
      assert.equal(
        (await ask(two, method, path, { admintoken: admin.code }, method === 'POST' ? {} : undefined)).status,
        401,
      )
    assert.equal((await ask(two, 'POST', '/pass', { token: admin.code }, {})).status, 401, 'in the wrong header')
    const listed = (await ask(two, 'GET', '/passes', { admintoken: two.adminToken })).body.passes as Json[]
    assert.equal(listed.find(({ id }) => id === admin.pass.id)?.isCode, true)
    assert.ok(!JSON.stringify(listed).includes(admin.code))

    const tried = await Promise.all(
      cluster.nodes.map((node) => ask(node, 'POST', '/pass', { admintoken: admin.code }, {})),
    )
    assert.deepEqual(tried.map(({ status }) => status).sort(), [200, 401], 'two nodes at once make one pass of it')
    const made = tried.find(({ status }) => status === 200)?.body as { token: string; pass: Json }
    for (const node of cluster.nodes) assert.equal(await readAdminStatus(node, made.token), 200)
    assert.equal((await ask(one, 'POST', '/pass/code', { admintoken: made.token }, {})).body.code, 'PASS_NOT_ENOUGH')
    const noted = (await one.call<Json>('GET', `/admin/audit?pass=${String(made.pass.id)}`, { admin: true })).body
    const opened = (noted.entries as Json[]).find(({ operation }) => operation === 'openPass')
    assert.deepEqual([opened?.actorKind, opened?.actor, opened?.status], ['admin', 'ADMIN_TOKEN', 200])

    const ofKey = await createCode({ token: String(key.body.token) })
    const reads = await ask(two, 'POST', '/pass', { token: ofKey.code }, { expiresInSeconds: 60 })
    const send = { number: '15551500005', text: 'x' }
    const asKey = { token: String(reads.body.token) }
    assert.equal((await ask(two, 'POST', '/send/text', asKey, send)).body.code, 'KEY_NOT_ENOUGH')
    assert.deepEqual((await ask(two, 'GET', '/pass', asKey)).body.scopes, ['read'])
    const late = await createCode({ token: String(key.body.token) })
    await ask(two, 'DELETE', `/instance/keys/${(key.body.key as Json).id as string}`, { token: hal.token })
    assert.equal((await ask(one, 'POST', '/pass', { token: late.code }, {})).status, 401, 'its parent has ended')
    assert.equal((await ask(one, 'GET', '/pass', asKey)).status, 401)
  })

  it('a stream that is open on another node ends with its token', async () => {
    const text = await eventually(
      () => streamed,
      (all) => all !== undefined,
    )
    assert.doesNotMatch(String(text), /^data:/m)
  })

  it('an administrator rotates away ADMIN_TOKEN on one node, which ends on all, at once or after a grace', async () => {
    const bootstrap = one.adminToken
    const rotate = async (node: ClusterNode, admintoken: string, graceSeconds: number) => {
      const answer = await ask(node, 'POST', '/admin/token/rotate', { admintoken }, { graceSeconds })
      assert.equal(answer.status, 200)
      admins.push(answer.body.admin_token as string)
      return answer.body.admin_token as string
    }
    for (const node of cluster.nodes) assert.equal(await readAdminStatus(node, bootstrap), 200)
    const second = await rotate(one, bootstrap, 600)
    for (const node of cluster.nodes)
      for (const token of [bootstrap, second])
        await eventually(async () => (await readAdminStatus(node, token)) === 200)
    const third = await rotate(two, second, 0)
    for (const node of cluster.nodes) {
      for (const token of [bootstrap, second])
        await eventually(async () => (await readAdminStatus(node, token)) === 401)
      assert.equal(await readAdminStatus(node, third), 200)
    }
  })

  it('every node lists these calls in the audit log, page by page, without a token', async () => {
    const made = await ask(one, 'POST', '/admin/token/rotate', { admintoken: admins.at(-1) ?? '' }, {})
    const admintoken = made.body.admin_token as string
    const page = async (query: string) => (await ask(two, 'GET', `/admin/audit?${query}`, { admintoken })).body
    await eventually(async () => (await readAdminStatus(two, admintoken)) === 200)
    const all = (await page('limit=500')).entries as Json[]
    const [newest] = all
    assert.deepEqual(
      [newest?.operation, newest?.actorKind, newest?.status, newest?.node],
      ['rotateAdminToken', 'admin', 200, 'n1'],
    )
    const about = ((await page(`subject=${ana.id}`)).entries as Json[]).map(({ operation, status }) => [
      operation,
      status,
    ])
    assert.deepEqual(about.toReversed(), [
      ['initInstance', 200],
      ['rotateToken', 200],
      ['rotateToken', 200],
      ['rotateInstanceToken', 200],
    ])
    const paged: unknown[] = []
    for (let next: unknown = Number.MAX_SAFE_INTEGER; next !== null; ) {
      const got = await page(`limit=3&before=${String(next)}`)
      paged.push(...(got.entries as Json[]).map(({ position }) => position))
      next = got.next
    }
    assert.deepEqual(
      paged,
      all.map(({ position }) => position),
    )
    for (const token of [ana.token, one.adminToken, ...admins, admintoken])
      assert.ok(!JSON.stringify(all).includes(token))
    const keys = ((await page('operation=createKey')).entries as Json[]).map(({ actorKind, status }) => [
      actorKind,
      status,
    ])
    const succeeded = (length: number) => Array.from({ length }, () => ['token', 200])
    assert.deepEqual(keys, [...succeeded(2), ['key', 403], ...succeeded(4)])
    assert.equal((await page('from=2026-06-30T23:59:60Z')).code, 'INVALID_REQUEST')
    assert.deepEqual((await page(`from=${new Date(Date.now() + 60_000).toISOString()}`)).entries, [])
  })
})
