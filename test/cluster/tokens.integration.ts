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
  const cleanup = suiteCleanup()
  before(async () => {
    cluster = await startCluster(cleanup, { nodes: 2 })
    ;[one, two] = cluster.nodes as [ClusterNode, ClusterNode]
    ana = await cluster.instance('ana')
  })

  const ask = (node: ClusterNode, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    node.call<Json>(method, path, { headers, ...(body === undefined ? {} : { body }) })
  const statusOf = async (node: ClusterNode, token: string) =>
    (await ask(node, 'GET', '/instance/status', { token })).status
  const adminStatusOf = async (node: ClusterNode, admintoken: string) =>
    (await ask(node, 'GET', '/admin/nodes', { admintoken })).status

  let stream: Promise<string>
  before(async () => {
    const answer = await fetch(`${two.url}/sse`, { headers: { token: ana.token } })
    assert.equal(answer.status, 200)
    stream = answer.text()
  })

  it('an instance gets another token on one node, and the former one ends on all, at once or after a grace', async () => {
    for (const node of cluster.nodes) assert.equal(await statusOf(node, ana.token), 200)
    const first = await ask(one, 'POST', '/instance/token/rotate', { token: ana.token }, {})
    const second = first.body.token as string
    assert.equal(first.status, 200)
    assert.notEqual(second, ana.token)
    assert.equal(await statusOf(one, ana.token), 401)
    await eventually(async () => (await statusOf(two, ana.token)) === 401, undefined, 4_000)
    for (const node of cluster.nodes) assert.equal(await statusOf(node, second), 200)

    const graceful = await ask(two, 'POST', '/instance/token/rotate', { token: second }, { graceSeconds: 600 })
    const third = graceful.body.token as string
    assert.ok(Date.parse(String(graceful.body.former_end)) > Date.now() + 500_000)
    for (const node of cluster.nodes)
      for (const token of [second, third]) await eventually(async () => (await statusOf(node, token)) === 200)

    // Who has lost it asks the administrator; all former ones end with it.
    const path = `/admin/instances/${ana.id}/token/rotate`
    const given = await one.call<Json>('POST', path, { admin: true, body: {} })
    const fourth = given.body.token as string
    for (const node of cluster.nodes) {
      for (const token of [second, third])
        await eventually(async () => (await statusOf(node, token)) === 401, undefined, 4_000)
      assert.equal(await statusOf(node, fourth), 200)
    }
    const missing = await one.call<Json>('POST', '/admin/instances/inone/token/rotate', { admin: true, body: {} })
    assert.deepEqual([missing.status, missing.body.code], [404, 'INSTANCE_NOT_FOUND'])
  })

  it('a stream that is open on another node ends with its token', async () => {
    assert.doesNotMatch(await stream, /^data:/m)
  })

  it('an administrator rotates away ADMIN_TOKEN, which stays so after a restart, and another one is the way back', async () => {
    const bootstrap = one.adminToken
    const rotate = async (node: ClusterNode, admintoken: string, graceSeconds: number) => {
      const answer = await ask(node, 'POST', '/admin/token/rotate', { admintoken }, { graceSeconds })
      assert.equal(answer.status, 200)
      return answer.body.admin_token as string
    }
    for (const node of cluster.nodes) assert.equal(await adminStatusOf(node, bootstrap), 200)
    const second = await rotate(one, bootstrap, 600)
    for (const node of cluster.nodes)
      for (const token of [bootstrap, second]) await eventually(async () => (await adminStatusOf(node, token)) === 200)
    const third = await rotate(two, second, 0)
    for (const node of cluster.nodes) {
      for (const token of [bootstrap, second])
        await eventually(async () => (await adminStatusOf(node, token)) === 401, undefined, 4_000)
      assert.equal(await adminStatusOf(node, third), 200)
    }

    await two.kill('SIGKILL')
    await two.start()
    assert.equal(await adminStatusOf(two, bootstrap), 401)
    assert.equal(await adminStatusOf(two, third), 200)
    assert.match(two.output(), /ADMIN_TOKEN was rotated away/)
    await two.kill('SIGKILL')
    await two.start({ ADMIN_TOKEN: 'another-token-of-the-operator' })
    assert.equal(await adminStatusOf(two, 'another-token-of-the-operator'), 200)
    assert.equal(await adminStatusOf(one, 'another-token-of-the-operator'), 401, 'it is that of the nodes that have it')
    const fourth = await rotate(two, 'another-token-of-the-operator', 0)
    await eventually(async () => (await adminStatusOf(one, fourth)) === 200)
    for (const node of cluster.nodes)
      await eventually(async () => (await adminStatusOf(node, third)) === 401, undefined, 4_000)
  })
})
