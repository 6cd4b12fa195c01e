import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { Jid } from '../../schemas/ids.js'
import { openTestStore } from '../../test/support/store.js'
import { createGroups } from './groups.js'

const [EVE, KIM, GROUP, OTHER] = [
  '15550001@s.whatsapp.net',
  '15550002@s.whatsapp.net',
  '1203631@g.us',
  '1203632@g.us',
] as Jid[] as [Jid, Jid, Jid, Jid]
const EVE_LID = '77001@lid' as Jid

function group(jid: Jid, name: string, members: readonly (readonly [Jid, Jid | null])[]): GroupInfo {
  const participants = members.map(([one, other]) => ({ jid: one, other, role: 'member' as const }))
  return { jid, name, topic: '', participants } as unknown as GroupInfo
}

it('chats name the groups that are shared, through every change of group, chat and address', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const journal = store.journal.forInstance(instance, store.epochOf(instance))
  const shared = async () =>
    Object.fromEntries(
      (
        await store.rows<{ wa_chatid: string; wa_common_groups: string }>(
          'SELECT "wa_chatid", "wa_common_groups" FROM chat WHERE instance_id = $1 AND NOT "wa_isGroup"',
          [instance],
        )
      ).map((row) => [row.wa_chatid, row.wa_common_groups]),
    )
  await journal.write([
    { type: 'chat', chat: { pn: KIM }, set: {} },
    {
      type: 'group',
      kind: 'keep',
      group: group(GROUP, 'One\0', [
        [EVE_LID, EVE],
        [KIM, null],
      ]),
    },
  ])
  assert.deepEqual(await shared(), { [KIM]: `One(${GROUP})` })
  // Known by the LID alone, then by the number as well.
  await journal.write([{ type: 'chat', chat: { lid: EVE_LID }, set: {} }])
  assert.deepEqual(await shared(), { [KIM]: `One(${GROUP})`, [EVE_LID]: `One(${GROUP})` })
  await journal.write([
    { type: 'group', kind: 'keep', group: group(OTHER, 'Two', [[EVE, null]]) },
    { type: 'mapping', lid: EVE_LID, pn: EVE },
  ])
  assert.deepEqual(await shared(), { [KIM]: `One(${GROUP})`, [EVE]: `One(${GROUP}),Two(${OTHER})` })
  await journal.write([{ type: 'group', kind: 'keep', group: group(GROUP, 'Uno', [[EVE_LID, EVE]]) }])
  assert.deepEqual(await shared(), { [KIM]: '', [EVE]: `Uno(${GROUP}),Two(${OTHER})` })
  await journal.write([{ type: 'group', kind: 'forget', jid: GROUP }])
  assert.deepEqual(await shared(), { [KIM]: '', [EVE]: `Two(${OTHER})` })
  await journal.write([{ type: 'group', kind: 'list', groups: [group(GROUP, 'Uno', [[KIM, null]])] }])
  assert.deepEqual(await shared(), { [KIM]: `Uno(${GROUP})`, [EVE]: '' })
  const { groups, total } = await createGroups(store.database.pool).page(instance, {
    search: 'UN',
    limit: 5,
    offset: 0,
  })
  assert.deepEqual([groups.map(({ jid }) => jid), total], [[GROUP], 1])
})
