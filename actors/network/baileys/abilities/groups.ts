import type { BinaryNode, GroupMetadata } from '@whiskeysockets/baileys'
import type { LRUCache } from 'lru-cache'
import { GatewayError } from '../../../../schemas/errors.js'
import type { GroupChange, MemberAction } from '../../../../schemas/group-change.js'
import { type GroupInfo, memberOf } from '../../../../schemas/group-info.js'
import type { InstanceId, Jid } from '../../../../schemas/ids.js'
import { addressOf, bareJid, isGroupJid } from '../../../../schemas/jid.js'
import type { NetworkEvent } from '../../port/events.js'
import type { GroupNetwork, GroupNotice, GroupPatch } from '../../port/groups.js'
import { changedBy, childOf, children, groupInfoOf } from '../group-info.js'

export interface GroupsOptions {
  readonly instance: InstanceId
  /** Names the instance under its present epoch: another owner may have heard of changes that this node has not. */
  readonly life: string
  /** Shared by the connections of the node. */
  readonly memory: LRUCache<string, GroupInfo>
  /** As stored and not in doubt; else null. */
  readonly stored: (group: Jid) => Promise<GroupInfo | null>
  /** @throws Boom with the network's code in `data` */
  readonly query: (request: BinaryNode) => Promise<BinaryNode>
  readonly emit: (event: NetworkEvent) => void
  readonly own: () => { readonly jid: string; readonly lid: string | null }
}

/**
 * The groups of one account: what is known of them, kept by the network's notifications, and what is asked of the network.
 * A send needs the members, and to ask for them each time meets the network's limits (Baileys issues 1061, 795).
 */
export class BaileysGroups implements GroupNetwork {
  readonly #options: GroupsOptions
  /** How often notifications spoke of a group, so that an answer which they overtook is not kept. */
  readonly #heard = new Map<Jid, number>()
  /** How groups that are not in memory address their members, by their last message. */
  readonly #addressed = new Map<Jid, string>()

  constructor(options: GroupsOptions) {
    this.#options = options
  }

  /** For the library's sends. */
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
    const before = this.#heard.get(group)
    const stored = await this.#options.stored(group)
    const addressed = this.#addressed.get(group)
    const isOutdated = addressed !== undefined && addressed !== stored?.addressingMode
    if (stored === null || isOutdated) return await this.fetch(group)
    if (before === this.#heard.get(group)) this.#options.memory.set(this.#key(group), stored)
    return stored
  }

  /** Tells of a group what is known, or what the network says when nothing is. @throws GatewayError GROUP_NOT_FOUND */
  async learn(group: Jid): Promise<void> {
    this.#keep(await this.get(group))
  }

  /** As the network has it now. @throws GatewayError GROUP_NOT_FOUND */
  async fetch(group: Jid): Promise<GroupInfo> {
    const before = this.#heard.get(group)
    const answer = await this.#ask(group, 'get', { tag: 'query', attrs: { request: 'interactive' } }).catch(asNotFound)
    const node = childOf(answer, 'group')
    if (node === undefined) throw new GatewayError('GROUP_NOT_FOUND')
    const info = groupInfoOf(node)
    if (before === this.#heard.get(group)) this.#keep(info)
    return info
  }

  /** All groups of the account, as the network has them now. */
  async fetchAll(): Promise<readonly GroupInfo[]> {
    const content: BinaryNode[] = [
      { tag: 'participants', attrs: {} },
      { tag: 'description', attrs: {} },
    ]
    const answer = await this.#ask('@g.us', 'get', { tag: 'participating', attrs: {}, content })
    const nodes = childOf(answer, 'groups')
    const infos = nodes === undefined ? [] : children(nodes).map(groupInfoOf)
    for (const info of infos) this.#options.memory.set(this.#key(info.jid), info)
    this.#options.emit({
      type: 'groups',
      groups: infos,
      adminOf: infos.filter((info) => this.#isAdmin(info)).map(({ jid }) => jid),
    })
    return infos
  }

  /** The group behind a code. @throws GatewayError INVALID_INVITE */
  async invitation(code: string): Promise<GroupInfo> {
    const answer = await this.#ask('@g.us', 'get', { tag: 'invite', attrs: { code } }).catch(asInvalidInvite)
    const node = childOf(answer, 'group')
    if (node === undefined) throw new GatewayError('INVALID_INVITE')
    return groupInfoOf(node)
  }

  /** False: the admins of the group are asked first. */
  async join(code: string): Promise<boolean> {
    const answer = await this.#ask('@g.us', 'set', { tag: 'invite', attrs: { code } })
    return childOf(answer, 'membership_approval_request') === undefined
  }

  create(name: string, people: readonly Jid[]): Promise<GroupInfo> {
    return this.#create(name, people.map(participant))
  }

  /** As WhatsApp Web makes one: who comes by an invitation waits for an admin (`communityCreate` of Baileys, `CreateGroup` of whatsmeow). */
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
    const node = childOf(answer, 'group')
    if (node === undefined) throw new GatewayError('GROUP_REFUSED')
    const info = groupInfoOf(node)
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
    return childOf(answer, 'invite')?.attrs.code ?? ''
  }

  async requests(group: Jid): Promise<readonly Jid[]> {
    const answer = await this.#ask(group, 'get', { tag: 'membership_approval_requests', attrs: {} })
    const requests = childOf(answer, 'membership_approval_requests')
    return (requests === undefined ? [] : children(requests)).flatMap(({ attrs }) =>
      attrs.jid === undefined ? [] : [bareJid(attrs.jid)],
    )
  }

  /** Answers with the network's code for each person named; 200 is done. */
  async change(group: Jid, change: GroupChange): Promise<readonly { jid: Jid; code: number }[]> {
    if (change.kind === 'picture') {
      await this.#setPicture(group, change.jpeg)
      return []
    }
    const ask = (known: GroupInfo | null) => this.#ask(group, 'set', requestOf(change, known))
    if (change.kind === 'topic') {
      // It names the one before it; when another was faster, the next look tells which that is.
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
      ? childOf(childOf(answer, 'membership_requests_action'), action)
      : childOf(answer, action)
    return (named === undefined ? [] : children(named)).map(({ attrs }) => ({
      jid: bareJid(attrs.jid ?? ''),
      code: Number(attrs.error) || 200,
    }))
  }

  /**
   * Notes how a group addresses its members. No notification is known that tells when a group goes over from numbers to LIDs; its messages
   * do, and what is sent to it by the other addresses reaches nobody (nanoclaw PR 3038).
   */
  noteAddressing({ attrs: { from, addressing_mode: mode } }: BinaryNode): void {
    if (mode === undefined || from === undefined || !isGroupJid(from)) return
    const group = bareJid(from)
    const known = this.#options.memory.get(this.#key(group))
    if (known === undefined) this.#addressed.set(group, mode)
    if (known === undefined || known.addressingMode === mode) return
    this.#options.memory.delete(this.#key(group))
    this.#options.emit({ type: 'groupDoubt', group })
  }

  /** Synchronous: what it tells is in the journal before the network can hear that it came. */
  onNotification(notification: BinaryNode): void {
    const { from } = notification.attrs
    if (from === undefined || !from.endsWith('@g.us')) return
    const group = bareJid(from)
    this.#heard.set(group, (this.#heard.get(group) ?? 0) + 1)
    const created = childOf(childOf(notification, 'create'), 'group')
    const own = this.#options.own()
    const before = this.#options.memory.get(this.#key(group))
    const after =
      created !== undefined
        ? groupInfoOf(created)
        : before === undefined
          ? isGone(notification, own)
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
      notice: noticeOf(group, notification),
      group: typeof after === 'string' ? null : after,
    })
  }

  #keep(info: GroupInfo): void {
    this.#addressed.delete(info.jid)
    this.#options.memory.set(this.#key(info.jid), info)
    this.#options.emit({ type: 'group', group: info, isAdmin: this.#isAdmin(info) })
  }

  #isAdmin(info: GroupInfo): boolean {
    const { jid, lid } = this.#options.own()
    const role = memberOf(info, [jid, lid ?? undefined])?.role
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
        message: `The network refused it (${code}).`,
        fields: { provider: 'whatsapp', provider_code: code },
        cause: error,
      })
    }
  }

  #key(group: Jid): string {
    return `${this.#options.life}:${group}`
  }
}

function requestOf(change: Exclude<GroupChange, { readonly kind: 'picture' }>, group: GroupInfo | null): BinaryNode {
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

function newKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(11)))
    .toString('hex')
    .toUpperCase()
}

function isAboutRequest(action: MemberAction): boolean {
  return action === 'approve' || action === 'reject'
}

function participant(jid: Jid): BinaryNode {
  return { tag: 'participant', attrs: { jid } }
}

function isGone(notification: BinaryNode, own: { readonly jid: string; readonly lid: string | null }): boolean {
  const us = [own.jid, own.lid].flatMap((jid) => (jid === null ? [] : [bareJid(jid)]))
  return children(notification).some(
    (change) =>
      change.tag === 'delete' ||
      ((change.tag === 'remove' || change.tag === 'leave') &&
        children(change).some(({ attrs }) =>
          [attrs.jid, attrs.lid, attrs.phone_number].some((jid) => jid !== undefined && us.includes(bareJid(jid))),
        )),
  )
}

function noticeOf(group: Jid, notification: BinaryNode): GroupNotice {
  const { participant: sender, participant_pn: other, t } = notification.attrs
  return {
    group,
    sender: sender === undefined ? null : addressOf(sender, other ?? null),
    timestampMs: (Number(t) || 0) * 1000,
    changes: children(notification).map((change): GroupPatch => {
      const people = children(change).flatMap(({ tag, attrs }) =>
        (tag === 'participant' || tag === 'requested_user') && attrs.jid !== undefined ? [bareJid(attrs.jid)] : [],
      )
      return people.length === 0 ? { what: change.tag } : { what: change.tag, people }
    }),
  }
}

function isCode(error: unknown, codes: readonly number[]): boolean {
  return error instanceof GatewayError && codes.includes(Number(error.fields.provider_code))
}

function asNotFound(error: unknown): never {
  // 403: we are not in it.
  if (isCode(error, [403, 404])) throw new GatewayError('GROUP_NOT_FOUND', { cause: error })
  throw error
}

function asInvalidInvite(error: unknown): never {
  // Malformed, unknown, revoked.
  if (isCode(error, [400, 404, 406, 410])) throw new GatewayError('INVALID_INVITE', { cause: error })
  throw error
}
