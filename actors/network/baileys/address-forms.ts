import type { GroupInfo, GroupMember } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import { addressOf, type ChatAddress, chatIdOf, isGroupJid, isSameChat, userOf } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { MessageInput } from '../port/messages.js'
import type { OwnAddresses } from './own-devices.js'

/** How the people in a message are written: under one of their two addresses, as the chat itself writes them. */
export interface WrittenPeople {
  /** The author of the quoted message. */
  readonly quoted?: Jid
  /** The author of the message that a reaction is about. */
  readonly target?: Jid
  readonly mentions: readonly Mention[]
}

export interface Mention {
  readonly jid: Jid
  /** The digits after an `@` in the text that mean this person: the number, the LID, the spelling of the caller. */
  readonly digits: readonly string[]
}

export interface AddressFormsOptions {
  /** A group as it is known. @throws when it cannot be read */
  readonly group: (group: Jid) => Promise<GroupInfo>
  readonly own: () => OwnAddresses
  /** The other address of a person, as stored. */
  readonly mapping: (jid: Jid) => Promise<Jid | null>
  /** Both addresses of numbers, by number, as the network knows them. */
  readonly lookUp: (numbers: readonly Jid[]) => Promise<ReadonlyMap<Jid, ChatAddress>>
}

/** Numbers in `mentions` of which nothing is known are asked of the network, up to so many in one message. */
const LOOK_UPS_MAX = 50

/**
 * Chooses the address under which a person is named in a chat. Members of a group know each other by the group's `addressing_mode`; clients do
 * not draw quotes and mentions, nor apply reactions and receipts, that name somebody by the other address (openclaw PR 74295, W#2230,
 * omni PR 78).
 */
export class AddressForms {
  readonly #options: AddressFormsOptions

  constructor(options: AddressFormsOptions) {
    this.#options = options
  }

  /** Resolves all people whom a message names. */
  async people(to: ChatAddress, { content, quoted, mentions }: MessageInput): Promise<WrittenPeople> {
    const target = content.kind === 'reaction' ? content.target : undefined
    return {
      ...(quoted === undefined ? {} : { quoted: await this.author(quoted) }),
      ...(target === undefined ? {} : { target: await this.author(target) }),
      mentions: mentions === undefined ? [] : await this.#mentions(to, mentions),
    }
  }

  /** The author of a message, as its chat names them. */
  async author(message: MessageForActor): Promise<Jid> {
    const { chat, fromMe } = message
    const group = await this.#groupOf(chat)
    const person = fromMe ? this.#own() : senderOf(message)
    return await this.#written(person, chat, group, memberIn(group, person))
  }

  /** The people whom a message mentions already, with the digits by which a new text may call them. */
  async mentioned(chat: ChatAddress, jids: readonly string[]): Promise<readonly Mention[]> {
    if (jids.length === 0) return []
    const group = await this.#groupOf(chat)
    return await this.#mentionsOf(
      chat,
      group,
      jids.map((jid) => addressOf(jid)),
    )
  }

  async #mentions(to: ChatAddress, mentions: NonNullable<MessageInput['mentions']>): Promise<readonly Mention[]> {
    if (to.group === undefined || !isGroupJid(to.group)) return []
    if (mentions !== 'all') return await this.#mentionsOf(to, await this.#groupOf(to), mentions, { asksNetwork: true })
    const { participants } = await this.#options.group(to.group)
    const own = this.#own()
    return participants.flatMap((member) => {
      const person = addressOf(member.jid, member.other)
      return isSameChat(person, own) ? [] : [{ jid: member.jid, digits: digitsOf(person) }]
    })
  }

  async #mentionsOf(
    chat: ChatAddress,
    group: GroupInfo | null,
    given: readonly ChatAddress[],
    { asksNetwork = false } = {},
  ): Promise<readonly Mention[]> {
    const members = membersByJid(group)
    const memberOf = (person: ChatAddress) => [person.lid, person.pn].map((jid) => members.get(jid ?? '')).find(Boolean)
    const known = await Promise.all(
      given.map(async (person) => {
        const member = memberOf(person)
        return member === undefined ? await this.#both(person) : addressOf(member.jid, member.other)
      }),
    )
    const people = asksNetwork ? await this.#asSpelled(known) : known
    return await Promise.all(
      people.map(async (person, index) => ({
        jid: await this.#written(person, chat, group, memberOf(person)),
        digits: [...new Set([...digitsOf(person), ...digitsOf(given[index] ?? {})])],
      })),
    )
  }

  /** The numbers of which no LID is known, as the network spells them and with the LID. Whom it does not tell of stays as given. */
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
    const jid = chatIdOf(person)
    const other = await this.#options.mapping(jid)
    return other === null ? person : addressOf(jid, other)
  }

  async #written(
    person: ChatAddress,
    chat: ChatAddress,
    group: GroupInfo | null,
    member: GroupMember | undefined,
  ): Promise<Jid> {
    if (member !== undefined) return member.jid
    const form = formOf(chat, group, person)
    return person[form] ?? (await this.#both(person))[form] ?? chatIdOf(person)
  }

  /** Null for a chat of two, and for a group that cannot be read now. */
  async #groupOf({ group }: ChatAddress): Promise<GroupInfo | null> {
    if (group === undefined || !isGroupJid(group)) return null
    return await this.#options.group(group).catch(() => null)
  }

  #own(): ChatAddress {
    const { jid, lid } = this.#options.own()
    return addressOf(jid, lid)
  }
}

/** A chat of two is written to by the LID when it is known (`relay`). Of a group that cannot be read, as the library takes it. */
function formOf(chat: ChatAddress, group: GroupInfo | null, person: ChatAddress): 'pn' | 'lid' {
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

function senderOf({ sender, record }: MessageForActor): ChatAddress {
  const { sender_pn: pn, sender_lid: lid } = record
  const both = { ...(pn ? { pn: pn as Jid } : {}), ...(lid ? { lid: lid as Jid } : {}) }
  return pn || lid ? both : addressOf(sender)
}

function digitsOf(person: ChatAddress): string[] {
  return [person.pn, person.lid].flatMap((jid) => (jid === undefined ? [] : [userOf(jid)]))
}

/** The text with each `@` and digits of somebody who is mentioned as the chat writes them. */
export function withMentions(text: string, mentions: readonly Mention[]): string {
  if (mentions.length === 0 || !text.includes('@')) return text
  const written = new Map(mentions.flatMap(({ jid, digits }) => digits.map((one) => [one, userOf(jid)])))
  return text.replace(/(?<![\w/.@])@(\d{5,20})(?!\d)/g, (whole, digits: string) => {
    const user = written.get(digits)
    return user === undefined ? whole : `@${user}`
  })
}
