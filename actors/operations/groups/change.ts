import type { GroupChange, GroupInfo, MemberAction } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { answerWhenStored, exampleGroup, findPeople, mapRefusal, ownMember, requireAdmin } from './group-chat.js'

export type RequestedGroupChange =
  | Exclude<GroupChange, { readonly kind: 'members' }>
  | { readonly kind: 'members'; readonly action: MemberAction; readonly numbers: readonly string[] }

interface ChangeGroupFields {
  readonly group: Jid
  readonly change: RequestedGroupChange
}

/** The network's codes for one person. */
const DONE = 200
const NOT_FOUND = 404

/**
 * Changes a setting of a group, or its members. `error` is the network's code for a person, 0 when it is done. `isStale`: the group could not be
 * read again, and is as it was.
 */
export const changeGroup = operation('changeGroup', {
  // A member who was added the first time is refused the second time.
  repeat: (command: ChangeGroupFields) => (command.change.kind === 'members' ? null : command),
  example: { group: exampleGroup, isStale: false, people: [] as ChangedPerson[] },
  async run(context: InstanceContext, { group, change }: ChangeGroupFields) {
    const { groups } = await context.connection()
    const before = await orUnknown(() => groups.get(group))
    if (mayMembers(before, change)) ownMember(context, before)
    else requireAdmin(context, before)
    const people =
      change.kind === 'members'
        ? await changeMembers(context, before, change.action, change.numbers)
        : await changeSetting(context, group, change)
    // The change is made. To answer that its outcome is unknown would have it made again.
    const after = await groups.fetch(group).catch(() => null)
    return await answerWhenStored(context, { group: after ?? before, isStale: after === null, people })
  },
})

const refused = mapRefusal([401, 403], 'NOT_GROUP_ADMIN')

interface ChangedPerson {
  readonly jid: string
  readonly error: number
  /** Of a person who may not be added. */
  readonly invitation?: { readonly code: string; readonly expiresSeconds: number }
}

async function changeSetting(context: InstanceContext, group: Jid, change: GroupChange): Promise<ChangedPerson[]> {
  const { groups } = await context.connection()
  await orUnknown(() => groups.change(group, change)).catch(refused)
  return []
}

async function changeMembers(
  context: InstanceContext,
  group: GroupInfo,
  action: MemberAction,
  numbers: readonly string[],
): Promise<ChangedPerson[]> {
  const { groups } = await context.connection()
  const people = await findPeople(context, numbers)
  const found = people.flatMap(({ address }) => (address === null ? [] : [jidIn(group, address)]))
  const results =
    found.length === 0
      ? []
      : await orUnknown(() => groups.change(group.jid, { kind: 'members', action, people: found })).catch(refused)
  return [
    ...results.map(({ jid, code, invitation }) => ({
      jid,
      error: code === DONE ? 0 : code,
      ...(invitation === undefined ? {} : { invitation }),
    })),
    ...people.flatMap(({ number, address }) => (address === null ? [{ jid: number, error: NOT_FOUND }] : [])),
  ]
}

/** Tells whether the group lets every member make this change. */
function mayMembers(group: GroupInfo, change: RequestedGroupChange): boolean {
  switch (change.kind) {
    case 'name':
    case 'topic':
    case 'picture':
    case 'ephemeral':
      return !group.isLocked
    case 'members':
      return change.action === 'add' && group.memberAddMode === 'all_member_add'
    default:
      return false
  }
}

/** Names a person in the form in which the group addresses its members. */
function jidIn({ addressingMode }: GroupInfo, address: ChatAddress): Jid {
  return addressingMode === 'lid' && address.lid !== undefined ? address.lid : toChatId(address)
}
