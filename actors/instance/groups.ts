import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import { type GroupInfo, memberOf } from '../../schemas/group-info.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { type ChatAddress, chatIdOf, parseAddress, userOf } from '../../schemas/jid.js'
import type { Connection } from '../network/port.js'
import { asked } from './asked.js'
import type { AskedGroupChange, EditCommunityCommand, GroupInfoCommand, ReplyOf } from './commands.js'
import { bothAddresses } from './known-chat.js'
import type { InstanceJournal, InstanceReader } from './ports.js'

export interface GroupsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: () => Promise<Connection>
  readonly own: () => ChatAddress | null
}

/** A code that this account is in the group already. */
const CONFLICT = 409
const DONE = 200
const NOT_FOUND = 404

/** Of several groups the others are not touched by these. */
const ABOUT_ONE_GROUP: ReadonlySet<ErrorCode> = new Set(['GROUP_NOT_FOUND', 'NOT_GROUP_ADMIN', 'GROUP_REFUSED'])

/** What is asked about groups, and done to them. What the network said is stored when these resolve. */
export class Groups {
  readonly #options: GroupsOptions
  /** Connections over which all groups were asked for. */
  readonly #listed = new WeakSet<Connection>()

  constructor(options: GroupsOptions) {
    this.#options = options
  }

  /** Makes the stored list true. Once for each connection all groups are asked for; from then on notifications keep it. */
  async list(isFresh: boolean): Promise<ReplyOf['listGroups']> {
    const { instance, reader, connection } = this.#options
    const network = await connection()
    const pn = this.#options.own()?.pn
    const own = { own: pn === undefined ? '' : userOf(pn) }
    if (!isFresh && this.#listed.has(network) && !(await reader.hasDoubtfulGroups(instance))) return own
    await asked(network.groups.fetchAll())
    this.#listed.add(network)
    return await this.#stored(own)
  }

  /** The invitation, and who ask to come in, are for admins: to others they are empty. */
  async info({ group, isFresh, withInvite, withRequests }: GroupInfoCommand): Promise<ReplyOf['groupInfo']> {
    const { groups } = await this.#options.connection()
    const info = await asked(isFresh ? groups.fetch(group) : groups.get(group))
    const isAdmin = this.#isAdmin(info)
    const code = withInvite && isAdmin ? await asked(groups.inviteCode(group, false)) : ''
    const requests = withRequests && isAdmin ? await asked(groups.requests(group)) : []
    return await this.#stored({ group: info, inviteCode: code, requests })
  }

  async invitation(code: string): Promise<GroupInfo> {
    const { groups } = await this.#options.connection()
    return await asked(groups.invitation(code)).catch(refusedAs('Error processing group invite'))
  }

  /** The code is looked at first, so that a wrong one joins nothing. */
  async join(code: string): Promise<ReplyOf['joinGroup']> {
    const { groups } = await this.#options.connection()
    const invitation = await this.invitation(code)
    const isIn = await asked(groups.join(code)).catch((error: unknown) => {
      if (error instanceof GatewayError && error.fields.provider_code === CONFLICT) return true
      return refusedAs('Unable to join group')(error)
    })
    if (!isIn) return { group: invitation, isPending: true }
    const group = await asked(groups.fetch(invitation.jid))
    await this.#chatOf(group)
    return { group, isPending: false }
  }

  async create(name: string, numbers: readonly string[]): Promise<GroupInfo> {
    const { groups } = await this.#options.connection()
    const people = await this.#people(numbers)
    const missing = people.find(({ address }) => address === null)
    if (missing !== undefined)
      throw new GatewayError('NOT_ON_NETWORK', {
        message: `The number ${missing.number} has no account on the network.`,
      })
    const group = await asked(
      groups.create(
        name,
        people.flatMap(({ address }) => (address === null ? [] : [chatIdOf(address)])),
      ),
    )
    await this.#chatOf(group)
    return group
  }

  async createCommunity(name: string): Promise<GroupInfo> {
    const { groups } = await this.#options.connection()
    const community = await asked(groups.createCommunity(name))
    await this.#chatOf(community)
    return community
  }

  /** One group after the other; what was done before one failed stays. */
  async editCommunity({ community, isLinked, groups: named }: EditCommunityCommand): Promise<ReplyOf['editCommunity']> {
    const { groups } = await this.#options.connection()
    const parent = this.#asAdmin(await asked(groups.get(community)))
    if (!parent.isParent) throw new GatewayError('GROUP_NOT_FOUND', { message: 'There is no such community.' })
    const done: Jid[] = []
    const failed: { jid: Jid; code: string }[] = []
    for (const jid of named) {
      try {
        this.#asAdmin(await asked(groups.get(jid)))
        await asked(groups.link(community, jid, isLinked)).catch(refusedWhen([401, 403], 'NOT_GROUP_ADMIN'))
        await asked(groups.fetch(jid))
        done.push(jid)
      } catch (error) {
        if (!(error instanceof GatewayError) || !ABOUT_ONE_GROUP.has(error.code)) throw error
        failed.push({ jid, code: error.code })
      }
    }
    return await this.#stored({ done, failed })
  }

  async leave(group: Jid): Promise<null> {
    const { connection, journal } = this.#options
    const { groups } = await connection()
    await asked(groups.leave(group)).catch(refusedWhen([403, NOT_FOUND], 'GROUP_NOT_FOUND'))
    const set = { wa_isGroup_member: false, wa_isGroup_admin: false }
    await journal.write([{ type: 'chat', chat: { group }, set, announce: true, known: true }])
    return null
  }

  async inviteCode(group: Jid, isReset: boolean): Promise<ReplyOf['inviteCode']> {
    const { groups } = await this.#options.connection()
    const info = this.#asAdmin(await asked(groups.get(group)))
    return { inviteCode: await asked(groups.inviteCode(group, isReset)), group: info }
  }

  async change(group: Jid, change: AskedGroupChange): Promise<ReplyOf['changeGroup']> {
    const { groups } = await this.#options.connection()
    const before = await asked(groups.get(group))
    if (mayMembers(before, change)) this.#member(before)
    else this.#asAdmin(before)
    const refused = refusedWhen([401, 403], 'NOT_GROUP_ADMIN')
    if (change.kind !== 'members') {
      await asked(groups.change(group, change)).catch(refused)
      return await this.#stored({ group: await asked(groups.fetch(group)), people: [] })
    }
    const people = await this.#people(change.numbers)
    const found = people.flatMap(({ address }) => (address === null ? [] : [jidIn(before, address)]))
    const results =
      found.length === 0
        ? []
        : await asked(groups.change(group, { kind: 'members', action: change.action, people: found })).catch(refused)
    return await this.#stored({
      group: await asked(groups.fetch(group)),
      people: [
        ...results.map(({ jid, code }) => ({ jid, error: code === DONE ? 0 : code })),
        ...people.flatMap(({ number, address }) => (address === null ? [{ jid: number, error: NOT_FOUND }] : [])),
      ],
    })
  }

  #isAdmin(group: GroupInfo): boolean {
    return this.#member(group).role !== 'member'
  }

  #member(group: GroupInfo) {
    const own = this.#options.own()
    const us = memberOf(group, [own?.pn, own?.lid])
    if (us === undefined) throw new GatewayError('GROUP_NOT_FOUND')
    return us
  }

  #asAdmin(group: GroupInfo): GroupInfo {
    if (!this.#isAdmin(group)) throw new GatewayError('NOT_GROUP_ADMIN')
    return group
  }

  /** Their addresses; null for those who have no account. */
  async #people(numbers: readonly string[]) {
    const { instance, reader, connection } = this.#options
    const given = numbers.map((number) => ({ number, address: parseAddress(number) }))
    const wrong = given.find(({ address }) => address.group !== undefined)
    if (wrong !== undefined)
      throw new GatewayError('INVALID_NUMBER', { message: `Invalid number: ${wrong.number} is not a person.` })
    const both = await Promise.all(
      given.map(async ({ number, address }) => ({ number, address: await bothAddresses(instance, address, reader) })),
    )
    const unknown = both.flatMap(({ address }) => (address.lid === undefined && address.pn ? [address.pn] : []))
    const found =
      unknown.length === 0
        ? new Map<Jid, ChatAddress>()
        : await asked((await connection()).lookUpAll([...new Set(unknown)]))
    return both.map(({ number, address }) => ({
      number,
      address: address.lid !== undefined || address.pn === undefined ? address : (found.get(address.pn) ?? null),
    }))
  }

  async #chatOf({ jid, name }: GroupInfo): Promise<void> {
    const set = { wa_isGroup: true, wa_isGroup_member: true, ...(name === '' ? {} : { name }) }
    await this.#options.journal.write([{ type: 'chat', chat: { group: jid }, set, announce: true }])
  }

  /** What the connection told meanwhile is written. */
  async #stored<T>(answer: T): Promise<T> {
    await this.#options.journal.settled()
    return answer
  }
}

/** What every member may do, as the group is set. */
function mayMembers(group: GroupInfo, change: AskedGroupChange): boolean {
  switch (change.kind) {
    case 'name':
    case 'topic':
    case 'picture':
    case 'ephemeral':
      return !group.isLocked
    case 'members':
      return change.action === 'add' && group.memberAddMode === 'all_member_add'
    default:
      return false
  }
}

/** As the group addresses its members. */
function jidIn({ addressingMode }: GroupInfo, address: ChatAddress): Jid {
  return addressingMode === 'lid' && address.lid !== undefined ? address.lid : chatIdOf(address)
}

function refusedAs(message: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'GROUP_REFUSED') throw error
    throw new GatewayError('GROUP_REFUSED', { message, fields: error.fields, cause: error })
  }
}

function refusedWhen(codes: readonly number[], code: ErrorCode): (error: unknown) => never {
  return (error) => {
    if (error instanceof GatewayError && codes.includes(Number(error.fields.provider_code)))
      throw new GatewayError(code, { cause: error })
    throw error
  }
}
