import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'

it('a lone node announces no events; a node that joins receives them from its first stream on', async (t) => {
  const cluster = await startCluster(t, { nodes: 1 })
  const [first] = cluster.nodes
  assert.ok(first)
  const instance = await cluster.paired('15550003999', 'streamed')
  await cluster.phone('15550004999', 'Cat')
  const say = (text: string) => cluster.network('POST', '/phones/15550004999/text', { to: instance.number, text })
  const hintsSent = async () => {
    const { body } = await first.call<string>('GET', '/metrics')
    return Number(/^posthorn_hints_total\{what="sent"\} (\d+)$/m.exec(body)?.[1] ?? 0)
  }
  const before = await hintsSent()
  const received = async () => {
    const { body } = await first.call<string>('GET', '/metrics')
    return Number(/^posthorn_messages_received_total (\d+)$/m.exec(body)?.[1] ?? 0)
  }
  const receivedBefore = await received()
  for (let index = 0; index < 5; index += 1) await say(`alone ${index}`)
  await eventually(received, (count) => count >= receivedBefore + 5)
  assert.equal(await hintsSent(), before)

  const second = await cluster.addNode()
  const aborter = new AbortController()
  t.after(() => aborter.abort())
  const response = await fetch(`${second.url}/sse?token=${instance.token}`, { signal: aborter.signal })
  assert.equal(response.status, 200)
  let told = ''
  void (async () => {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) told += Buffer.from(part).toString()
  })().catch(() => {})
  const hintsHeard = async () => {
    const { body } = await second.call<string>('GET', '/metrics')
    return Number(/^posthorn_hints_total\{what="heard"\} (\d+)$/m.exec(body)?.[1] ?? 0)
  }
  for (let index = 0; index < 5; index += 1) {
    const heardBefore = await hintsHeard()
    await say(`joined ${index}`)
    await eventually(() => told.includes(`"joined ${index}"`))
    await eventually(hintsHeard, (heard) => heard > heardBefore)
  }
})
