import { GatewayError } from '../../../schemas/errors.js'
import type { Group } from '../../../schemas/generated.js'
import { type GroupInfo, groupRecord } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { parseAddress } from '../../../schemas/jid.js'

export const groupErrors = [
  'INVALID_NUMBER',
  'GROUP_NOT_FOUND',
  'NOT_GROUP_ADMIN',
  'GROUP_REFUSED',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'OUTCOME_UNKNOWN',
] as const

/** Returns the JID of a group. @throws GatewayError INVALID_NUMBER when it is no group */
export function groupJid(text: string, field = 'groupjid'): Jid {
  const { group } = parseAddress(text, field)
  if (group?.endsWith('@g.us')) return group
  const why = 'is not a group id ending in @g.us'
  throw new GatewayError('INVALID_NUMBER', {
    message: `Invalid ${field}: it ${why}.`,
    details: [{ field, why }],
  })
}

export function groupOf(info: GroupInfo, owner: string, inviteCode = '', requests: readonly Jid[] = []): Group {
  const invite_link = inviteCode === '' ? '' : inviteLink(inviteCode)
  return { ...groupRecord(info, owner), invite_link, request_participants: requests.join(',') } as unknown as Group
}

export function inviteLink(code: string): string {
  return `https://chat.whatsapp.com/${code}`
}
