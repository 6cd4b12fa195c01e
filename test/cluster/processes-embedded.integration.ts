import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { hasEndedWithin } from '../../runtime/embedded/processes.js'
import { startSandbox } from '../../sandbox/index.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startGateway } from '../support/gateway.js'

/** A busy machine takes its time. */
const PATIENCE_MS = 60_000

it('two processes share embedded servers: one link and one page are shown, the folder has one holder, and nothing is left', {
  timeout: 400_000,
}, async (t) => {
  const folder = testFolder(t)
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const browser = fakeBrowser(testFolder(t))
  const gateway = await startGateway(t, {
    sandbox,
    stores: { embeddedIn: folder },
    args: ['--open'],
    env: {
      ...browser.env,
      NODE_PROCESSES: '2',
      NODE_ID: 'twin',
      ADMIN_TOKEN: '',
      ENCRYPTION_KEY: '',
      CLUSTER_SECRET: '',
    },
  })
  const printed = (part: RegExp): readonly string[] => gateway.output().match(new RegExp(part, 'g')) ?? []
  const admintoken = await eventually(() => /token: {2}(\S+)/.exec(gateway.output())?.[1], Boolean, PATIENCE_MS)
  const bothActive = () =>
    eventually(
      async () => {
        const headers = { admintoken: admintoken ?? '' }
        const { body } = await gateway.call<{ nodes?: { id: string; state: string; shards: number }[] }>(
          'GET',
          '/admin/nodes',
          { headers },
        )
        return body.nodes?.map(({ id, state, shards }) => `${id} ${state} ${shards}`).join()
      },
      (nodes) => nodes === 'twin~1 active 128,twin~2 active 128',
      PATIENCE_MS,
    )
  await bothActive()
  await eventually(browser.opened, ({ length }) => length > 0, PATIENCE_MS)
  const { code, output } = await gateway.startSecond()
  assert.equal(code, 1)
  assert.match(output, new RegExp(`is in use by another gateway \\(process ${gateway.pid}\\)`))

  const pids = printed(/"number":\d,"pid":\d+,"msg":"Process started/).map((line) =>
    Number(/"pid":(\d+)/.exec(line)?.[1]),
  )
  assert.equal(pids.length, 2)
  await gateway.kill('SIGKILL')
  for (const pid of pids) assert.ok(await hasEndedWithin(pid, PATIENCE_MS), `process ${pid}`)
  await gateway.start()
  await bothActive()
  assert.equal(printed(/#welcome=/).length, 1)
  // The second start has no link, and opens the page again.
  const opened = await eventually(browser.opened, ({ length }) => length > 1, PATIENCE_MS)
  assert.deepEqual(
    opened.map((address) => address.replace(/#welcome=.+$/, '#welcome')),
    [`${gateway.url}/dashboard/#welcome`, `${gateway.url}/dashboard/`],
  )
  assert.equal(printed(/Administrator's token/).length, 1)

  await gateway.kill('SIGTERM')
  assert.equal(printed(/"code":0,"signal":null,"msg":"Process ended/).length, 2)
  assert.equal(existsSync(path.join(folder, 'gateway.lock')), false)
  assert.equal(existsSync(path.join(folder, 'postgresql', 'postmaster.pid')), false)
})

/** Stands for the program that opens pages on a desktop, and keeps their addresses. */
function fakeBrowser(folder: string) {
  const programs = path.join(folder, 'bin')
  const addresses = path.join(folder, 'opened')
  mkdirSync(programs)
  writeFileSync(path.join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >> "${addresses}"\n`, { mode: 0o755 })
  return {
    env: { DISPLAY: ':0', PATH: `${programs}:${process.env.PATH ?? ''}` },
    opened: (): readonly string[] =>
      existsSync(addresses) ? readFileSync(addresses, 'utf8').trim().split('\n').filter(Boolean) : [],
  }
}
