import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type ClusterNode, startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'

interface Job {
  readonly id: string
  readonly state: string
  readonly node: string
  readonly count: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
}
interface Shown {
  readonly jobs: readonly Job[]
  readonly instances: readonly { readonly instance: string; readonly outcome: string; readonly reason: string }[]
}
interface Login {
  readonly device: string
  readonly node: string
}

const COUNT = 9

it('kill -9 of the node that restarts connections: another continues, leaves none out and restarts none twice', async (t) => {
  const cluster = await startCluster(t, { env: { RECONNECT_DELAY_MAX_MS: '300' } })
  const ids: string[] = []
  for (let index = 0; index < COUNT; index += 1) ids.push((await cluster.paired(`1555300000${index}`)).id)
  /** The logins of each account, in their order. */
  const logins = async () => {
    const byDevice: Record<string, Login[]> = {}
    for (const login of await cluster.network<Login[]>('GET', '/log/logins'))
      byDevice[login.device] = [...(byDevice[login.device] ?? []), login]
    return byDevice
  }
  const before = await logins()
  const more = (all: typeof before, device: string) => (all[device]?.length ?? 0) - (before[device]?.length ?? 0)
  const [first] = cluster.nodes as readonly [ClusterNode, ...ClusterNode[]]
  const begun = await first.call<{ job: Job }>('POST', '/admin/restart', { admin: true, body: { perMinute: 60 } })
  assert.deepEqual([begun.status, begun.body.job.count], [202, COUNT])
  const { id } = begun.body.job
  const show = async (among: readonly ClusterNode[]) => {
    const { body } = await (among[0] as ClusterNode).call<Shown>('GET', `/admin/instances/bulk?id=${id}`, {
      admin: true,
    })
    return { ...(body.jobs[0] as Job), instances: body.instances }
  }
  const { node: name } = await eventually(
    () => show(cluster.nodes),
    ({ done }) => done >= 3,
  )
  const victim = cluster.nodes.find((node) => node.name === name)
  assert.ok(victim)
  await victim.kill('SIGKILL')
  const left = cluster.nodes.filter((node) => node !== victim)
  const after = await eventually(
    () => show(left),
    ({ state }) => state === 'done',
    90_000,
  )
  assert.notEqual(after.node, name)
  assert.deepEqual([after.done, after.skipped, after.failed], [COUNT, 0, 0], JSON.stringify(after.instances))
  assert.deepEqual(
    after.instances.map(({ instance }) => instance),
    ids.toSorted(),
  )
  // A change is done when its connection has ended; the login follows.
  const now = await eventually(logins, (all) => Object.keys(before).every((device) => more(all, device) >= 1))
  for (const [device, former] of Object.entries(before)) {
    const node = former.at(-1)?.node
    // Instances of the victim have also come back from its death.
    const most = node === name ? 2 : 1
    assert.ok(more(now, device) <= most, `${device} of ${node}: ${more(now, device)} logins`)
  }
})
