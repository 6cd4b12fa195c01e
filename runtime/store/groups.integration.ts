import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GroupInfo } from '../../schemas/group-info.js'
import { longestStopMs } from '../../test/support/main-thread-time.js'
import { openTestStore } from '../../test/support/store.js'
import { createGroups } from './groups.js'

const GROUPS = 60
const MAX_MS = 20
const members = Array.from({ length: 1_024 }, (_, index) => ({
  ...{
    jid: `${100_000_000_000_000 + index}@lid`,
    other: `${5_511_999_000_000 + index}@s.whatsapp.net`,
    role: 'member',
  },
}))

it('lists large groups in parts, each once, without keeping the event loop', async (t) => {
  const { database, newInstance } = await openTestStore(t)
  const instance = await newInstance()
  const info = (index: number) =>
    JSON.stringify({ jid: `${index}@g.us`, name: `group ${index}`, participants: members })
  for (let index = 100; index < 100 + GROUPS; index += 1)
    await database.pool.query(
      'INSERT INTO group_info (instance_id, jid, info, name, members) VALUES ($1, $2, $3, $4, $5)',
      [instance, `${index}@g.us`, info(index), `group ${index}`, []],
    )
  const groups = createGroups(database.pool)
  const read = async (parts: AsyncIterable<readonly GroupInfo[]>) => {
    const found: string[] = []
    for await (const part of parts) {
      assert.ok(part.length === 1, `${part.length} large groups at once`)
      found.push(...part.map(({ name }) => name))
    }
    return found
  }
  const ms = await longestStopMs(() => read(groups.all(instance)), MAX_MS)
  assert.ok(ms < MAX_MS, `${ms.toFixed(1)} ms`)
  const names = Array.from({ length: GROUPS }, (_, index) => `group ${index + 100}`)
  assert.deepEqual(await read(groups.all(instance)), names)
  const page = await groups.page(instance, { search: 'GROUP 1', limit: 17, offset: 20 })
  assert.equal(page.total, GROUPS)
  assert.deepEqual(await read(page.groups), names.slice(20, 37))
  assert.deepEqual(
    await read((await groups.page(instance, { search: 'group 15', limit: 50, offset: 5 })).groups),
    names.slice(55),
  )
})
