import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import type { RecipientList } from '../../schemas/ports/campaign-imports.js'
import { createWork } from '../work/work.js'
import { createRecipientImports } from './recipient-import.js'

const nothing = () => Promise.reject(new Error('Nothing is stored.'))

it('an instance that imports many lists does not delay the one of another instance', async () => {
  const imports = createRecipientImports(
    { begin: nothing, check: nothing, sort: nothing, add: nothing, finish: nothing, discard: async () => {} },
    createWork(),
    () => ({ readValues: nothing }),
  )
  const ends: (() => void)[] = []
  async function* open(): AsyncGenerator<Buffer> {
    await new Promise<void>((go) => ends.push(go))
    yield Buffer.from('number\n5511999990002\n')
  }
  const list: RecipientList = { open, format: 'csv', rules: { dedupe: true, recentDays: null } }
  const [busy, other] = ['r1', 'r2'] as InstanceId[]
  const surveys = Array.from({ length: 10 }, () => imports.survey(busy as InstanceId, list))
  await new Promise(setImmediate)
  assert.equal(ends.length, 4)
  const one = imports.survey(other as InstanceId, list)
  await new Promise(setImmediate)
  assert.equal(ends.length, 5)
  ends.pop()?.()
  assert.equal((await one).lines, 1)
  while (ends.length > 0) {
    ends.pop()?.()
    await new Promise((go) => setTimeout(go, 1))
  }
  for (const { lines } of await Promise.all(surveys)) assert.equal(lines, 1)
})
