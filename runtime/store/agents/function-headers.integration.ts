import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestStore } from '../../../test/support/store.js'
import { createAgentRecords } from '../agent-records.js'
import { sealClearHeaders } from './function-headers.js'

const KEY = 'Bearer key-of-the-shop'
const headers = JSON.stringify({ authorization: KEY })
const aFunction = {
  ...{ name: 'find', description: '', method: 'GET', endpoint: 'https://api.example', active: true, headers, body: '' },
  ...{ parameters: [], undocumented: '', headerError: false, bodyError: false, retrySafe: false },
}

it('headers of functions are sealed, and in clear only while a node lives that reads them so', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const instance = await store.newInstance()
  const records = createAgentRecords(pool, store.encryption)
  const stored = async (id: string) => {
    const [row] = await store.rows<{ headers: string; headers_sealed: Buffer | null }>(
      'SELECT headers, headers_sealed FROM agent_function WHERE id = $1',
      [id],
    )
    return row
  }
  const seal = () => sealClearHeaders(pool, store.encryption, new AbortController().signal)
  const isSealed = async (id: string) => {
    const row = await stored(id)
    return row?.headers === '' && row.headers_sealed !== null && !row.headers_sealed.includes('key-of-the-shop')
  }
  const { id } = await records.saveFunction(instance, null, aFunction)
  assert.ok(await isSealed(id))
  assert.equal((await records.findFunction(instance, id))?.headers, headers)

  // As a node of the former release registers, and edits.
  await store.rows("INSERT INTO node (incarnation, node_id, address, version) VALUES ('old', 'old', '', '0.4.0')")
  const { id: another } = await records.saveFunction(instance, null, { ...aFunction, name: 'another' })
  assert.deepEqual(await stored(another), { headers, headers_sealed: null })
  await store.rows('UPDATE agent_function SET headers = $2 WHERE id = $1', [id, '{"authorization":"of the old node"}'])
  assert.equal((await records.findFunction(instance, id))?.headers, '{"authorization":"of the old node"}')
  assert.equal(await seal(), 0)

  await store.rows("UPDATE node SET dead = true WHERE incarnation = 'old'")
  assert.equal(await seal(), 2)
  assert.ok((await isSealed(id)) && (await isSealed(another)))
  assert.deepEqual(
    (await records.functions(instance)).map((one) => one.headers),
    ['{"authorization":"of the old node"}', headers],
  )
  assert.equal((await records.saveFunction(instance, id, { ...aFunction, headers: '' })).headers, '')
  assert.deepEqual(await stored(id), { headers: '', headers_sealed: null })
  assert.equal(await seal(), 0)
})
