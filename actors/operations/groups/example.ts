import type { GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'

/** A group without members, for the examples of operations. */
export const exampleGroup: GroupInfo = {
  jid: '120363000000000001@g.us' as Jid,
  name: 'A group',
  nameSetAt: 0,
  nameSetBy: '',
  nameSetByPn: '',
  owner: '',
  ownerPn: '',
  created: 0,
  countryCode: '',
  topic: '',
  topicId: '',
  topicSetAt: 0,
  topicSetBy: '',
  isLocked: false,
  isAnnounce: false,
  announceVersionId: '',
  ephemeralSeconds: 0,
  isIncognito: false,
  isParent: false,
  isDefaultSubGroup: false,
  isJoinApprovalRequired: false,
  linkedParent: '',
  memberAddMode: '',
  addressingMode: 'lid',
  participantVersionId: '',
  participants: [],
}
