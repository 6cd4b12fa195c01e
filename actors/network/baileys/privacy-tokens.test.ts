import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'
import { buildMergedTcTokenIndexWrite } from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceReader } from '../../instance/instance-reader.js'
import type { InstanceJournal, KeyEntry } from '../../instance/ports.js'
import { decodeKey, encodeKey } from './key-codec.js'
import { prunePrivacyTokens, withoutTokenIndex } from './privacy-tokens.js'
import { createKeyCache, createSignalKeys } from './signal-keys.js'

const instance = 'i1' as InstanceId
const DAY_S = 86_400
const nowS = Math.floor(Date.now() / 1000)
const fresh = { token: Buffer.from('token'), timestamp: String(nowS) }
const old = { token: Buffer.from('token'), timestamp: String(nowS - 40 * DAY_S) }

/** A store of rows, and the keys of a connection over it. */
function rows(tokens: Readonly<Record<string, object>>) {
  const stored = new Map(Object.entries(tokens).map(([id, value]) => [id, encodeKey(value)]))
  const written: string[] = []
  const reader = {
    async keys(_: InstanceId, __: string, ids: readonly string[]) {
      return new Map(ids.flatMap((id) => (stored.has(id) ? [[id, stored.get(id) as Uint8Array]] : [])))
    },
    async keyPage(_: InstanceId, __: string, after: string, limit: number) {
      const ids = [...stored.keys()].filter((id) => id > after).toSorted()
      return new Map(ids.slice(0, limit).map((id) => [id, stored.get(id) as Uint8Array]))
    },
  } as unknown as InstanceReader
  const journal = {
    async write([{ entries }]: [{ entries: KeyEntry[] }]) {
      for (const { id, value } of entries) {
        written.push(id)
        if (value === null) stored.delete(id)
        else stored.set(id, typeof value === 'function' ? value() : value)
      }
    },
  } as unknown as InstanceJournal
  const keys = createSignalKeys({
    instance,
    journal,
    reader,
    cache: createKeyCache(100),
    onFailure: (error) => assert.fail(String(error)),
  })
  const prune = (isClosed = () => false) => prunePrivacyTokens({ instance, keys, reader, isClosed })
  return { stored, written, keys, prune }
}

function indexIn(stored: ReadonlyMap<string, Uint8Array>): unknown {
  const bytes = stored.get('__index')
  if (bytes === undefined) return undefined
  return JSON.parse(String((decodeKey('tctoken', bytes) as { token: Buffer }).token))
}

describe('privacy tokens', () => {
  it('cost one row for a new person, however many are known', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${1000 + index}@lid`, fresh]))
    const index = { token: Buffer.from(JSON.stringify(Object.keys(many))) }
    const { written, keys, stored } = rows({ ...many, __index: index })
    const seen = withoutTokenIndex(keys)

    const indexWrite = await buildMergedTcTokenIndexWrite(seen as unknown as SignalKeyStoreWithTransaction, [
      '5000@lid',
    ])
    await seen.set({ tctoken: { '5000@lid': fresh, ...indexWrite } })

    assert.deepEqual(written, ['5000@lid'])
    assert.equal((indexIn(stored) as string[]).length, 1_000)
    assert.deepEqual((await seen.get('tctoken', ['5000@lid']))['5000@lid'], fresh)
  })

  it('are removed from every page when they expire, except those that the account sent', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, index) => [`${1000 + index}@lid`, index % 2 === 0 ? old : fresh]),
    )
    const { stored, prune } = rows({ ...many, '9999@lid': { ...old, senderTimestamp: nowS } })

    await prune()

    assert.equal(stored.size, 600 + 1 + 1)
    assert.ok(!stored.has('1000@lid'))
    assert.deepEqual(decodeKey('tctoken', stored.get('9999@lid') as Uint8Array), {
      token: Buffer.alloc(0),
      senderTimestamp: nowS,
    })
  })

  it('stay if they are renewed during the pruning', async () => {
    const { stored, keys, prune } = rows({ '1@lid': old, '2@lid': fresh })
    const pruning = prune()
    await keys.set({ tctoken: { '1@lid': fresh } })
    await pruning

    assert.deepEqual(decodeKey('tctoken', stored.get('1@lid') as Uint8Array), fresh)
  })

  it('are all kept if the clock of the node says that all have expired', async (t) => {
    const { stored, written, prune } = rows({ '1@lid': fresh, '2@lid': fresh })
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60 * DAY_S * 1000 })
    await prune()
    assert.deepEqual([[...stored.keys()], written], [['1@lid', '2@lid'], []])
  })

  it('are listed for nodes of release 0.1.0, in a list that is written only when it changes', async () => {
    const { stored, written, prune } = rows({ '1@lid': fresh, '2@lid': old })
    await prune()
    assert.deepEqual(indexIn(stored), ['1@lid'])
    written.length = 0
    await prune()
    assert.deepEqual(written, [])
  })

  it('are left alone by a connection that has ended', async () => {
    const { written, prune } = rows({ '1@lid': old, '2@lid': fresh })
    await prune(() => true)
    assert.deepEqual(written, [])
  })
})
