import type {
  GroupEphemeralReply,
  GroupEphemeralRequest,
  UpdateAnnounceReply,
  UpdateAnnounceRequest,
  UpdateGroupDescriptionReply,
  UpdateGroupDescriptionRequest,
  UpdateGroupImageReply,
  UpdateGroupImageRequest,
  UpdateGroupNameReply,
  UpdateGroupNameRequest,
  UpdateLockedReply,
  UpdateLockedRequest,
} from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { makePortrait } from '../portrait.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateGroupName = instanceRoute<UpdateGroupNameRequest>({
  method: 'POST',
  path: '/group/updateName',
  name: 'updateGroupName',
  area: 'Group',
  scope: 'token',
  summary: 'Change the name of a group',
  schema: 'group/update-name.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, name } }, { ports }): Promise<UpdateGroupNameReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'name', name: name.trim() },
    })
    return { response: 'Group name updated', ...groupAfter(changed, instance.owner) }
  },
})

export const updateGroupDescription = instanceRoute<UpdateGroupDescriptionRequest>({
  method: 'POST',
  path: '/group/updateDescription',
  name: 'updateGroupDescription',
  area: 'Group',
  scope: 'token',
  summary: 'Change the description of a group',
  schema: 'group/update-description.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, description } }, { ports }): Promise<UpdateGroupDescriptionReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'topic', topic: description },
    })
    return { response: 'Group description updated', ...groupAfter(changed, instance.owner) }
  },
})

export const updateGroupImage = instanceRoute<UpdateGroupImageRequest>({
  method: 'POST',
  path: '/group/updateImage',
  name: 'updateGroupImage',
  area: 'Group',
  scope: 'token',
  summary: 'Change the picture of a group',
  schema: 'group/update-image.json',
  errors: ['URL_NOT_ALLOWED', 'FETCH_FAILED', ...groupErrors],
  async handle({ instance, body: { groupjid, image } }, { ports }): Promise<UpdateGroupImageReply> {
    const jid = groupJid(groupjid)
    const jpeg = await makePortrait(image, instance.id, ports.linkPreviews)
    const asked = { type: 'changeGroup', group: jid, change: { kind: 'picture', jpeg } } as const
    const changed = await ports.router.ask(instance.id, asked)
    const response = jpeg === null ? 'Group image removed' : 'Group image updated'
    return { response, ...groupAfter(changed, instance.owner) }
  },
})

export const updateLocked = instanceRoute<UpdateLockedRequest>({
  method: 'POST',
  path: '/group/updateLocked',
  name: 'updateLocked',
  area: 'Group',
  scope: 'token',
  summary: 'Allow only admins, or all members, to change a group',
  schema: 'group/update-locked.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, locked } }, { ports }): Promise<UpdateLockedReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'locked', isSet: locked },
    })
    return {
      response: locked ? 'Only admins may change the group now' : 'All members may change the group now',
      ...groupAfter(changed, instance.owner),
    }
  },
})

export const updateAnnounce = instanceRoute<UpdateAnnounceRequest>({
  method: 'POST',
  path: '/group/updateAnnounce',
  name: 'updateAnnounce',
  area: 'Group',
  scope: 'token',
  summary: 'Allow only admins, or all members, to send to a group',
  schema: 'group/update-announce.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, announce } }, { ports }): Promise<UpdateAnnounceReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'announce', isSet: announce },
    })
    // Leaves out this field, as the interface does here.
    const {
      group: { MemberAddMode: _, ...group },
      needs_refresh,
    } = groupAfter(changed, instance.owner)
    return { response: announce ? 'Only admins may send now' : 'All members may send now', group, needs_refresh }
  },
})

const DAY = 86_400
const SECONDS = { off: 0, '1d': DAY, '7d': 7 * DAY, '90d': 90 * DAY } as const

export const groupEphemeral = instanceRoute<GroupEphemeralRequest>({
  method: 'POST',
  path: '/group/ephemeral',
  name: 'groupEphemeral',
  area: 'Group',
  scope: 'token',
  summary: 'Let messages of a group disappear',
  schema: 'group/ephemeral.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, duration } }, { ports }): Promise<GroupEphemeralReply> {
    const { seconds, ephemeral, response } = readDisappearing(duration)
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'ephemeral', seconds },
    })
    return {
      response,
      chat: changed.group.jid,
      ephemeral,
      ...groupAfter(changed, instance.owner),
    }
  },
})

/** Reads after how long messages disappear, and says so. */
export function readDisappearing(duration: GroupEphemeralRequest['duration']) {
  const label = duration === 0 || duration === '0' ? 'off' : duration
  const seconds = SECONDS[label]
  const response = seconds > 0 ? 'Messages disappear now' : 'Messages stay now'
  return { seconds, response, ephemeral: { enabled: seconds > 0, seconds, label } }
}
