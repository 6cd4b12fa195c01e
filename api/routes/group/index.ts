import type { Route } from '../../route.js'
import { createGroup } from './create.js'
import { groupEphemeral } from './ephemeral.js'
import { findGroups } from './find.js'
import { exportParticipants, tellGroup } from './info.js'
import { tellInvitation } from './invite-info.js'
import { tellInviteLink } from './invite-link.js'
import { joinGroup } from './join.js'
import { leaveGroup } from './leave.js'
import { listGroups } from './list.js'
import { resetInviteCode } from './reset-invite-code.js'
import { updateAnnounce } from './update-announce.js'
import { updateGroupDescription } from './update-description.js'
import { updateGroupImage } from './update-image.js'
import { updateJoinApproval } from './update-join-approval.js'
import { updateLocked } from './update-locked.js'
import { updateMemberAddMode } from './update-member-add-mode.js'
import { updateGroupName } from './update-name.js'
import { updateParticipants } from './update-participants.js'

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
