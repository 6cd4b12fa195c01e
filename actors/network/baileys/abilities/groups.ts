import type { BinaryNode, GroupMetadata } from '@whiskeysockets/baileys'
import type { LRUCache } from 'lru-cache'
import { GatewayError } from '../../../../schemas/errors.js'
import type { GroupChange, MemberAction } from '../../../../schemas/group-info.js'
import { findMember, type GroupInfo } from '../../../../schemas/group-info.js'
import type { InstanceId, Jid } from '../../../../schemas/ids.js'
import { bareJid, isGroupJid } from '../../../../schemas/jid.js'
import type { NetworkEvent } from '../../port/events.js'
import type { GroupInvitation, GroupNetwork, MemberChange } from '../../port/groups.js'
import { children, findChild } from '../child-nodes.js'
import { changedBy, readGroupInfo } from '../group-info.js'
import { isOwnRemoval, readGroupNotice } from '../group-notices.js'
import type { OwnAddresses } from '../own-devices.js'

export interface GroupsOptions {
  readonly instance: InstanceId
  /** Name of the instance under its present epoch. Another owner may have received changes that this node has not. */
  readonly life: string
  /** Cache of all connections of the node. */
  readonly memory: LRUCache<string, GroupInfo>
  /** Returns the stored group; null if it is not stored or may be outdated. */
  readonly stored: (group: Jid) => Promise<GroupInfo | null>
  /** @throws Boom with the network's code in `data` */
  readonly query: (request: BinaryNode) => Promise<BinaryNode>
  readonly emit: (event: NetworkEvent) => void
  readonly own: () => OwnAddresses
}

/**
 * The groups of one account: requests to the network, and a memory that notifications keep up to date. Each send needs the members, and
 * requests for them at each send would exceed the network's limits (Baileys issues 1061, 795).
 */
export class BaileysGroups implements GroupNetwork {
  readonly #options: GroupsOptions
  /** Number of notifications by group. An answer that a notification overtook is not kept. */
  readonly #notifications = new Map<Jid, number>()
  /** Addressing mode of the last message, for groups that are not in memory. */
  readonly #modes = new Map<Jid, string>()

  constructor(options: GroupsOptions) {
    this.#options = options
  }

  /** Returns a group in the library's form, for sends. */
  async metadata(group: string): Promise<GroupMetadata> {
    const info = await this.get(bareJid(group))
    return {
      id: info.jid,
      subject: info.name,
      owner: info.owner,
      addressingMode: info.addressingMode as NonNullable<GroupMetadata['addressingMode']>,
      participants: info.participants.map(({ jid, role }) => ({ id: jid, admin: role === 'member' ? null : role })),
      ...(info.ephemeralSeconds > 0 ? { ephemeralDuration: info.ephemeralSeconds } : {}),
    }
  }

  /** @throws GatewayError GROUP_NOT_FOUND */
  async get(group: Jid): Promise<GroupInfo> {
    const known = this.#options.memory.get(this.#key(group))
    if (known !== undefined) return known
    const before = this.#notifications.get(group)
    const stored = await this.#options.stored(group)
    const addressed = this.#modes.get(group)
    const isOutdated = addressed !== undefined && addressed !== stored?.addressingMode
    if (stored === null || isOutdated) return await this.fetch(group)
    if (before === this.#notifications.get(group)) this.#options.memory.set(this.#key(group), stored)
    return stored
  }

  /** Emits the state of a group, and fetches it when it is not known. @throws GatewayError GROUP_NOT_FOUND */
  async learn(group: Jid): Promise<void> {
    this.#keep(await this.get(group))
  }

  /** Fetches the present state from the network. @throws GatewayError GROUP_NOT_FOUND */
  async fetch(group: Jid): Promise<GroupInfo> {
    const before = this.#notifications.get(group)
    const answer = await this.#ask(group, 'get', { tag: 'query', attrs: { request: 'interactive' } }).catch(asNotFound)
    const node = findChild(answer, 'group')
    if (node === undefined) throw new GatewayError('GROUP_NOT_FOUND')
    const info = readGroupInfo(node)
    if (before === this.#notifications.get(group)) this.#keep(info)
    return info
  }

  /** Fetches the present state of all groups of the account. */
  async fetchAll(): Promise<readonly GroupInfo[]> {
    const content: BinaryNode[] = [
      { tag: 'participants', attrs: {} },
      { tag: 'description', attrs: {} },
    ]
    const before = new Map(this.#notifications)
    const answer = await this.#ask('@g.us', 'get', { tag: 'participating', attrs: {}, content })
    const nodes = findChild(answer, 'groups')
    const infos = nodes === undefined ? [] : children(nodes).map(readGroupInfo)
    const overtaken = new Set(
      [...this.#notifications].flatMap(([group, n]) => (before.get(group) === n ? [] : [group])),
    )
    for (const info of infos) if (!overtaken.has(info.jid)) this.#options.memory.set(this.#key(info.jid), info)
    this.#options.emit({
      type: 'groups',
      groups: infos,
      adminOf: infos.filter((info) => this.#isAdmin(info)).map(({ jid }) => jid),
    })
    for (const group of overtaken) this.#keepOvertaken(group)
    return infos
  }

  /** Returns the group of an invitation code. @throws GatewayError INVALID_INVITE */
  async invitation(code: string): Promise<GroupInfo> {
    const answer = await this.#ask('@g.us', 'get', { tag: 'invite', attrs: { code } }).catch(asInvalidInvite)
    const node = findChild(answer, 'group')
    if (node === undefined) throw new GatewayError('INVALID_INVITE')
    return readGroupInfo(node)
  }

  /** Joins a group. Returns false when an admin of the group must approve first. */
  async join(code: string): Promise<boolean> {
    const answer = await this.#ask('@g.us', 'set', { tag: 'invite', attrs: { code } })
    return findChild(answer, 'membership_approval_request') === undefined
  }

  /** As `groupAcceptInviteV4` of Baileys, and `JoinGroupWithInvite` of whatsmeow. */
  async accept({ group, code, expiresSeconds, admin }: GroupInvitation): Promise<boolean> {
    const attrs = { code, expiration: String(expiresSeconds), admin }
    const answer = await this.#ask(group, 'set', { tag: 'accept', attrs })
    return findChild(answer, 'membership_approval_request') === undefined
  }

  create(name: string, people: readonly Jid[]): Promise<GroupInfo> {
    return this.#create(name, people.map(participant))
  }

  /** Creates a community as WhatsApp Web does: an admin must approve people with an invitation (`communityCreate` of Baileys, `CreateGroup` of whatsmeow). */
  createCommunity(name: string): Promise<GroupInfo> {
    const parent = { tag: 'parent', attrs: { default_membership_approval_mode: 'request_required' } }
    return this.#create(name, [parent, { tag: 'create_general_chat', attrs: {} }])
  }

  async link(community: Jid, jid: Jid, isLinked: boolean): Promise<void> {
    const kind = 'sub_group'
    const group: BinaryNode = { tag: 'group', attrs: { jid } }
    const link: BinaryNode = { tag: 'link', attrs: { link_type: kind }, content: [group] }
    await this.#ask(
      community,
      'set',
      isLinked
        ? { tag: 'links', attrs: {}, content: [link] }
        : { tag: 'unlink', attrs: { unlink_type: kind }, content: [group] },
    )
  }

  async #create(name: string, content: BinaryNode[]): Promise<GroupInfo> {
    const answer = await this.#ask('@g.us', 'set', { tag: 'create', attrs: { subject: name, key: newKey() }, content })
    const node = findChild(answer, 'group')
    if (node === undefined) throw new GatewayError('GROUP_REFUSED')
    const info = readGroupInfo(node)
    this.#keep(info)
    return info
  }

  async leave(group: Jid): Promise<void> {
    const content: BinaryNode[] = [{ tag: 'group', attrs: { id: group } }]
    await this.#ask('@g.us', 'set', { tag: 'leave', attrs: {}, content })
    this.#forget(group)
  }

  async inviteCode(group: Jid, isReset: boolean): Promise<string> {
    const answer = await this.#ask(group, isReset ? 'set' : 'get', { tag: 'invite', attrs: {} })
    return findChild(answer, 'invite')?.attrs.code ?? ''
  }

  async requests(group: Jid): Promise<readonly Jid[]> {
    const answer = await this.#ask(group, 'get', { tag: 'membership_approval_requests', attrs: {} })
    const requests = findChild(answer, 'membership_approval_requests')
    return (requests === undefined ? [] : children(requests)).flatMap(({ attrs }) =>
      attrs.jid === undefined ? [] : [bareJid(attrs.jid)],
    )
  }

  async change(group: Jid, change: GroupChange): Promise<readonly MemberChange[]> {
    if (change.kind === 'picture') {
      await this.#setPicture(group, change.jpeg)
      return []
    }
    const ask = (known: GroupInfo | null) => this.#ask(group, 'set', composeRequest(change, known))
    if (change.kind === 'topic') {
      // A new description names the one before it. If another change was faster, the fetched group has the new one.
      await ask(await this.get(group)).catch(async (error: unknown) => {
        if (!isCode(error, [409])) throw error
        await ask(await this.fetch(group))
      })
      return []
    }
    const answer = await ask(null)
    if (change.kind !== 'members') return []
    const { action } = change
    const named = isAboutRequest(action)
      ? findChild(findChild(answer, 'membership_requests_action'), action)
      : findChild(answer, action)
    return (named === undefined ? [] : children(named)).map(readMemberChange)
  }

  /**
   * Notes the addressing mode of a group. No known notification reports a change from numbers to LIDs, but messages have the mode. A message
   * that is sent with the former addresses reaches nobody (nanoclaw PR 3038).
   */
  noteAddressing({ attrs: { from, addressing_mode: mode } }: BinaryNode): void {
    if (mode === undefined || from === undefined || !isGroupJid(from)) return
    const group = bareJid(from)
    const known = this.#options.memory.get(this.#key(group))
    if (known === undefined) this.#modes.set(group, mode)
    if (known === undefined || known.addressingMode === mode) return
    this.#options.memory.delete(this.#key(group))
    this.#options.emit({ type: 'groupDoubt', group })
  }

  /** Applies a notification. Synchronous, so that its events are in the journal before the network can get the acknowledgement. */
  onNotification(notification: BinaryNode): void {
    const { from } = notification.attrs
    if (from === undefined || !from.endsWith('@g.us')) return
    const group = bareJid(from)
    this.#notifications.set(group, (this.#notifications.get(group) ?? 0) + 1)
    const created = findChild(findChild(notification, 'create'), 'group')
    const own = this.#options.own()
    const before = this.#options.memory.get(this.#key(group))
    const after =
      created !== undefined
        ? readGroupInfo(created)
        : before === undefined
          ? isOwnRemoval(notification, own)
            ? 'gone'
            : 'doubt'
          : changedBy(before, notification, [own.jid, own.lid])
    if (after === 'gone') this.#forget(group)
    else if (after === 'doubt') {
      this.#options.memory.delete(this.#key(group))
      this.#options.emit({ type: 'groupDoubt', group })
    } else this.#keep(after)
    this.#options.emit({
      type: 'groupNotice',
      notice: readGroupNotice(group, notification),
      group: typeof after === 'string' ? null : after,
    })
  }

  #keep(info: GroupInfo): void {
    this.#modes.delete(info.jid)
    this.#options.memory.set(this.#key(info.jid), info)
    this.#options.emit({ type: 'group', group: info, isAdmin: this.#isAdmin(info) })
  }

  /** Writes a group again that a notification changed while the list of all groups was on its way: the list has its former state, or not the group. */
  #keepOvertaken(group: Jid): void {
    const known = this.#options.memory.get(this.#key(group))
    if (known === undefined) this.#options.emit({ type: 'groupDoubt', group })
    else this.#keep(known)
  }

  #isAdmin(info: GroupInfo): boolean {
    const { jid, lid } = this.#options.own()
    const role = findMember(info, [jid, lid ?? undefined])?.role
    return role !== undefined && role !== 'member'
  }

  #forget(group: Jid): void {
    this.#options.memory.delete(this.#key(group))
    this.#options.emit({ type: 'groupGone', group })
  }

  async #setPicture(group: Jid, jpeg: string | null): Promise<void> {
    const attrs = { to: 's.whatsapp.net', target: group, type: 'set', xmlns: 'w:profile:picture' }
    const picture = (data: string): BinaryNode => ({
      tag: 'picture',
      attrs: { type: 'image' },
      content: Buffer.from(data, 'base64'),
    })
    await this.#query({ tag: 'iq', attrs, ...(jpeg === null ? {} : { content: [picture(jpeg)] }) })
  }

  #ask(to: string, type: 'get' | 'set', content: BinaryNode): Promise<BinaryNode> {
    return this.#query({ tag: 'iq', attrs: { to, type, xmlns: 'w:g2' }, content: [content] })
  }

  /** @throws GatewayError GROUP_REFUSED with the network's code */
  async #query(request: BinaryNode): Promise<BinaryNode> {
    try {
      return await this.#options.query(request)
    } catch (error) {
      const code = (error as { data?: unknown }).data
      if (typeof code !== 'number') throw error
      throw new GatewayError('GROUP_REFUSED', {
        message: `WhatsApp refused it (${code}).`,
        fields: { provider: 'whatsapp', provider_code: code },
        cause: error,
      })
    }
  }

  #key(group: Jid): string {
    return `${this.#options.life}:${group}`
  }
}

function isCode(error: unknown, codes: readonly number[]): boolean {
  return error instanceof GatewayError && codes.includes(Number(error.fields.provider_code))
}

function asNotFound(error: unknown): never {
  // 403: the account is not a member.
  if (isCode(error, [403, 404])) throw new GatewayError('GROUP_NOT_FOUND', { cause: error })
  throw error
}

function asInvalidInvite(error: unknown): never {
  // Malformed, unknown, revoked codes.
  if (isCode(error, [400, 404, 406, 410])) throw new GatewayError('INVALID_INVITE', { cause: error })
  throw error
}

/** A person who may not be added has an invitation beside the error (`add_request`). */
function readMemberChange(node: BinaryNode): MemberChange {
  const { code = '', expiration } = findChild(node, 'add_request')?.attrs ?? {}
  const expiresSeconds = Number(expiration)
  return {
    jid: bareJid(node.attrs.jid ?? ''),
    code: Number(node.attrs.error) || 200,
    ...(code === '' || !Number.isSafeInteger(expiresSeconds) ? {} : { invitation: { code, expiresSeconds } }),
  }
}

/** Makes the request for a change of a group. A new description needs the group, because it names the description before it. */
function composeRequest(
  change: Exclude<GroupChange, { readonly kind: 'picture' }>,
  group: GroupInfo | null,
): BinaryNode {
  switch (change.kind) {
    case 'announce':
      return { tag: change.isSet ? 'announcement' : 'not_announcement', attrs: {} }
    case 'locked':
      return { tag: change.isSet ? 'locked' : 'unlocked', attrs: {} }
    case 'name':
      return { tag: 'subject', attrs: {}, content: Buffer.from(change.name) }
    case 'topic': {
      const id = newKey()
      const prev = group?.topicId ? { prev: group.topicId } : {}
      if (change.topic === '') return { tag: 'description', attrs: { delete: 'true', ...prev } }
      const body: BinaryNode = { tag: 'body', attrs: {}, content: Buffer.from(change.topic) }
      return { tag: 'description', attrs: { id, ...prev }, content: [body] }
    }
    case 'approval': {
      const state = { tag: 'group_join', attrs: { state: change.isSet ? 'on' : 'off' } }
      return { tag: 'membership_approval_mode', attrs: {}, content: [state] }
    }
    case 'memberAdd':
      return { tag: 'member_add_mode', attrs: {}, content: Buffer.from(change.mode) }
    case 'ephemeral':
      return change.seconds > 0
        ? { tag: 'ephemeral', attrs: { expiration: String(change.seconds) } }
        : { tag: 'not_ephemeral', attrs: {} }
    case 'members': {
      const people = { tag: change.action, attrs: {}, content: change.people.map(participant) }
      return isAboutRequest(change.action)
        ? { tag: 'membership_requests_action', attrs: {}, content: [people] }
        : people
    }
    default:
      return change satisfies never
  }
}

/** Makes a random key, as the network's clients do for new groups and descriptions. */
function newKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(11)))
    .toString('hex')
    .toUpperCase()
}

/** Returns whether an action answers requests to join. */
function isAboutRequest(action: MemberAction): boolean {
  return action === 'approve' || action === 'reject'
}

function participant(jid: Jid): BinaryNode {
  return { tag: 'participant', attrs: { jid } }
}
