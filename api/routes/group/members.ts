import type {
  CreateGroupRequest,
  Group,
  LeaveGroupReply,
  LeaveGroupRequest,
  UpdateParticipantsReply,
  UpdateParticipantsRequest,
} from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid, makeGroup } from './record.js'

export const updateParticipants = instanceRoute<UpdateParticipantsRequest>({
  method: 'POST',
  path: '/group/updateParticipants',
  name: 'updateParticipants',
  area: 'Group',
  scope: 'token',
  summary: 'Add, remove, promote or demote members, and answer requests to join',
  schema: 'group/update-participants.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, action, participants } }, { ports }): Promise<UpdateParticipantsReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'members', action, numbers: participants },
    })
    return {
      groupUpdated: changed.people.map(({ jid, error, invitation }) => ({
        ...{ JID: jid, Error: error },
        ...(invitation === undefined ? {} : { AddRequest: toAddRequest(invitation) }),
      })),
      ...groupAfter(changed, instance.owner),
    }
  },
})

function toAddRequest({ code, expiresSeconds }: { readonly code: string; readonly expiresSeconds: number }) {
  return { Code: code, Expiration: new Date(expiresSeconds * 1000).toISOString() }
}

export const leaveGroup = instanceRoute<LeaveGroupRequest>({
  method: 'POST',
  path: '/group/leave',
  name: 'leaveGroup',
  area: 'Group',
  scope: 'token',
  summary: 'Leave a group',
  schema: 'group/leave.json',
  errors: groupErrors,
  async handle({ instance, body }, { ports }): Promise<LeaveGroupReply> {
    await ports.router.ask(instance.id, { type: 'leaveGroup', group: groupJid(body.groupjid) })
    return { response: 'Group left' }
  },
})

export const createGroup = instanceRoute<CreateGroupRequest>({
  method: 'POST',
  path: '/group/create',
  name: 'createGroup',
  area: 'Group',
  scope: 'token',
  summary: 'Create a group',
  schema: 'group/create.json',
  idempotent: 'kept',
  errors: ['NOT_ON_NETWORK', ...groupErrors],
  async handle({ instance, body: { name, participants } }, { ports }): Promise<Group> {
    const asked = { type: 'createGroup', name: name.trim(), numbers: participants } as const
    return makeGroup(await ports.router.ask(instance.id, asked), instance.owner)
  },
})
