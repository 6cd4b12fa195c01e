import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import type { InstanceContext } from '../context.js'
import { changeGroup } from './change.js'
import { exampleGroup } from './group-chat.js'

const own = '15550000001@s.whatsapp.net' as Jid

it('a change of a group that was made is answered as made, also when the group cannot be read again', async () => {
  const before: GroupInfo = { ...exampleGroup, participants: [{ jid: own, other: null, role: 'admin' }] }
  const after = { ...before, name: 'new' }
  const changed: unknown[] = []
  const context = (fetch: () => Promise<GroupInfo>) =>
    ({
      account: { own: { pn: own } },
      journal: { settled: async () => {} },
      connection: async () => ({
        groups: { get: async () => before, change: async (...given: unknown[]) => void changed.push(given), fetch },
      }),
    }) as unknown as InstanceContext
  const command = { group: before.jid, change: { kind: 'name', name: 'new' } } as const
  assert.deepEqual(
    await changeGroup.run(
      context(async () => after),
      command,
    ),
    {
      group: after,
      isStale: false,
      people: [],
    },
  )
  const unread = await changeGroup.run(
    context(() => Promise.reject(new Error('Timed Out'))),
    command,
  )
  assert.deepEqual(unread, { group: before, isStale: true, people: [] })
  assert.equal(changed.length, 2)
})
