import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Change } from '../../actors/instance/ports.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { Jid } from '../../schemas/ids.js'
import { openTestStore } from '../../test/support/store.js'
import { createGroups } from './groups.js'

const [OWN, EVE, KIM, GROUP, OTHER] = [
  '15550000@s.whatsapp.net',
  '15550001@s.whatsapp.net',
  '15550002@s.whatsapp.net',
  '1203631@g.us',
  '1203632@g.us',
] as Jid[] as [Jid, Jid, Jid, Jid, Jid]
const [EVE_LID, KIM_LID] = ['77001@lid', '77002@lid'] as Jid[] as [Jid, Jid]

type Members = readonly (readonly [Jid, Jid | null])[]

function group(jid: Jid, name: string, members: Members): GroupInfo {
  const participants = members.map(([one, other]) => ({ jid: one, other, role: 'member' as const }))
  return { jid, name, topic: '', participants } as unknown as GroupInfo
}

const keep = (jid: Jid, name: string, members: Members): Change => ({
  type: 'group',
  kind: 'keep',
  group: group(jid, name, members),
})

it('chats name the groups that are shared, through every change of group, chat and address', async (t) => {
  const store = await openTestStore(t)
  const account = async () => {
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const shared = async () =>
      Object.fromEntries(
        (
          await store.rows<{ wa_chatid: string; wa_common_groups: string }>(
            'SELECT "wa_chatid", "wa_common_groups" FROM chat WHERE instance_id = $1 AND NOT "wa_isGroup"',
            [instance],
          )
        ).map((row) => [row.wa_chatid, row.wa_common_groups]),
      )
    return {
      instance,
      async has(changes: Change[], expected: Readonly<Record<string, string>>) {
        await journal.write(changes)
        assert.deepEqual(await shared(), expected)
      },
    }
  }
  const { instance, has } = await account()
  await has(
    [
      { type: 'chat', chat: { pn: KIM }, set: {} },
      keep(GROUP, 'One\0', [
        [EVE_LID, EVE],
        [KIM, null],
      ]),
    ],
    { [KIM]: `One(${GROUP})` },
  )
  // Known by the LID alone, then by the number as well.
  await has([{ type: 'chat', chat: { lid: EVE_LID }, set: {} }], { [KIM]: `One(${GROUP})`, [EVE_LID]: `One(${GROUP})` })
  await has([keep(OTHER, 'Two', [[EVE, null]]), { type: 'mapping', lid: EVE_LID, pn: EVE }], {
    [KIM]: `One(${GROUP})`,
    [EVE]: `One(${GROUP}),Two(${OTHER})`,
  })
  await has([keep(GROUP, 'Uno', [[EVE_LID, EVE]])], { [KIM]: '', [EVE]: `Uno(${GROUP}),Two(${OTHER})` })
  await has([{ type: 'group', kind: 'forget', jid: GROUP }], { [KIM]: '', [EVE]: `Two(${OTHER})` })
  await has([{ type: 'group', kind: 'list', groups: [group(GROUP, 'Uno', [[KIM, null]])] }], {
    [KIM]: `Uno(${GROUP})`,
    [EVE]: '',
  })
  const { groups, total } = await createGroups(store.database.pool).page(instance, {
    search: 'UN',
    limit: 5,
    offset: 0,
  })
  const found: string[] = []
  for await (const part of groups) found.push(...part.map(({ jid }) => jid))
  assert.deepEqual([found, total], [[GROUP], 1])

  // One changes at a time: its name, who comes, who goes; or its name and who is in it at once.
  const eve: Members = [[EVE_LID, null]]
  const both: Members = [...eve, [KIM_LID, KIM]]
  await has([keep(OTHER, 'Two', both)], { [KIM]: `Uno(${GROUP}),Two(${OTHER})`, [EVE]: `Two(${OTHER})` })
  await has([keep(GROUP, 'Uno', both)], {
    [KIM]: `Uno(${GROUP}),Two(${OTHER})`,
    [EVE]: `Uno(${GROUP}),Two(${OTHER})`,
  })
  await has([keep(GROUP, 'Ein', both)], {
    [KIM]: `Ein(${GROUP}),Two(${OTHER})`,
    [EVE]: `Ein(${GROUP}),Two(${OTHER})`,
  })
  await has([keep(GROUP, 'Ein', eve)], { [KIM]: `Two(${OTHER})`, [EVE]: `Ein(${GROUP}),Two(${OTHER})` })
  await has([keep(GROUP, 'Uno', both)], {
    [KIM]: `Uno(${GROUP}),Two(${OTHER})`,
    [EVE]: `Uno(${GROUP}),Two(${OTHER})`,
  })
  // A group that is forgotten and known again has only those who are in it then, whatever changes next.
  await has([{ type: 'group', kind: 'forget', jid: GROUP }, keep(GROUP, 'Uno', eve), keep(OTHER, 'Three', both)], {
    [KIM]: `Three(${OTHER})`,
    [EVE]: `Uno(${GROUP}),Three(${OTHER})`,
  })
  // Known by the number, then by the LID as well, which is all that the group knows. No JID holds a comma.
  await has([keep(OTHER, 'Three', [[KIM_LID, null]]), keep(GROUP, 'Uno', [...eve, [`9,${KIM}` as Jid, null]])], {
    [KIM]: '',
    [EVE]: `Uno(${GROUP})`,
  })
  await has([{ type: 'mapping', lid: KIM_LID, pn: KIM }], { [KIM]: `Three(${OTHER})`, [EVE]: `Uno(${GROUP})` })
  // The group learns the number too: nothing that a chat tells is new.
  const updated = () => store.rows('SELECT updated FROM chat WHERE instance_id = $1 ORDER BY id', [instance])
  const before = await updated()
  await has([keep(OTHER, 'Three', [[KIM_LID, KIM]])], { [KIM]: `Three(${OTHER})`, [EVE]: `Uno(${GROUP})` })
  assert.deepEqual(await updated(), before)

  // Another account in the same groups knows them in its own way, and the two do not mix.
  const second = await account()
  const everybody: Members = [...both, [OWN, null]]
  const known = [keep(GROUP, 'Mine', everybody), keep(OTHER, 'Too', [[OWN, null]])]
  await second.has([{ type: 'instance', set: { ownerJid: OWN } }, ...known], {})
  // It has none in common with itself.
  await second.has(
    [KIM, EVE, OWN].map((pn) => ({ type: 'chat', chat: { pn }, set: {} })),
    { [KIM]: `Mine(${GROUP})`, [EVE]: '', [OWN]: '' },
  )
  await has([keep(GROUP, 'Uno', both), keep(GROUP, 'Uno', eve), keep(GROUP, 'Uno', both)], {
    [KIM]: `Uno(${GROUP}),Three(${OTHER})`,
    [EVE]: `Uno(${GROUP})`,
  })
  await has(
    [
      { type: 'group', kind: 'forget', jid: GROUP },
      { type: 'group', kind: 'list', groups: [] },
    ],
    { [KIM]: '', [EVE]: '' },
  )
  await second.has([keep(OTHER, 'Too', everybody)], {
    [KIM]: `Mine(${GROUP}),Too(${OTHER})`,
    [EVE]: '',
    [OWN]: '',
  })

  // A node of the former release that learns an address of a chat leaves the groups to the store.
  await store.rows('UPDATE chat SET "wa_chatlid" = $3 WHERE instance_id = $1 AND "wa_chatid" = $2', [
    second.instance,
    EVE,
    EVE_LID,
  ])
  await second.has([], {
    [KIM]: `Mine(${GROUP}),Too(${OTHER})`,
    [EVE]: `Mine(${GROUP}),Too(${OTHER})`,
    [OWN]: '',
  })
})
