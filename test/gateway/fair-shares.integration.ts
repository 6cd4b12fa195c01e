import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

const MALLORY = '15550980001'
const ANA = '15550980002'
const BEN = '15550980003'

describe('an instance that uses all that it can get', () => {
  const { world, account: mallory } = gatewaySuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg' },
    phones: { [BEN]: 'Ben' },
    account: [MALLORY, 'Mallory'],
    async complete() {
      ana = await world.paired(ANA, 'Ana')
    },
  })
  let ana: TestInstance

  /** Ben sends documents to an account. Returns their ids when the account has them. */
  const documents = async (to: TestInstance, number: string, count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let index = 0; index < count; index++) {
      const base64 = randomBytes(2_000).toString('base64')
      const body = { to: number, kind: 'document', base64 }
      ids.push((await world.network<{ id: string }>('POST', `/phones/${BEN}/media`, body)).id)
    }
    await eventually(
      () => to.call<{ messages: Json[] }>('POST', '/message/find', { id: ids.at(-1) }),
      ({ body }) => body.messages.length === 1,
    )
    return ids
  }
  const download = async (of: TestInstance, id: string): Promise<number> =>
    (await of.call('POST', '/message/download', { id })).status

  it('does not delay the downloads of another one by its own, which are slow', async () => {
    const many = await documents(mallory, MALLORY, 40)
    const [one = ''] = await documents(ana, ANA, 1)
    await world.network('POST', '/faults', { kind: 'media-download', delayMs: 500 })
    let loaded = 0
    const all = many.map(async (id) => {
      assert.equal(await download(mallory, id), 200)
      loaded += 1
    })
    // The first of them have begun.
    await eventually(
      () => loaded,
      (count) => count > 0,
    )
    assert.equal(await download(ana, one), 200)
    const before = loaded
    await world.network('DELETE', '/faults')
    await Promise.all(all)
    assert.ok(before < 30, `${before} of 40 downloads of the other instance ended first`)
  })
})
