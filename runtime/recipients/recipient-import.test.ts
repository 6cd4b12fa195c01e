import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RecipientList } from '../../schemas/ports/campaign-imports.js'
import { createRecipientImports } from './recipient-import.js'

const AT_ONCE = 8

it('a node reads eight lists at once; the others wait, and each is read in the end', async () => {
  const imports = createRecipientImports({
    begin: () => Promise.reject(new Error('Nothing is stored.')),
    preview: () => Promise.reject(new Error('Nothing is stored.')),
    add: () => Promise.reject(new Error('Nothing is stored.')),
    finish: () => Promise.reject(new Error('Nothing is stored.')),
    discard: async () => {},
  })
  const ends: (() => void)[] = []
  async function* open(): AsyncGenerator<Buffer> {
    await new Promise<void>((go) => ends.push(go))
    yield Buffer.from('number\n5511999990002\n')
  }
  const list: RecipientList = { open, format: 'csv', rules: { dedupe: true, recentDays: null } }
  const surveys = Array.from({ length: AT_ONCE + 2 }, () => imports.survey(list))
  await new Promise(setImmediate)
  assert.equal(ends.length, AT_ONCE)
  ends[0]?.()
  assert.equal((await Promise.race(surveys)).lines, 1)
  await new Promise(setImmediate)
  assert.equal(ends.length, AT_ONCE + 1)
  for (let next = 1; next < surveys.length; next += 1) {
    ends[next]?.()
    await new Promise(setImmediate)
  }
  for (const { lines } of await Promise.all(surveys)) assert.equal(lines, 1)
})
