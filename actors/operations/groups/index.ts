import { GatewayError } from '../../../schemas/errors.js'
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { readUser, toChatId } from '../../../schemas/jid.js'
import { orUnknown } from '../../instance/outcome.js'
import type { Connection } from '../../network/port/connection.js'
import type { GroupInvitation } from '../../network/port/groups.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { changeGroup } from './change.js'
import {
  answerWhenStored,
  exampleGroup,
  findPeople,
  isAdmin,
  mapRefusal,
  requireAdmin,
  withRefusalMessage,
  writeGroupChat,
} from './group-chat.js'

/** Answers with the group behind an invite code. */
const inviteInfo = operation('inviteInfo', {
  repeat: true,
  example: exampleGroup,
  run: (context: InstanceContext, { code }: { readonly code: string }) => groupOfInvite(context, code),
})

/** @throws GatewayError INVALID_INVITE, GROUP_REFUSED */
async function groupOfInvite(context: InstanceContext, code: string): Promise<GroupInfo> {
  const { groups } = await context.connection()
  return await orUnknown(() => groups.invitation(code)).catch(withRefusalMessage('Error processing group invite'))
}

/** The network's code when this account is a member already. */
const CONFLICT = 409
/** Its codes for an invitation that has ended, and for one that is not known. */
const GONE = 410
const NOT_ACCEPTABLE = 406

interface JoinFields {
  readonly code: string
  /** Of an invitation that was sent to this account alone. A node of the former release takes its code for one of the group, which it is not. */
  readonly sent?: Omit<GroupInvitation, 'code'>
}

/**
 * Joins the group behind an invite code. Checks the code first, so that a wrong one joins nothing. `isPending`: an admin must agree;
 * the group is then as the invitation shows it.
 */
const joinGroup = operation('joinGroup', {
  repeat: false,
  example: { group: exampleGroup, isPending: false },
  async run(context: InstanceContext, { code, sent }: JoinFields) {
    const { groups } = await context.connection()
    if (sent !== undefined) return await acceptInvitation(context, { code, ...sent })
    const invitation = await groupOfInvite(context, code)
    const isMember = await orUnknown(() => groups.join(code)).catch((error: unknown) => {
      if (error instanceof GatewayError && error.fields.provider_code === CONFLICT) return true
      return withRefusalMessage('Unable to join group')(error)
    })
    if (!isMember) return { group: invitation, isPending: true }
    const group = await orUnknown(() => groups.fetch(invitation.jid))
    await writeGroupChat(context, group)
    return { group, isPending: false }
  },
})

/** Nobody but the members can look at such a group before. */
async function acceptInvitation(context: InstanceContext, invitation: GroupInvitation) {
  const { groups } = await context.connection()
  const isMember = await orUnknown(() => groups.accept(invitation)).catch((error: unknown) => {
    const code = error instanceof GatewayError ? error.fields.provider_code : undefined
    if (code === CONFLICT) return true
    if (code === GONE || code === NOT_ACCEPTABLE) throw new GatewayError('INVALID_INVITE', { cause: error })
    return withRefusalMessage('Unable to join group')(error)
  })
  if (!isMember) return { group: { ...exampleGroup, jid: invitation.group }, isPending: true }
  const group = await orUnknown(() => groups.fetch(invitation.group))
  await writeGroupChat(context, group)
  return { group, isPending: false }
}

interface CreateGroupFields {
  readonly name: string
  readonly numbers: readonly string[]
}

/** Creates a group with these people. @throws GatewayError NOT_ON_NETWORK when one of them has no account; nothing is created then */
const createGroup = operation('createGroup', {
  repeat: false,
  example: exampleGroup,
  async run(context: InstanceContext, { name, numbers }: CreateGroupFields) {
    const { groups } = await context.connection()
    const people = await findPeople(context, numbers)
    const jids = people.map(({ number, address }) => {
      if (address === null)
        throw new GatewayError('NOT_ON_NETWORK', { message: `The number ${number} has no account on WhatsApp.` })
      return toChatId(address)
    })
    const group = await orUnknown(() => groups.create(name, jids))
    await writeGroupChat(context, group)
    return group
  },
})

interface GroupInfoFields {
  readonly group: Jid
  /** Asks the network even when the group is known. */
  readonly isFresh: boolean
  readonly withInvite: boolean
  /** Fetches the people who ask to join, too. */
  readonly withRequests: boolean
}

/** Answers with a group. Only an admin sees the invite code and the requests to join; for others they are empty. */
const groupInfo = operation('groupInfo', {
  repeat: true,
  example: { group: exampleGroup, inviteCode: '', requests: [] },
  async run(context: InstanceContext, { group, isFresh, withInvite, withRequests }: GroupInfoFields) {
    const { groups } = await context.connection()
    const info = await orUnknown(() => (isFresh ? groups.fetch(group) : groups.get(group)))
    const mayAsk = isAdmin(context, info)
    const inviteCode = withInvite && mayAsk ? await orUnknown(() => groups.inviteCode(group, false)) : ''
    const requests = withRequests && mayAsk ? await orUnknown(() => groups.requests(group)) : []
    return await answerWhenStored(context, { group: info, inviteCode, requests })
  },
})

/** Connections over which all groups were fetched. From then on notifications keep the stored list true. */
const listed = new WeakSet<Connection>()

/** Makes the stored list of groups true, and answers with the digits of this account's own number. */
const listGroups = operation('listGroups', {
  repeat: true,
  example: { own: '' },
  async run(context: InstanceContext, { isFresh }: { readonly isFresh: boolean }) {
    const connection = await context.connection()
    const pn = context.account.own?.pn
    // A pairing of a moment ago may not have stored the number yet.
    const answer = { own: pn === undefined ? '' : readUser(pn) }
    if (!isFresh && listed.has(connection) && !(await context.reader.hasDoubtfulGroups(context.id))) return answer
    await orUnknown(() => connection.groups.fetchAll())
    listed.add(connection)
    return await answerWhenStored(context, answer)
  },
})

interface InviteCodeFields {
  readonly group: Jid
  readonly isReset: boolean
}

/** Answers with the invite code of a group; `isReset` replaces it first. */
const inviteCode = operation('inviteCode', {
  // A second reset would end the link that the first one made.
  repeat: (command: InviteCodeFields) => (command.isReset ? null : command),
  example: { group: exampleGroup, inviteCode: '' },
  async run(context: InstanceContext, { group, isReset }: InviteCodeFields) {
    const { groups } = await context.connection()
    const info = requireAdmin(context, await orUnknown(() => groups.get(group)))
    return { inviteCode: await orUnknown(() => groups.inviteCode(group, isReset)), group: info }
  },
})

/** Leaves a group. Its chat stays. */
const leaveGroup = operation('leaveGroup', {
  repeat: false,
  example: null,
  async run(context: InstanceContext, { group }: { readonly group: Jid }) {
    const { groups } = await context.connection()
    await orUnknown(() => groups.leave(group)).catch(mapRefusal([403, 404], 'GROUP_NOT_FOUND'))
    const set = { wa_isGroup_member: false, wa_isGroup_admin: false }
    await context.journal.write([{ type: 'chat', chat: { group }, set, announce: true, known: true }])
    return null
  },
})

export const groupOperations = [
  changeGroup,
  createGroup,
  groupInfo,
  inviteCode,
  inviteInfo,
  joinGroup,
  leaveGroup,
  listGroups,
] as const
