import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Jid } from '../../../schemas/ids.js'
import { longestStopMs } from '../../../test/support/main-thread-time.js'
import type { InstanceContext } from '../context.js'
import { findAudience } from './audience.js'

const PEOPLE = 5_000
const MAX_MS = 20

it('finds 5,000 people without keeping the event loop', async () => {
  const numbers = Array.from({ length: PEOPLE }, (_, index) => `+55 11 9${80_000_000 + index}`)
  const makeLid = (jid: Jid) => `${jid.slice(0, 13)}1@lid` as Jid
  const context = {
    id: 'i1',
    account: { own: { pn: '15550000001@s.whatsapp.net' as Jid } },
    reader: { mappings: async (_: string, jids: readonly Jid[]) => new Map(jids.map((jid) => [jid, makeLid(jid)])) },
    connection: () => Promise.reject(new Error('Nobody is to be looked up.')),
  } as unknown as InstanceContext
  const asked = {
    mode: 'allowlist',
    people: [...numbers, 'no number', numbers[0] ?? ''],
    country: 'BR',
    max: PEOPLE,
  } as const
  let found: Awaited<ReturnType<typeof findAudience>> | undefined
  const ms = await longestStopMs(async () => {
    found = await findAudience(context, asked)
  }, MAX_MS)
  assert.ok(ms < MAX_MS, `${ms.toFixed(1)} ms`)
  assert.deepEqual(
    [found?.people.length, found?.people[1]],
    [PEOPLE + 1, makeLid(`5511980000001@s.whatsapp.net` as Jid)],
  )
  assert.deepEqual(found?.report.discarded_recipients, [
    { input: 'no number', reason: 'invalid' },
    { input: numbers[0], reason: 'duplicate' },
  ])
})
