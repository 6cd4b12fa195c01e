import type { GroupInfo, GroupMember } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, isGroupJid, isSameChat, readUser, toChatAddress, toChatId } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { MessageInput } from '../port/messages.js'
import type { OwnAddresses } from './own-devices.js'

// Bound: 65,536, a text or attribute of a stanza.

/** People in a message, each under the one of their two addresses that the chat uses. */
export interface WrittenPeople {
  /** Author of the quoted message. */
  readonly quoted?: Jid
  /** This account, where a vote names it. */
  readonly own?: Jid
  /** Author of the message that a reaction or a vote is about. */
  readonly target?: Jid
  readonly mentions: readonly Mention[]
}

export interface Mention {
  readonly jid: Jid
  /** Digits after an `@` in the text that mean this person: the number, the LID, or the caller's spelling. */
  readonly digits: readonly string[]
}

export interface AddressFormsOptions {
  /** Returns a known group. @throws when it cannot be read */
  readonly group: (group: Jid) => Promise<GroupInfo>
  readonly own: () => OwnAddresses
  /** Returns the stored other address of a person. */
  readonly mapping: (jid: Jid) => Promise<Jid | null>
  /** Asks the network for both addresses of numbers. Returns them by number. */
  readonly lookUp: (numbers: readonly Jid[]) => Promise<ReadonlyMap<Jid, ChatAddress>>
}

/** Maximum number of unknown numbers in the mentions of one message that are looked up at the network. */
const LOOK_UPS_MAX = 50

/**
 * Chooses the address under which a person is written in a chat. Members of a group know each other by the group's `addressing_mode`. If a
 * quote or mention uses the other address, clients do not draw it, and they do not apply such reactions and receipts (openclaw PR 74295,
 * W#2230, omni PR 78).
 */
export class AddressForms {
  readonly #options: AddressFormsOptions

  constructor(options: AddressFormsOptions) {
    this.#options = options
  }

  /** Resolves all people in a message. */
  async people(to: ChatAddress, { content, quoted, mentions }: MessageInput): Promise<WrittenPeople> {
    const target = content.kind === 'reaction' || content.kind === 'vote' ? content.target : undefined
    return {
      ...(quoted === undefined ? {} : { quoted: await this.author(quoted) }),
      ...(target === undefined ? {} : { target: await this.author(target) }),
      ...(content.kind === 'vote' ? { own: await this.author({ ...content.target, fromMe: true }) } : {}),
      mentions: mentions === undefined ? [] : await this.#mentions(to, mentions),
    }
  }

  /** Returns the author of a message under the address that its chat uses. */
  async author(message: MessageForActor): Promise<Jid> {
    const { chat, fromMe } = message
    const group = await this.#findGroup(chat)
    const person = fromMe ? this.#own() : findSender(message)
    return await this.#written(person, chat, group, memberIn(group, person))
  }

  /** Returns the people that a message mentions, with the digits that a new text may use for them. */
  async mentioned(chat: ChatAddress, jids: readonly string[]): Promise<readonly Mention[]> {
    if (jids.length === 0) return []
    const group = await this.#findGroup(chat)
    return await this.#addressMentions(
      chat,
      group,
      jids.map((jid) => toChatAddress(jid)),
    )
  }

  async #mentions(to: ChatAddress, mentions: NonNullable<MessageInput['mentions']>): Promise<readonly Mention[]> {
    if (to.group === undefined || !isGroupJid(to.group)) return []
    if (mentions !== 'all')
      return await this.#addressMentions(to, await this.#findGroup(to), mentions, { asksNetwork: true })
    const { participants } = await this.#options.group(to.group)
    const own = this.#own()
    return participants.flatMap((member) => {
      const person = toChatAddress(member.jid, member.other)
      return isSameChat(person, own) ? [] : [{ jid: member.jid, digits: listDigits(person) }]
    })
  }

  async #addressMentions(
    chat: ChatAddress,
    group: GroupInfo | null,
    given: readonly ChatAddress[],
    { asksNetwork = false } = {},
  ): Promise<readonly Mention[]> {
    const members = membersByJid(group)
    const findMember = (person: ChatAddress) =>
      [person.lid, person.pn].map((jid) => members.get(jid ?? '')).find(Boolean)
    const known = await Promise.all(
      given.map(async (person) => {
        const member = findMember(person)
        return member === undefined ? await this.#both(person) : toChatAddress(member.jid, member.other)
      }),
    )
    const people = asksNetwork ? await this.#asSpelled(known) : known
    return await Promise.all(
      people.map(async (person, index) => ({
        jid: await this.#written(person, chat, group, findMember(person)),
        digits: [...new Set([...listDigits(person), ...listDigits(given[index] ?? {})])],
      })),
    )
  }

  /** Looks up numbers without a known LID, for the network's spelling and the LID. Keeps people unchanged that the network does not know. */
  async #asSpelled(people: readonly ChatAddress[]): Promise<readonly ChatAddress[]> {
    const unknown = people.flatMap(({ pn, lid }) => (pn !== undefined && lid === undefined ? [pn] : []))
    if (unknown.length === 0) return people
    const found = await this.#options
      .lookUp([...new Set(unknown)].slice(0, LOOK_UPS_MAX))
      .catch(() => new Map<Jid, ChatAddress>())
    return people.map((person) => (person.lid === undefined && person.pn ? (found.get(person.pn) ?? person) : person))
  }

  async #both(person: ChatAddress): Promise<ChatAddress> {
    if (person.pn !== undefined && person.lid !== undefined) return person
    const jid = toChatId(person)
    const other = await this.#options.mapping(jid)
    return other === null ? person : toChatAddress(jid, other)
  }

  async #written(
    person: ChatAddress,
    chat: ChatAddress,
    group: GroupInfo | null,
    member: GroupMember | undefined,
  ): Promise<Jid> {
    if (member !== undefined) return member.jid
    const form = chooseForm(chat, group, person)
    return person[form] ?? (await this.#both(person))[form] ?? toChatId(person)
  }

  /** Returns null for a direct chat, and for a group that cannot be read now. */
  async #findGroup({ group }: ChatAddress): Promise<GroupInfo | null> {
    if (group === undefined || !isGroupJid(group)) return null
    return await this.#options.group(group).catch(() => null)
  }

  #own(): ChatAddress {
    const { jid, lid } = this.#options.own()
    return toChatAddress(jid, lid)
  }
}

/** Returns which address a chat uses. Messages of a direct chat go to the LID when it is known (`relay`). A group that cannot be read gets the library's choice. */
function chooseForm(chat: ChatAddress, group: GroupInfo | null, person: ChatAddress): 'pn' | 'lid' {
  if (group !== null) return group.addressingMode
  if (chat.group !== undefined) return person.lid === undefined ? 'pn' : 'lid'
  return chat.lid === undefined ? 'pn' : 'lid'
}

function memberIn(group: GroupInfo | null, { pn, lid }: ChatAddress): GroupMember | undefined {
  const isPerson = (jid: Jid | null) => jid !== null && (jid === lid || jid === pn)
  return group?.participants.find(({ jid, other }) => isPerson(jid) || isPerson(other))
}

function membersByJid(group: GroupInfo | null): ReadonlyMap<string, GroupMember> {
  const members = new Map<string, GroupMember>()
  for (const member of group?.participants ?? [])
    for (const jid of [member.jid, member.other]) if (jid !== null) members.set(jid, member)
  return members
}

function findSender({ sender, record }: MessageForActor): ChatAddress {
  const { sender_pn: pn, sender_lid: lid } = record
  const both = { ...(pn ? { pn: pn as Jid } : {}), ...(lid ? { lid: lid as Jid } : {}) }
  return pn || lid ? both : toChatAddress(sender)
}

function listDigits(person: ChatAddress): string[] {
  return [person.pn, person.lid].flatMap((jid) => (jid === undefined ? [] : [readUser(jid)]))
}

/** Replaces the digits after each `@` of a mentioned person by those of the address that the chat uses. */
export function withMentions(text: string, mentions: readonly Mention[]): string {
  if (mentions.length === 0 || !text.includes('@')) return text
  const written = new Map(mentions.flatMap(({ jid, digits }) => digits.map((one) => [one, readUser(jid)])))
  return text.replace(/(?<![\w/.@])@(\d{5,20})(?!\d)/g, (whole, digits: string) => {
    const user = written.get(digits)
    return user === undefined ? whole : `@${user}`
  })
}
