/** compose/haproxy.cfg as it is, before two real nodes. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'
import { startSandbox } from '../sandbox/index.js'
import { eventually } from '../test/support/eventually.js'
import { startGateway } from '../test/support/gateway.js'
import { findHaproxy } from '../test/support/haproxy-program.js'
import { lastingPort } from '../test/support/port.js'

it('the balancer of compose.yaml gives every call to a node that answers it, also while one leaves', async (t) => {
  const haproxy = await findHaproxy().catch(() => undefined)
  if (haproxy === undefined) return t.skip('there is no HAProxy on this machine and none could be fetched')
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  // As in compose.yaml.
  const env = {
    SHUTDOWN_NOTICE_MS: '5000',
    METRICS_TOKEN: 'for-prometheus',
    MEDIA_STORAGE: 'none',
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
  }
  const first = await startGateway(t, { sandbox, env: { ...env, NODE_ID: 'node1' } })
  const second = await startGateway(t, { sandbox, env: { ...env, NODE_ID: 'node2' }, beside: first })
  const port = await lastingPort()
  const readHost = (url: string): string => new URL(url).host
  const balancer = spawn(haproxy.program, ['-db', '-f', path.join(packageRoot, 'compose', 'haproxy.cfg')], {
    env: { ...haproxy.environment, PORT: String(port), NODE1: readHost(first.url), NODE2: readHost(second.url) },
    stdio: 'ignore',
  })
  t.after(() => end(balancer))

  const ask = async (route: string): Promise<number> =>
    await fetch(`http://127.0.0.1:${port}${route}`, { headers: { admintoken: first.adminToken } }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
  await eventually(
    () => ask('/ready'),
    (status) => status === 200,
  )
  assert.equal(await ask('/metrics'), 401)

  // A node that knows of no other leaves without a notice. The list is read from the store, which knows the second before the first does; once
  // the second has shards, the first has given them away.
  await eventually(
    async () => (await first.call<{ nodes: { shards: number }[] }>('GET', '/admin/nodes', { admin: true })).body.nodes,
    (nodes) => nodes.length === 2 && nodes.every(({ shards }) => shards > 0),
    30_000,
  )
  let hasEnded = false
  const ending = first.kill('SIGTERM').then(() => {
    hasEnded = true
  })
  const statuses = new Map<number, number>()
  while (!hasEnded || (statuses.get(200) ?? 0) < 100) {
    const status = await ask('/instance/all')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  await ending
  assert.deepEqual([...statuses.keys()], [200])
  assert.ok(second.isRunning)
})

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
