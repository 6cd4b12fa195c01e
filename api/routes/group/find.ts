import { Readable } from 'node:stream'
import type {
  ExportParticipantsQuery,
  FindGroupsRequest,
  Group,
  GroupInfoRequest,
  GroupListQuery,
} from '../../../schemas/generated.js'
import { type GroupMember, memberAddresses } from '../../../schemas/group-info.js'
import { readUser } from '../../../schemas/jid.js'
import { csvLine } from '../../answers/csv.js'
import { Answer, instanceRoute } from '../../route.js'
import { makePagination, readPaging } from '../pages.js'
import { groupErrors, groupJid, groupsAnswer, leavesMembersOut, makeGroup } from './record.js'

const listErrors = [
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'GROUP_REFUSED',
  'OUTCOME_UNKNOWN',
] as const

export const listGroups = instanceRoute<undefined, GroupListQuery>({
  method: 'GET',
  path: '/group/list',
  isSearch: true,
  name: 'listGroups',
  area: 'Group',
  scope: 'read',
  summary: 'List the groups of the account',
  schema: 'group/list.json',
  errors: listErrors,
  async handle({ instance, query }, { ports }): Promise<Answer> {
    const { force: isFresh = false, noparticipants, getParticipants } = query
    const noParticipants = leavesMembersOut(noparticipants, getParticipants)
    const { own } = await ports.router.ask(instance.id, { type: 'listGroups', isFresh })
    return groupsAnswer(ports.groups.all(instance.id), { own, instance: instance.id, noParticipants })
  },
})

const PAGE_SIZE = 50

export const findGroups = instanceRoute<FindGroupsRequest>({
  method: 'POST',
  path: '/group/list',
  isSearch: true,
  name: 'findGroups',
  area: 'Group',
  scope: 'read',
  summary: 'List the groups of the account, page by page',
  schema: 'group/find.json',
  errors: listErrors,
  async handle({ instance, body, warnings }, { ports }): Promise<Answer> {
    const { force: isFresh = false, noParticipants: isWithout, getParticipants, search = '', ...asked } = body
    const noParticipants = leavesMembersOut(isWithout, getParticipants)
    const { own } = await ports.router.ask(instance.id, { type: 'listGroups', isFresh })
    const page = readPaging(asked, PAGE_SIZE)
    const { groups, total } = await ports.groups.page(instance.id, { search, ...page })
    const more = { pagination: makePagination(total, page), ...(warnings.length === 0 ? {} : { warnings }) }
    return groupsAnswer(groups, { own, instance: instance.id, noParticipants, more })
  },
})

export const tellGroup = instanceRoute<GroupInfoRequest>({
  method: 'POST',
  path: '/group/info',
  name: 'tellGroup',
  area: 'Group',
  scope: 'read',
  keyChat: { chat: 'groupjid' },
  summary: 'Show a group with its members',
  schema: 'group/info.json',
  errors: groupErrors,
  async handle({ instance, key, body, warnings }, { ports }): Promise<Group> {
    const { groupjid, getInviteLink = false, getRequestsParticipants: withRequests = false } = body
    // Everyone with the link can join, so a key that may only read does not get it.
    if (getInviteLink && key !== null) warnings.push('getInviteLink: needs the token of the instance, ignored')
    const withInvite = getInviteLink && key === null
    const group = groupJid(groupjid)
    const asked = { type: 'groupInfo', group, withInvite, withRequests, isFresh: body.force ?? false } as const
    const told = await ports.router.ask(instance.id, asked)
    return makeGroup(told.group, instance.owner, told.inviteCode, told.requests)
  },
})

/** Number of members that are written in one piece. */
const PIECE = 100

export const exportParticipants = instanceRoute<undefined, ExportParticipantsQuery>({
  method: 'GET',
  path: '/group/participants/export',
  name: 'exportParticipants',
  area: 'Group',
  scope: 'read',
  summary: 'Download the members of a group as CSV',
  schema: 'group/participants-export.json',
  produces: 'text/csv',
  errors: groupErrors,
  async handle({ instance, query: { groupjid, force: isFresh = false } }, { ports }): Promise<Answer> {
    const group = groupJid(groupjid)
    const asked = { type: 'groupInfo', group, withInvite: false, withRequests: false, isFresh } as const
    const { participants } = (await ports.router.ask(instance.id, asked)).group
    return new Answer({
      body: Readable.from(writeLines(participants), { objectMode: false }),
      type: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="group-${readUser(group)}.csv"` },
    })
  },
})

function* writeLines(members: readonly GroupMember[]): Generator<string> {
  yield csvLine(['jid', 'lid', 'phone', 'role'])
  for (let from = 0; from < members.length; from += PIECE)
    yield members
      .slice(from, from + PIECE)
      .map((member) => {
        const { lid, pn } = memberAddresses(member)
        return csvLine([member.jid, lid, pn === '' ? '' : readUser(pn), member.role])
      })
      .join('')
}
