/** The Postman collection, run by newman, the runner of Postman, which is installed from the npm registry in a folder of its own. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot } from '../../lib/package-root.js'
import { postmanCollection } from '../../scripts/collections.js'
import { testFolder } from '../support/embedded.js'
import { gatewaySuite } from '../support/gateway-suite.js'

const run = promisify(execFile)
/** An installation over a slow line. */
const INSTALL_MAX_MS = 10 * 60_000
/** The person of the variable `number`. */
const BEN = '15550002222'

/** Requests that need what no other request gives, or that end what others need. */
const LEFT_OUT = new Set([
  // The account is not a business.
  ...['POST /business/get/profile', 'POST /business/update/profile', 'POST /business/order', 'POST /send/product'],
  ...['list', 'info', 'create', 'edit', 'delete', 'show', 'hide'].map((name) => `POST /business/catalog/${name}`),
  // A poll, a scheduled message, a status post, a message to a group, a call, or a message that disappears.
  ...['POST /message/vote', 'GET /message/votes/:id', 'POST /message/views', 'POST /message/scheduled/edit'],
  ...['POST /message/info', 'POST /call/reject', 'POST /message/keep', 'GET /media/:instance/:file/:proof'],
  // An instance that is being paired, and a pass.
  ...['GET /instance/qr.png', 'POST /instance/passkey/response', 'POST /instance/passkey/confirm', 'DELETE /pass'],
  // A job, a turn, a campaign that failed, a webhook of all instances.
  ...['POST /admin/instances/bulk/cancel', 'POST /agent/turns/retry', 'GET /globalwebhook'],
  // An invitation of others, and channels of others.
  ...['POST /group/join', 'POST /group/inviteInfo', 'POST /community/editgroups', 'POST /newsletter/link'],
  ...['reaction', 'messages/edit', 'messages/delete'].map((name) => `POST /newsletter/${name}`),
  // A group and a label, which later folders make.
  ...['POST /send/group-invite', 'POST /chat/labels'],
  // Tokens, connections and nodes on which the others depend.
  ...['DELETE /instance', 'POST /instance/disconnect', 'POST /instance/stop', 'POST /instance/reset'],
  ...['POST /instance/token/rotate', 'POST /admin/token/rotate', 'POST /admin/instances/:id/token/rotate'],
  ...['POST /admin/instance/export', 'POST /admin/instance/import', 'POST /admin/instance/import-session'],
  ...[
    'POST /admin/instance/export/cancel',
    'POST /admin/nodes/:id/drain',
    'POST /admin/restart',
    'POST /instance/proxy',
  ],
])

interface Item {
  readonly request: {
    readonly method: string
    readonly url: { readonly path: readonly string[] }
  }
}
interface Collection {
  readonly item: { item: Item[] }[]
}
interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: Item
      readonly response?: { readonly code: number; readonly stream: { readonly data: readonly number[] } }
    }[]
  }
}

const suite = gatewaySuite({ phones: { [BEN]: 'Ben' }, account: ['15550001111', 'Ana'] })

it('each request of the Postman collection finds what it names, by the ids that earlier ones gave', async () => {
  const folder = testFolder(suite.cleanup)
  cpSync(path.join(packageRoot, 'test/newman'), folder, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: INSTALL_MAX_MS })
  const collection = JSON.parse(postmanCollection()) as Collection
  const known = new Set(collection.item.flatMap(({ item }) => item.map(readName)))
  assert.deepEqual(
    [...LEFT_OUT].filter((name) => !known.has(name)),
    [],
    'These requests are gone.',
  )
  for (const area of collection.item) area.item = area.item.filter((item) => !LEFT_OUT.has(readName(item)))
  writeFileSync(path.join(folder, 'collection.json'), JSON.stringify(collection))
  const { gateway } = suite.world
  const variables = { url: gateway.url, token: suite.account.token, admintoken: gateway.adminToken }
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  const args = ['run', 'collection.json', ...given, '--reporters', 'json', '--reporter-json-export', 'report.json']
  await run(path.join(folder, 'node_modules/.bin/newman'), args, { cwd: folder, maxBuffer: 64 * 2 ** 20 })
  const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as Report
  const answers = report.run.executions.map(({ item, response }) => ({
    name: readName(item),
    code: response?.code ?? 0,
    body: Buffer.from(response?.stream.data ?? [])
      .toString()
      .slice(0, 200),
  }))
  const missed = answers.filter(({ code, body }) => code === 404 || code === 0 || /must not have fewer than/.test(body))
  assert.deepEqual(missed, [])
  const good = answers.filter(({ code }) => code >= 200 && code < 300)
  assert.ok(good.length > 150, `${good.length} of ${answers.length} requests were answered with 2xx`)
})

function readName({ request: { method, url } }: Item): string {
  return `${method} /${url.path.join('/')}`
}
