/** "Five minutes from Evolution API" in each language, typed as written: the calls of the page, by curl and in its order. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot } from '../../lib/package-root.js'
import { eventually } from '../support/eventually.js'
import type { Json } from '../support/evolution.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { startReceiver } from '../support/receiver.js'

const run = promisify(execFile)
/** Names of the pages, and of the instance in each. */
const PAGES = {
  'evolution-drop-in': 'shop',
  'evolution-em-cinco-minutos': 'loja',
  'evolution-en-cinco-minutos': 'tienda',
} as const
/** Numbers on the pages. */
const [OWN, FRIEND] = ['5511999990001', '5511999990002']

describe('five minutes from Evolution API', () => {
  const suite = gatewaySuite({ env: { DIALECTS: 'evolution' }, phones: { [OWN]: 'Ana', [FRIEND]: 'Ben' } })
  const { world } = suite

  for (const [page, name] of Object.entries(PAGES))
    it(`${page} leads to a paired instance, a sent message and an event`, async () => {
      const receiver = await startReceiver(suite.cleanup)
      const key = `the-key-of-${name}`
      const calls = listCalls(page)
      assert.equal(calls.length, 4)
      const [create, connect, send, hook] = calls.map((call) => async () => {
        const typed = call
          .replace('localhost:3000', new URL(world.gateway.url).host)
          .replace('<ADMIN_TOKEN>', world.gateway.adminToken)
          // The key of the program, in the language of the page.
          .replace(/<[A-ZÁÉÍÓÚÑ ]+>/, key)
          .replace('https://example.org/hook', receiver.url)
        const { stdout } = await run('sh', ['-c', typed])
        return JSON.parse(stdout) as Json
      }) as [Call, Call, Call, Call]

      assert.equal((await create()).hash, key)
      const { pairingCode } = await connect()
      await world.network('POST', `/phones/${OWN}/code`, { code: pairingCode })
      const state = async () => {
        const place = `/evolution/instance/connectionState/${name}`
        return (await world.gateway.call<{ instance: Json }>('GET', place, { headers: { apikey: key } })).body.instance
      }
      await eventually(state, (now) => now.state === 'open')
      const sent = await send()
      assert.deepEqual([sent.messageType, sent.status], ['conversation', 'PENDING'])
      await world.shownAt(FRIEND, (sent.key as Json).id)
      assert.equal((await hook()).url, receiver.url)
      const id = await world.write(FRIEND, OWN, `hello ${name}`)
      await eventually(() =>
        receiver.got.some(({ body }) => body.event === 'messages.upsert' && (body.data as { key: Json }).key.id === id),
      )
    })
})

type Call = () => Promise<Json>

/** Returns the calls by curl of a page. One may go over several lines, within quotation marks. */
function listCalls(page: string): readonly string[] {
  const text = readFileSync(path.join(packageRoot, `docs/guides/${page}.md`), 'utf8')
  return [...text.matchAll(/^curl (?:[^'\n]|'[^']*')+$/gm)].map(([call]) => call)
}
