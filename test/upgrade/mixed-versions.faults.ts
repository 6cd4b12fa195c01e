import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startChatwoot } from '../../sandbox/chatwoot/index.js'
import { type Scene, startScene, takenOver } from '../cluster/scene.js'
import type { Cleanup } from '../support/cleanup.js'
import type { ClusterNode } from '../support/cluster.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { buildCommit, chooseProgram, findCommit, readReleased } from '../support/released.js'

/** The former release gives an event up after 20 attempts: with the settings of its releases after an hour, here after a minute. */
const SLOW_RETRIES = { WEBHOOK_BACKOFF_MIN_MS: '500', WEBHOOK_BACKOFF_MAX_MS: '5000' }

it('a roll-out from the last release: both programs on one schema and in one cluster, nothing lost, doubled or failed', async (t) => {
  const { commit: recorded, version } = readReleased()
  const commit = await findCommit(recorded)
  if (commit === null) {
    t.skip(`The program of ${version} is built from git, and this tree has no commit ${recorded}.`)
    return
  }
  const built = await buildCommit(commit, testFolder(t))
  const scene = await startScene(t, { nodes: 2, instances: 3, program: chooseProgram(built), env: SLOW_RETRIES })
  const { cluster } = scene
  const [first, second] = [...cluster.nodes]
  // It brings the schema up under the old ones, which continue.
  const fresh = await cluster.addNode({ DIALECTS: 'evolution' })
  await scene.goesOn(1)
  await first?.kill('SIGTERM')
  await takenOver(scene, first?.name ?? '')
  // A call to one of them may be for an instance of the other.
  const owners = await cluster.shards()
  assert.ok(
    [second, fresh].every((node) => (owners[node?.name ?? ''] ?? 0) > 0),
    JSON.stringify(owners),
  )
  await schedulesAtBoth(scene, fresh)
  const dialect = await calledAsEvolution(t, scene, fresh)
  const chatwoot = await carriedToChatwoot(t, scene, fresh)
  await scene.goesOn(3)
  await second?.kill('SIGTERM')
  await takenOver(scene, second?.name ?? '')
  await scene.goesOn(1)
  await chatwoot.hasAll()
  await dialect.hasAll()
  assert.deepEqual(scene.failed(), {})
  await scene.ends()
})

/** A scheduled message is sent once, whichever program owns the instance when it is due. */
async function schedulesAtBoth({ cluster, instances }: Scene, fresh: ClusterNode): Promise<void> {
  const peer = '15553000001'
  await cluster.phone(peer)
  const answers = await Promise.all(
    instances.map(({ token }, index) =>
      fresh.call<{ status?: string; code?: string; messageid?: string }>('POST', '/send/text', {
        token,
        body: { number: peer, text: `planned ${index}`, send_at: Date.now() + 12_000 },
      }),
    ),
  )
  const shown = () => cluster.network<{ id: string }[]>('GET', `/phones/${peer}/messages?own=false`)
  for (const { status, body } of answers) assert.deepEqual([status, body.status], [200, 'scheduled'])
  const planned = answers.flatMap(({ body }) => body.messageid ?? [])
  const arrived = await eventually(shown, (messages) => messages.length >= planned.length)
  assert.deepEqual(arrived.map(({ id }) => id).sort(), planned.sort())
}

/**
 * Calls all instances by the interface of Evolution API, which only the new node serves, also those that a node of the former release owns. That
 * one writes the events of such a webhook in our own form; none is lost or doubled.
 */
async function calledAsEvolution(
  t: Cleanup,
  { cluster, instances }: Scene,
  fresh: ClusterNode,
): Promise<{ hasAll(): Promise<void> }> {
  const [receiver, peer] = [await startReceiver(t), '15553000002']
  await cluster.phone(peer)
  const expected: string[] = []
  const names: string[] = []
  const call = async <T>(token: string, method: string, path: string, body?: object): Promise<T> => {
    const fields = body === undefined ? {} : { body }
    const answer = await fresh.call<T>(method, `/evolution${path}`, { headers: { apikey: token }, ...fields })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const write = async (round: string): Promise<void> => {
    for (const [index, { token, number }] of instances.entries()) {
      const name = encodeURIComponent(names[index] ?? '')
      const sent = { number: peer, text: `to ${round} ${index}` }
      const { key } = await call<{ key: { id: string } }>(token, 'POST', `/message/sendText/${name}`, sent)
      const shown = await cluster.network<{ id: string }[]>('GET', `/phones/${peer}/messages?own=false`)
      assert.equal(shown.filter(({ id }) => id === key.id).length, 1)
      expected.push(`from ${round} ${index}`)
      await cluster.network('POST', `/phones/${peer}/text`, { to: number, text: `from ${round} ${index}` })
    }
  }
  for (const { token } of instances) {
    const [row] = await call<{ name: string }[]>(token, 'GET', '/instance/fetchInstances')
    assert.ok(row)
    names.push(row.name)
    const webhook = { enabled: true, url: receiver.url, events: ['MESSAGES_UPSERT'] }
    await call(token, 'POST', `/webhook/set/${encodeURIComponent(row.name)}`, { webhook })
  }
  await write('amid')
  const readText = ({ body }: Receiver['got'][number]): string => {
    const { data, message } = body as { data?: { message?: { conversation?: string } }; message?: { text?: string } }
    return data?.message?.conversation ?? message?.text ?? ''
  }
  const got = () => receiver.got.map(readText).filter((text) => text.startsWith('from '))
  return {
    async hasAll() {
      await write('after')
      await eventually(got, (texts) => texts.length >= expected.length, 60_000)
      assert.deepEqual(got().toSorted(), expected.toSorted())
      // The former release is gone: the form is that of the dialect.
      const last = receiver.got.filter((one) => readText(one).startsWith('from after'))
      assert.deepEqual(new Set(last.map(({ body }) => body.event)), new Set(['messages.upsert']))
    },
  }
}

/** Connects all instances, those of a node of the former release included, and lets people write to them. */
async function carriedToChatwoot(
  t: Cleanup,
  { cluster, instances }: Scene,
  fresh: ClusterNode,
): Promise<{ hasAll(): Promise<void> }> {
  const chatwoot = await startChatwoot({ messagesPerMinute: 1_000_000, requestsPerMinute: 1_000_000 })
  t.after(() => chatwoot.close())
  for (const { token } of instances) {
    const body = {
      ...{ enabled: true, url: chatwoot.url, access_token: chatwoot.tokens.administrator },
      ...{ account_id: chatwoot.account.id, inbox_id: chatwoot.inbox.id },
    }
    const { status, body: answer } = await fresh.call('PUT', '/chatwoot/config', { token, body })
    assert.equal(status, 200, JSON.stringify(answer))
  }
  const expected: string[] = []
  for (const [index, { number }] of instances.entries()) {
    const person = `1555300001${index}`
    await cluster.phone(person)
    for (const at of [1, 2]) {
      expected.push(`carried ${index} ${at}`)
      await cluster.network('POST', `/phones/${person}/text`, { to: number, text: `carried ${index} ${at}` })
    }
  }
  const carried = () =>
    chatwoot
      .messages()
      .map(({ content }) => content ?? '')
      .filter((text) => text.startsWith('carried '))
  return {
    async hasAll() {
      await eventually(carried, (found) => found.length >= expected.length, 60_000)
      for (const index of instances.keys()) {
        const ofThis = (text: string) => text.startsWith(`carried ${index} `)
        assert.deepEqual(carried().filter(ofThis), expected.filter(ofThis))
      }
    },
  }
}
