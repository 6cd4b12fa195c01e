import type {
  UpdateJoinApprovalReply,
  UpdateJoinApprovalRequest,
  UpdateMemberAddModeReply,
  UpdateMemberAddModeRequest,
} from '../../../schemas/generated.js'
import { instanceRoute, type Route } from '../../route.js'
import { exportParticipants, findGroups, listGroups, tellGroup } from './find.js'
import { joinGroup, resetInviteCode, tellInvitation, tellInviteLink } from './invites.js'
import { createGroup, leaveGroup, updateParticipants } from './members.js'
import { groupAfter, groupErrors, groupJid } from './record.js'
import {
  groupEphemeral,
  updateAnnounce,
  updateGroupDescription,
  updateGroupImage,
  updateGroupName,
  updateLocked,
} from './update.js'

const updateJoinApproval = instanceRoute<UpdateJoinApprovalRequest>({
  method: 'POST',
  path: '/group/updateJoinApproval',
  name: 'updateJoinApproval',
  area: 'Group',
  scope: 'token',
  summary: 'Require the approval of an admin to join',
  schema: 'group/update-join-approval.json',
  errors: groupErrors,
  async handle(
    { instance, body: { groupjid, IsJoinApprovalRequired: isSet } },
    { ports },
  ): Promise<UpdateJoinApprovalReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'approval', isSet },
    })
    return {
      response: isSet ? 'Admins are asked before one comes in now' : 'Whoever has the invitation comes in now',
      ...groupAfter(changed, instance.owner),
    }
  },
})

const updateMemberAddMode = instanceRoute<UpdateMemberAddModeRequest>({
  method: 'POST',
  path: '/group/updateMemberAddMode',
  name: 'updateMemberAddMode',
  area: 'Group',
  scope: 'token',
  summary: 'Allow only admins, or all members, to add members',
  schema: 'group/update-member-add-mode.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, MemberAddMode: mode } }, { ports }): Promise<UpdateMemberAddModeReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'memberAdd', mode },
    })
    return {
      response: mode === 'admin_add' ? 'Only admins may add members now' : 'All members may add members now',
      ...groupAfter(changed, instance.owner),
    }
  },
})

/** Routes of the area, in the order of the documentation. */
export const groupRoutes: readonly Route[] = [
  listGroups,
  tellGroup,
  createGroup,
  joinGroup,
  tellInvitation,
  resetInviteCode,
  leaveGroup,
  updateAnnounce,
  updateLocked,
  updateGroupName,
  updateGroupDescription,
  updateGroupImage,
  updateParticipants,
  updateJoinApproval,
  updateMemberAddMode,
  groupEphemeral,
  tellInviteLink,
  findGroups,
  exportParticipants,
]
