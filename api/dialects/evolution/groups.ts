/** Groups: making, changing, members, invitations. */
import { Readable } from 'node:stream'
import { GatewayError } from '../../../schemas/errors.js'
import type { Group } from '../../../schemas/generated.js'
import { Answer, type Route } from '../../route.js'
import { findGroups, tellGroup } from '../../routes/group/find.js'
import { joinGroup, resetInviteCode, tellInvitation, tellInviteLink } from '../../routes/group/invites.js'
import { createGroup, leaveGroup, updateParticipants } from '../../routes/group/members.js'
import {
  groupEphemeral,
  updateAnnounce,
  updateGroupDescription,
  updateGroupImage,
  updateGroupName,
  updateLocked,
} from '../../routes/group/update.js'
import { sendText } from '../../routes/send/text.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { asText, choice, file, flag, isOn, list, object, readGroup, text, toChat, whole } from './fields.js'

const shared = { area: 'Groups', opens: 'instance' } as const
const query = object({ groupJid: text('The group.', 100) })
const inviteQuery = object({ inviteCode: { ...text('Code or link of the invitation.', 200), minLength: 1 } }, [
  'inviteCode',
])
const people = { ...list(text('A number or JID.', 100), 'The people.', 1_024), minItems: 1 }
/** Groups of one step of a long list, so that no step takes the main thread for long. */
const GROUPS_AT_ONCE = 2
const EPHEMERAL: Readonly<Record<number, string>> = { 0: 'off', 86400: '1d', 604800: '7d', 7776000: '90d' }

export const evolutionGroupRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/group/create',
    name: 'createGroup',
    summary: 'Make a group',
    status: 201,
    operations: [createGroup, updateGroupDescription, updateParticipants],
    body: object(
      {
        subject: { ...text('Name.', 100), minLength: 1 },
        description: text('Description.', 2_048),
        participants: people,
        promoteParticipants: flag('Make the members admins.'),
      },
      ['subject', 'participants'],
    ),
    handle: create,
  },
  ...[
    change('updateGroupSubject', 'name', updateGroupName, { subject: { ...text('Name.', 100), minLength: 1 } }, 'name'),
    change('updateGroupPicture', 'picture', updateGroupImage, { image: file('Picture: a URL, or base64.') }, 'image'),
    change(
      'updateGroupDescription',
      'description',
      updateGroupDescription,
      { description: text('Text.', 2_048) },
      'description',
    ),
  ],
  {
    ...shared,
    method: 'GET',
    path: '/group/findGroupInfos',
    name: 'findGroupInfos',
    summary: 'Show a group',
    status: 200,
    operations: [tellGroup],
    query,
    handle: async (call) => groupEntry(await call.ask<Group>(tellGroup, { body: { groupjid: readGroup(call) } }), true),
  },
  {
    ...shared,
    method: 'GET',
    path: '/group/fetchAllGroups',
    name: 'fetchAllGroups',
    summary: 'List the groups of the account',
    status: 200,
    operations: [findGroups],
    query: object({ getParticipants: text('`true` with the members.', 10) }),
    handle: fetchAllGroups,
  },
  {
    ...shared,
    method: 'GET',
    path: '/group/participants',
    name: 'findParticipants',
    summary: 'List the members of a group',
    status: 200,
    operations: [tellGroup],
    differs: '`name` and `imgUrl` are null.',
    query,
    async handle(call) {
      const group = await call.ask<Group>(tellGroup, { body: { groupjid: readGroup(call) } })
      return { participants: listMembers(group).map((member) => ({ ...member, name: null, imgUrl: null })) }
    },
  },
  {
    ...shared,
    method: 'GET',
    path: '/group/inviteCode',
    name: 'inviteCode',
    summary: 'Show the invitation of a group',
    status: 200,
    operations: [tellInviteLink],
    query,
    async handle(call) {
      const inviteUrl = await findLink(call, readGroup(call))
      return { inviteUrl, inviteCode: readCode(inviteUrl) }
    },
  },
  {
    ...shared,
    method: 'GET',
    path: '/group/inviteInfo',
    name: 'inviteInfo',
    summary: 'Show the group of an invitation',
    status: 200,
    operations: [tellInvitation],
    query: inviteQuery,
    handle: async (call) =>
      groupEntry(await call.ask<Group>(tellInvitation, { body: { invitecode: call.query.inviteCode } }), true),
  },
  {
    ...shared,
    method: 'GET',
    path: '/group/acceptInviteCode',
    name: 'acceptInviteCode',
    summary: 'Join a group',
    status: 200,
    operations: [joinGroup],
    query: inviteQuery,
    async handle(call) {
      const { inviteCode } = call.query
      const { group } = await call.ask<{ group: Group }>(joinGroup, { body: { inviteCode } })
      return { accepted: true, groupJid: group.JID }
    },
  },
  {
    ...shared,
    method: 'POST',
    path: '/group/sendInvite',
    name: 'sendInvite',
    summary: 'Send the invitation of a group to people',
    status: 200,
    operations: [tellInviteLink, sendText],
    body: object(
      { groupJid: text('The group.', 100), description: text('Text above the link.', 4_096), numbers: people },
      ['groupJid', 'numbers'],
    ),
    handle: sendInvite,
  },
  {
    ...shared,
    method: 'POST',
    path: '/group/revokeInviteCode',
    name: 'revokeInviteCode',
    summary: 'Replace the invitation of a group',
    status: 201,
    operations: [resetInviteCode],
    query,
    async handle(call) {
      const { InviteLink } = await call.ask(resetInviteCode, { body: { groupjid: readGroup(call) } })
      return { revoked: true, inviteCode: readCode(asText(InviteLink)) }
    },
  },
  {
    ...shared,
    method: 'POST',
    path: '/group/updateParticipant',
    name: 'updateParticipant',
    summary: 'Add or remove members, or change who is an admin',
    status: 201,
    operations: [updateParticipants],
    query,
    body: object(
      {
        groupJid: text('The group.', 100),
        action: choice('What is done.', 'add', 'remove', 'promote', 'demote'),
        participants: people,
      },
      ['action', 'participants'],
    ),
    async handle(call) {
      const { action, participants } = call.body
      const { groupUpdated } = await call.ask<{ groupUpdated: readonly Json[] }>(updateParticipants, {
        body: { groupjid: readGroup(call), action, participants: (participants as readonly string[]).map(toChat) },
      })
      return {
        updateParticipants: groupUpdated.map(({ JID, Error: code }) => ({
          status: Number(code) === 0 ? '200' : String(code),
          jid: JID,
          content: null,
        })),
      }
    },
  },
  {
    ...shared,
    method: 'POST',
    path: '/group/updateSetting',
    name: 'updateSetting',
    summary: 'Choose who sends, and who changes the group',
    status: 201,
    operations: [updateAnnounce, updateLocked],
    query,
    body: object(
      {
        groupJid: text('The group.', 100),
        action: choice('What is set.', 'announcement', 'not_announcement', 'locked', 'unlocked'),
      },
      ['action'],
    ),
    async handle(call) {
      const { action } = call.body
      const groupjid = readGroup(call)
      if (action === 'announcement' || action === 'not_announcement')
        await call.ask(updateAnnounce, { body: { groupjid, announce: action === 'announcement' } })
      else await call.ask(updateLocked, { body: { groupjid, locked: action === 'locked' } })
      return {}
    },
  },
  {
    ...shared,
    method: 'POST',
    path: '/group/toggleEphemeral',
    name: 'toggleEphemeral',
    summary: 'Choose how long messages stay',
    status: 201,
    operations: [groupEphemeral],
    query,
    body: object(
      { groupJid: text('The group.', 100), expiration: whole('Seconds: 0, 86400, 604800 or 7776000.', 0, 7_776_000) },
      ['expiration'],
    ),
    async handle(call) {
      const duration = EPHEMERAL[Number(call.body.expiration)]
      if (duration === undefined) {
        const details = [{ field: 'expiration', why: `must be one of: ${Object.keys(EPHEMERAL).join(', ')}` }]
        throw new GatewayError('INVALID_REQUEST', { details })
      }
      await call.ask(groupEphemeral, { body: { groupjid: readGroup(call), duration } })
      return { success: true }
    },
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/group/leaveGroup',
    name: 'leaveGroup',
    summary: 'Leave a group',
    status: 200,
    operations: [leaveGroup],
    query,
    async handle(call) {
      const groupjid = readGroup(call)
      await call.ask(leaveGroup, { body: { groupjid } })
      return { groupJid: groupjid, leave: true }
    },
  },
]

/** Defines an operation that changes one field of a group. */
function change(
  name: string,
  what: string,
  route: Route,
  fields: Parameters<typeof object>[0],
  ours: string,
): DialectRoute {
  const [given = ''] = Object.keys(fields)
  return {
    ...shared,
    method: 'POST',
    path: `/group/${name}`,
    name,
    summary: `Change the ${what} of a group`,
    status: 201,
    operations: [route],
    query,
    body: object({ groupJid: text('The group.', 100), ...fields }, [given]),
    async handle(call) {
      await call.ask(route, { body: { groupjid: readGroup(call), [ours]: call.body[given] } })
      return { update: 'success' }
    },
  }
}

async function create(call: DialectCall): Promise<Json> {
  const { subject, description, participants, promoteParticipants } = call.body
  const numbers = (participants as readonly string[]).map(toChat)
  const made = await call.ask<Group>(createGroup, { body: { name: subject, participants: numbers } })
  const groupjid = made.JID
  if (asText(description) !== '') await call.ask(updateGroupDescription, { body: { groupjid, description } })
  if (isOn(promoteParticipants))
    await call.ask(updateParticipants, { body: { groupjid, action: 'promote', participants: numbers } })
  const isChanged = asText(description) !== '' || isOn(promoteParticipants)
  return groupEntry(isChanged ? await call.ask<Group>(tellGroup, { body: { groupjid } }) : made, true)
}

/** Writes the list group by group: the members of some hundred large groups would take the main thread for long. */
async function fetchAllGroups(call: DialectCall): Promise<Answer> {
  const noParticipants = call.query.getParticipants !== 'true'
  const limit = noParticipants ? 100 : GROUPS_AT_ONCE
  const next = async (offset: number) =>
    (await call.ask<{ groups: readonly Group[] }>(findGroups, { body: { limit, offset, noParticipants } })).groups
  // The first page before the answer begins: an error still has its status.
  const first = await next(0)
  const body = Readable.from(
    (async function* () {
      let page = first
      let before = '['
      for (let offset = limit; page.length > 0; offset += limit) {
        yield before + JSON.stringify(page.map((group) => groupEntry(group, !noParticipants))).slice(1, -1)
        before = ','
        page = page.length < limit ? [] : await next(offset)
      }
      yield before === '[' ? '[]' : ']'
    })(),
    { objectMode: false },
  )
  return new Answer({ body, type: 'application/json; charset=utf-8' })
}

async function findLink(call: DialectCall, groupJID: string): Promise<string> {
  const { inviteLink } = await call.ask(tellInviteLink, { params: { groupJID } })
  return asText(inviteLink)
}

function readCode(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1)
}

async function sendInvite(call: DialectCall): Promise<Json> {
  const inviteUrl = await findLink(call, readGroup(call))
  const { description, numbers } = call.body
  const written = asText(description) === '' ? inviteUrl : `${asText(description)}\n\n${inviteUrl}`
  for (const number of numbers as readonly string[])
    await call.ask(sendText, { body: { number: toChat(number), text: written, placeholders: false } })
  return { send: true, inviteUrl }
}

function groupEntry(group: Group, hasMembers: boolean): Json {
  return {
    id: group.JID,
    subject: group.Name ?? '',
    subjectOwner: group.NameSetByPN || group.NameSetBy || null,
    subjectTime: toSeconds(group.NameSetAt),
    pictureUrl: null,
    size: group.ParticipantCount ?? 0,
    creation: toSeconds(group.GroupCreated),
    owner: group.OwnerPN || group.OwnerJID || null,
    desc: group.Topic ?? '',
    descId: group.TopicID ?? '',
    restrict: group.IsLocked === true,
    announce: group.IsAnnounce === true,
    ...(hasMembers ? { participants: listMembers(group) } : {}),
    isCommunity: group.IsParent === true,
    isCommunityAnnounce: group.IsDefaultSubGroup === true,
    linkedParent: group.LinkedParentJID || null,
  }
}

function listMembers({ Participants = [] }: Group): readonly Json[] {
  return Participants.map(({ JID, PhoneNumber, IsAdmin, IsSuperAdmin }) => ({
    id: JID,
    admin: IsSuperAdmin === true ? 'superadmin' : IsAdmin ? 'admin' : null,
    ...(asText(PhoneNumber) === '' ? {} : { phoneNumber: PhoneNumber }),
  }))
}

function toSeconds(time: string | undefined): number | null {
  const atMs = Date.parse(time ?? '')
  return Number.isNaN(atMs) ? null : Math.floor(atMs / 1_000)
}
