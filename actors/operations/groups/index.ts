import { changeGroup } from './change.js'
import { createGroup } from './create.js'
import { groupInfo } from './info.js'
import { inviteCode } from './invite-code.js'
import { inviteInfo } from './invite-info.js'
import { joinGroup } from './join.js'
import { leaveGroup } from './leave.js'
import { listGroups } from './list.js'

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
