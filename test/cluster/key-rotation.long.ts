import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'

it('a new encryption key is introduced in a cluster, node by node, without a failed call or a new pairing', async (t) => {
  const [former, present] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const cluster = await startCluster(t, { nodes: 2, env: { ENCRYPTION_KEY: former } })
  const people = ['15551600002', '15551600003', '15551600004']
  const accounts = await Promise.all(people.map((number) => cluster.paired(number)))
  await cluster.phone('15551600001')
  const texts = new Set<string>()
  const failed: unknown[] = []
  let isOver = false
  const calling = accounts.map(async (account, index) => {
    for (let count = 0; !isOver; count += 1) {
      const text = `${index}-${count}`
      const body = { number: '15551600001', text }
      const answer = await account
        .call('POST', '/send/text', body, { 'Idempotency-Key': text })
        .catch((error: unknown) => ({ status: 0, body: String(error) }))
      // A connection that a node which leaves has cut is asked again, under its key.
      if (answer.status === 200) texts.add(text)
      else if (answer.status === 0) count -= 1
      else failed.push(answer.body)
    }
  })
  const roll = async (env: Record<string, string>) => {
    for (const node of cluster.nodes) {
      await node.kill()
      await node.start(env)
      await cluster.shared(cluster.nodes)
    }
  }
  await roll({ ENCRYPTION_KEYS_OLD: present })
  await roll({ ENCRYPTION_KEY: present, ENCRYPTION_KEYS_OLD: former })
  const left = async () => {
    const pages = await Promise.all(cluster.nodes.map((node) => node.call<string>('GET', '/metrics')))
    return pages.map(({ body }) => /^posthorn_encryption_values_left (\d+)$/m.exec(String(body))?.[1])
  }
  await eventually(left, (told) => told.includes('0'), 150_000)
  await roll({ ENCRYPTION_KEYS_OLD: '' })
  isOver = true
  await Promise.all(calling)
  for (const account of accounts) await account.connected()
  const arrived = await cluster.network<{ text: string; arrivals: number }[]>('GET', '/phones/15551600001/messages')
  const lost = [...texts].filter((text) => !arrived.some((message) => message.text === text))
  assert.deepEqual([failed, lost], [[], []])
  assert.ok(texts.size > 20)
  assert.deepEqual(await cluster.network('GET', '/log/retries'), [])
})
