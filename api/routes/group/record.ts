import { Readable } from 'node:stream'
import { setImmediate as nextStep } from 'node:timers/promises'
import { GatewayError } from '../../../schemas/errors.js'
import type { Group } from '../../../schemas/generated.js'
import { type GroupInfo, groupRecord } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress } from '../../../schemas/jid.js'
import type { GroupParts } from '../../../schemas/ports/chats.js'
import { asFrequentWork } from '../../../schemas/work.js'
import { Answer } from '../../route.js'

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

export function makeGroup(info: GroupInfo, owner: string, inviteCode = '', requests: readonly Jid[] = []): Group {
  const invite_link = inviteCode === '' ? '' : inviteLink(inviteCode)
  return { ...groupRecord(info, owner), invite_link, request_participants: requests.join(',') } as unknown as Group
}

/** Returns the group after a change. If it could not be read again, it is the group as it was, and the caller must refresh it. */
export function groupAfter({ group, isStale }: { group: GroupInfo; isStale: boolean }, owner: string) {
  return { group: makeGroup(group, owner), needs_refresh: isStale === true }
}

/** Returns whether a list is to be without the members. @throws GatewayError INVALID_REQUEST when it is to be with and without them */
export function leavesMembersOut(isWithout = false, isWith?: boolean): boolean {
  if (isWithout && isWith === true) throw invalidField('getParticipants', 'cannot be true beside noParticipants')
  return isWithout || isWith === false
}

interface GroupsAnswer {
  readonly own: string
  readonly instance: string
  readonly noParticipants: boolean
  /** Fields after the groups. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Answers `{"groups":[…]}` in pieces: some hundred large groups would take the event loop for seconds, and other calls wait meanwhile. */
export function groupsAnswer(groups: GroupParts, options: GroupsAnswer): Answer {
  const body = Readable.from(asObject(groups, options), { objectMode: false })
  return new Answer({ body, type: 'application/json; charset=utf-8' })
}

async function* asObject(
  groups: GroupParts,
  { own, instance, noParticipants, more = {} }: GroupsAnswer,
): AsyncGenerator<string> {
  const work = { kind: 'request', operation: 'listGroups', feature: 'group', instance, id: '' } as const
  const makeRecord = (info: GroupInfo): Group => {
    const record = makeGroup(info, own)
    return noParticipants ? { ...record, Participants: [] } : record
  }
  let before = '{"groups":['
  for await (const part of groups) {
    yield before + asFrequentWork(work, () => JSON.stringify(part.map(makeRecord)).slice(1, -1))
    before = ','
    // A connection that takes the text at once asks for the next part in the same step.
    await nextStep()
  }
  const rest = JSON.stringify(more).slice(1)
  yield `${before === ',' ? '' : before}]${rest === '}' ? '' : ','}${rest}`
}

export function inviteLink(code: string): string {
  return `https://chat.whatsapp.com/${code}`
}
