import { GatewayError } from './errors.js'
import type { Jid } from './ids.js'
import { NO_NUMBER, readNumberText } from './number-text.js'
import { readPhoneNumber } from './phone-number.js'

/** The people and groups a message can go to; a person may be known by number (`pn`), by LID, or by both. */
export interface ChatAddress {
  /** `<digits>@s.whatsapp.net`, when the number is known. */
  readonly pn?: Jid
  /** `<digits>@lid`, when the LID is known. */
  readonly lid?: Jid
  /** `<digits>@g.us`, `<digits>@newsletter`, `status@broadcast`: everything that is not a person. */
  readonly group?: Jid
}

const NUMBER_SERVER = 's.whatsapp.net'
const LID_SERVER = 'lid'
const ORDINARY: ReadonlyMap<string, string> = new Map([
  ['c.us', NUMBER_SERVER],
  ['hosted', NUMBER_SERVER],
  ['hosted.lid', LID_SERVER],
])
const OTHER_SERVERS = new Set(['g.us', 'newsletter', 'broadcast'])

/**
 * Parses the `number` of a caller: a phone number as people and spreadsheets write it, or a JID.
 * @param field the name of the field that holds it, for the error
 * @param country ISO code of the country whose national numbers are taken
 * @throws GatewayError INVALID_NUMBER
 */
export function parseAddress(input: string, field = 'number', country = ''): ChatAddress {
  if (input.length > 100) throw invalidNumber('is longer than 100 characters', field)
  const text = input.trim()
  const at = text.indexOf('@')
  if (at < 0) return { pn: `${parseNumber(text, field, country)}@${NUMBER_SERVER}` as Jid }
  if (at === 0) throw invalidNumber('is a username, which this call does not take: use the JID or the number', field)
  // Some servers write the agent of an account before its device: `15550000001.0:12@s.whatsapp.net`.
  // Bound: 65,536, an address of a chat.
  const user = text.slice(0, at).replace(/(?:[._]\d{1,2})?:\d+$|[._]0$/, '')
  const server = text.slice(at + 1).toLowerCase()
  if (server === NUMBER_SERVER || server === 'c.us') return { pn: numberJid(user, field) }
  if (server === LID_SERVER) {
    // Bound: 65,536, an address of a chat.
    if (!/^\d{5,20}$/.test(user)) throw invalidNumber('is not a LID', field)
    return { lid: `${user}@lid` as Jid }
  }
  // Bound: 65,536, an address of a chat.
  if (server === 'g.us' && !/^\d{5,25}(-\d{5,15})?$/.test(user)) throw invalidNumber('is not a group id', field)
  // Bound: 65,536, an address of a chat.
  if (server === 'newsletter' && !/^\d{5,25}$/.test(user)) throw invalidNumber('is not a channel id', field)
  // Bound: 65,536, an address of a chat.
  if (server === 'broadcast' && !/^(status|\d{5,25})$/.test(user)) throw invalidNumber('is not a broadcast id', field)
  if (!OTHER_SERVERS.has(server)) throw invalidNumber('ends in an unknown address', field)
  return { group: `${user}@${server}` as Jid }
}

/**
 * A `number` to which something is sent. Status posts and broadcast lists are chats that can be looked at, and not written to: what is sent
 * to their JIDs as to a chat is taken by the network and shown to nobody (Baileys issues 2118, 2217).
 * @throws GatewayError INVALID_NUMBER, NOT_SUPPORTED
 */
export function parseRecipient(input: string, field = 'number', country = ''): ChatAddress {
  const address = parseAddress(input, field, country)
  if (!address.group?.endsWith('@broadcast')) return address
  const why = 'names status posts or a broadcast list: name a person or a group, or post a status with /send/status'
  throw new GatewayError('NOT_SUPPORTED', { message: `Not supported: ${field} ${why}.`, details: [{ field, why }] })
}

/** Whether `mentions` names all members of the group. */
export function isEverybody(mentions: string): boolean {
  return mentions.trim().toLowerCase() === 'all'
}

/**
 * The people whom a caller gave as `mentions`, separated by commas.
 * @throws GatewayError INVALID_NUMBER
 */
export function mentionedIn(mentions: string): ChatAddress[] {
  // Bound: 65,536, an address of a chat.
  const all = mentions.split(',').filter((one) => one.trim() !== '')
  return all.map((one) => {
    const address = parseAddress(one, 'mentions')
    if (address.group !== undefined) throw invalidNumber('names a group, and only people can be mentioned', 'mentions')
    return address
  })
}

/** The address of a JID that the network gave, without its device. */
export function toChatAddress(jid: string, alternative?: string | null): ChatAddress {
  const first = bareJid(jid)
  const second = alternative ? bareJid(alternative) : undefined
  const { server } = splitJid(first)
  if (server !== NUMBER_SERVER && server !== LID_SERVER) return { group: first }
  const both = second === undefined ? [first] : [first, second]
  const pn = both.find((one) => splitJid(one).server === NUMBER_SERVER)
  const lid = both.find((one) => splitJid(one).server === LID_SERVER)
  return { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) }
}

/**
 * Numbers that are written in two ways: mobile numbers of Brazil with and without the ninth digit, of Mexico with and without the 1, of
 * Argentina with and without the 9 after the country code.
 */
// Bound: 65,536, an address of a chat.
const TWO_SPELLINGS = [
  { form: /^(55[1-9]\d)(9?)([6-9]\d{7})$/, digit: '9', isUsual: true },
  { form: /^(52)(1?)([2-9]\d{9})$/, digit: '1', isUsual: false },
  { form: /^(54)(9?)([1-8]\d{9})$/, digit: '9', isUsual: true },
] as const

/**
 * The other spelling of a mobile number of Brazil, Mexico or Argentina; null for other numbers. An account is known to the network by one of the
 * two, and people write either.
 */
export function otherSpelling(digits: string): string | null {
  const [usual, other] = listSpellings(digits)
  return other === null ? null : digits === usual ? other : usual
}

/** Returns the spelling by which lists of people know a number, and its other one. */
function listSpellings(digits: string): readonly [usual: string, other: string | null] {
  for (const { form, digit, isUsual } of TWO_SPELLINGS) {
    const [, start, , rest] = form.exec(digits) ?? []
    if (start === undefined || rest === undefined) continue
    const [long, short] = [`${start}${digit}${rest}`, `${start}${rest}`]
    return isUsual ? [long, short] : [short, long]
  }
  return [digits, null]
}

/**
 * Returns the address under which lists of people know somebody: the number's JID, with the ninth digit of Brazilian mobile numbers, without
 * the 1 of Mexican and with the 9 of Argentine ones, else the LID. It is for comparison only. The network may know the account by the other spelling.
 */
export function personAddress(address: ChatAddress): Jid {
  const { pn } = address
  return pn === undefined ? toChatId(address) : (`${listSpellings(readUser(pn))[0]}@${NUMBER_SERVER}` as Jid)
}

/** Returns all addresses of a person, with both spellings of the number. */
export function personAddresses({ pn, lid }: ChatAddress): readonly Jid[] {
  const both =
    pn === undefined ? [] : listSpellings(readUser(pn)).flatMap((digits) => (digits === null ? [] : [digits]))
  const numbers = both.map((digits) => `${digits}@${NUMBER_SERVER}` as Jid)
  return [...new Set([...(pn === undefined ? [] : [pn]), ...numbers, ...(lid === undefined ? [] : [lid])])]
}

/** Whether two addresses have one in common. */
export function isSameChat(one: ChatAddress, other: ChatAddress): boolean {
  return (['group', 'lid', 'pn'] as const).some((kind) => one[kind] !== undefined && one[kind] === other[kind])
}

/** The JID that names a chat to our callers: the number's when known, else the LID, else the group. */
export function toChatId(address: ChatAddress): Jid {
  const jid = address.group ?? address.pn ?? address.lid
  if (jid === undefined) throw new Error('An address names nobody.')
  return jid
}

/**
 * A JID without device and agent parts; `c.us`, the older name of `s.whatsapp.net`, is written the new way, and a device in the cloud of a
 * business is of its account (`hosted`, `hosted.lid`).
 */
export function bareJid(jid: string): Jid {
  const { user, server } = splitJid(jid)
  return `${user}@${ORDINARY.get(server) ?? server}` as Jid
}

/** The part before the server, without device: the digits of a number or LID. */
export function readUser(jid: string): string {
  return splitJid(jid).user
}

export function isGroupJid(jid: string): boolean {
  return jid.endsWith('@g.us')
}

export function isLidJid(jid: string): boolean {
  return jid.endsWith('@lid')
}

function splitJid(jid: string): { user: string; server: string } {
  const at = jid.indexOf('@')
  const account = at < 0 ? jid : jid.slice(0, at)
  // Strangers name people in their messages as they like, so no pattern that would start again at each sign.
  // Bound: 65,536, an address of a chat.
  const end = account.search(/[:_]/)
  return { user: end < 0 ? account : account.slice(0, end), server: at < 0 ? NUMBER_SERVER : jid.slice(at + 1) }
}

/** The JID of digits that stand before its server. They are taken as they are, whatever the country. */
function numberJid(user: string, field: string): Jid {
  const read = readNumberText(user)
  // Bound: 65,536, an address of a chat.
  if ('digits' in read && /^\d{6,15}$/.test(read.digits)) return `${read.digits}@${NUMBER_SERVER}` as Jid
  throw invalidNumber('why' in read ? read.why : NO_NUMBER, field)
}

/**
 * Returns the digits of a phone number that a caller gave.
 * @param field the name of the field that holds it, for the error
 * @param country ISO code of the country whose national numbers are taken
 * @throws GatewayError INVALID_NUMBER
 */
export function parseNumber(text: string, field = 'number', country = ''): string {
  const read = readPhoneNumber(text, country)
  if ('digits' in read) return read.digits
  throw invalidNumber(read.why, field)
}

function invalidNumber(why: string, field = 'number'): GatewayError {
  return new GatewayError('INVALID_NUMBER', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}

/** How events name people: with the number, the LID and the username, as far as they are known. */

export interface NamedPerson extends ChatAddress {
  /** Without `@`; '' when none is known. Absent for people who were not looked up. */
  readonly username?: string
}

/** Returns the person with all names that the store knows. */
export type NamePerson = (person: ChatAddress) => NamedPerson

/** The chat in the fields of an event. */
export function chatNames(chat: ChatAddress): { readonly Chat: string; readonly chat_lid: string } {
  return { Chat: toChatId(chat), chat_lid: chat.lid ?? '' }
}

/** The person who caused something, in the fields of an event. */
export function senderNames(sender: NamedPerson) {
  const { pn = '', lid = '', username = '' } = sender
  return { Sender: toChatId(sender), sender_pn: pn, sender_lid: lid, sender_username: username }
}
