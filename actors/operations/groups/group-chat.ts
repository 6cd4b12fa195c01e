import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import { findMember, type GroupInfo, type GroupMember } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { notPerson } from '../contacts/person.js'
import type { InstanceContext } from '../context.js'

export interface Person {
  /** As the caller wrote it. */
  readonly number: string
  /** Null when the number has no account. */
  readonly address: ChatAddress | null
}

/** Finds the addresses of people. Asks the network once, for all that are not known. @throws GatewayError INVALID_NUMBER */
export async function findPeople(context: InstanceContext, numbers: readonly string[]): Promise<readonly Person[]> {
  const given = numbers.map((number, index) => ({ number, address: parseAddress(number, `participants[${index}]`) }))
  const wrong = given.findIndex(({ address }) => address.group !== undefined)
  if (wrong >= 0) throw notPerson(`participants[${wrong}]`)
  const both = await Promise.all(
    given.map(async ({ number, address }) => ({
      number,
      address: await bothAddresses(context.id, address, context.reader),
    })),
  )
  const unknown = both.flatMap(({ address }) => (address.lid === undefined && address.pn ? [address.pn] : []))
  const found =
    unknown.length === 0
      ? new Map<Jid, ChatAddress>()
      : await orUnknown(async () => await (await context.connection()).contacts.lookUpAll([...new Set(unknown)]))
  return both.map(({ number, address }) => ({
    number,
    address: address.lid !== undefined || address.pn === undefined ? address : (found.get(address.pn) ?? null),
  }))
}

/** Writes the chat of a group that this account has just come into. */
export async function writeGroupChat({ journal }: InstanceContext, { jid, name }: GroupInfo): Promise<void> {
  const set = { wa_isGroup: true, wa_isGroup_member: true, ...(name === '' ? {} : { name }) }
  await journal.write([{ type: 'chat', chat: { group: jid }, set, announce: true }])
}

/** Gives the answer when everything is stored that the connection reported until now. */
export async function answerWhenStored<T>({ journal }: InstanceContext, answer: T): Promise<T> {
  await journal.settled()
  return answer
}

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

/** The rights of this account in a group, and the network's refusals as errors for callers. */

/** @throws GatewayError GROUP_NOT_FOUND when this account is not a member */
export function ownMember({ account }: InstanceContext, group: GroupInfo): GroupMember {
  const us = findMember(group, [account.own?.pn, account.own?.lid])
  if (us === undefined) throw new GatewayError('GROUP_NOT_FOUND')
  return us
}

/** @throws GatewayError GROUP_NOT_FOUND */
export function isAdmin(context: InstanceContext, group: GroupInfo): boolean {
  return ownMember(context, group).role !== 'member'
}

/** @throws GatewayError GROUP_NOT_FOUND, NOT_GROUP_ADMIN */
export function requireAdmin(context: InstanceContext, group: GroupInfo): GroupInfo {
  if (!isAdmin(context, group)) throw new GatewayError('NOT_GROUP_ADMIN')
  return group
}

/** Gives refusals of the network the message that the interface has for the operation. */
export function withRefusalMessage(message: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'GROUP_REFUSED') throw error
    throw new GatewayError('GROUP_REFUSED', { message, fields: error.fields, cause: error })
  }
}

/** Turns refusals with one of these codes of the network into an error of ours. */
export function mapRefusal(codes: readonly number[], code: ErrorCode): (error: unknown) => never {
  return (error) => {
    if (error instanceof GatewayError && codes.includes(Number(error.fields.provider_code)))
      throw new GatewayError(code, { cause: error })
    throw error
  }
}
