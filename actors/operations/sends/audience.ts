/** Finds the people of a status post, some at a time: there may be thousands, and others wait for the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, isSameChat, parseAddress, toChatAddress, toChatId } from '../../../schemas/jid.js'
import {
  LEFT_OUT_LISTED_MAX,
  type LeftOutReason,
  type RequestedAudience,
  STATUS_PEOPLE_MAX,
  type StatusAudience,
  type StatusPeople,
} from '../../../schemas/status-post.js'
import type { InstanceContext } from '../context.js'

/** Maximum of numbers of one post that the network is asked for: to look up thousands of strangers may cost the account. */
const LOOKED_UP_MAX = 500
const LOOKED_UP_AT_ONCE = 50
/** Number of people who are handled in one go. */
const PEOPLE_AT_ONCE = 500

type AudienceContext = Pick<InstanceContext, 'id' | 'reader' | 'connection' | 'account'>

/** Somebody who may get the post, as the caller or the address book names them. */
interface Candidate {
  readonly input: string
  readonly address: ChatAddress
}

/** People who were left out, and why. */
class LeftOut {
  #count = 0
  readonly #listed: { readonly input: string; readonly reason: LeftOutReason }[] = []

  get count(): number {
    return this.#count
  }

  get listed(): readonly { readonly input: string; readonly reason: LeftOutReason }[] {
    return this.#listed
  }

  add(input: string, reason: LeftOutReason): void {
    this.#count += 1
    if (this.#listed.length < LEFT_OUT_LISTED_MAX) this.#listed.push({ input, reason })
  }
}

/**
 * Finds the people of a post, and who of those whom the caller named gets it not. Numbers without an account are left out: the network closed
 * connections that posted to them (unoapi-cloud wiki).
 * @throws GatewayError NO_RECIPIENTS, NETWORK_REFUSED and the errors of `connection`
 */
export async function findAudience(context: AudienceContext, asked: RequestedAudience): Promise<StatusPeople> {
  const left = new LeftOut()
  const isSetting = asked.mode === 'setting'
  const { mode, people } = isSetting ? await readSetting(context) : { mode: asked.mode, people: asked.people }
  const named = await parsed(people, asked.country, left)
  const wanted = mode === 'allowlist' ? named : await contactsWithout(context, mode === 'denylist' ? named : [], left)
  const found = await withAccounts(context, wanted, left)
  const own = context.account.own
  const others = await unique(found, own, left)
  for (const { input } of others.slice(asked.max)) left.add(input, 'over_limit')
  const recipients = others.slice(0, asked.max).map(({ address }) => findName(address))
  if (recipients.length === 0) throw nobody(mode, left)
  return {
    audience: mode,
    // The own phone shows the post only if the account is among its people. It is the last, so that the last part always has a device.
    people: own === null ? recipients : [...recipients, findName(own)],
    report: {
      audience: mode,
      isSetting,
      requested: recipients.length + left.count,
      recipients: recipients.length,
      discarded: left.count,
      discarded_recipients: left.listed,
    },
  }
}

async function readSetting({
  connection,
}: AudienceContext): Promise<{ mode: StatusAudience; people: readonly string[] }> {
  const { audience, people } = await (await connection()).settings.statusAudience()
  return { mode: audience, people }
}

/** Returns what is made of each of these, in their order. Lets other work of the event loop through now and then. */
async function mapPieces<From, To>(all: readonly From[], make: (one: From) => To | null): Promise<To[]> {
  const made: To[] = []
  for (let from = 0; from < all.length; from += PEOPLE_AT_ONCE) {
    if (from > 0) await nextTurn()
    for (const one of all.slice(from, from + PEOPLE_AT_ONCE)) {
      const result = make(one)
      if (result !== null) made.push(result)
    }
  }
  return made
}

async function parsed(people: readonly string[], country: string, left: LeftOut): Promise<readonly Candidate[]> {
  return await mapPieces(people, (input) => {
    try {
      const address = parseAddress(input, 'recipients', country)
      if (address.group === undefined) return { input, address }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
    }
    left.add(input, 'invalid')
    return null
  })
}

/** Returns the people of the address book but these. */
async function contactsWithout(
  { id, reader }: AudienceContext,
  excluded: readonly Candidate[],
  left: LeftOut,
): Promise<readonly Candidate[]> {
  // Those who are left out take no place of others.
  const contacts = await reader.addressBook(id, STATUS_PEOPLE_MAX + excluded.length)
  const mappings = await readMappings({ id, reader }, [...excluded, ...contacts.map((address) => ({ address }))])
  const names = new Set(excluded.flatMap(({ address }) => [toChatId(address), mappings.get(toChatId(address)) ?? '']))
  return await mapPieces(contacts, (contact) => {
    const other = mappings.get(toChatId(contact))
    const address = other === undefined ? contact : toChatAddress(toChatId(contact), other)
    const input = toChatId(address)
    const isExcluded = [address.pn, address.lid].some((jid) => jid !== undefined && names.has(jid))
    if (isExcluded) left.add(input, 'excluded')
    return isExcluded ? null : { input, address }
  })
}

/** Returns those who have an account, under their LIDs where these are known. */
async function withAccounts(
  context: AudienceContext,
  wanted: readonly Candidate[],
  left: LeftOut,
): Promise<readonly Candidate[]> {
  const mappings = await readMappings(context, wanted)
  const isKnown = ({ address }: Candidate): boolean => address.lid !== undefined || mappings.has(toChatId(address))
  const numbers = [...new Set(wanted.filter((one) => !isKnown(one)).map(chooseAddress))]
  const asked = numbers.slice(0, LOOKED_UP_MAX)
  const found = await lookUp(context, asked)
  const isAsked = new Set(asked)
  return await mapPieces(wanted, ({ input, address }) => {
    if (isKnown({ input, address }))
      return {
        input,
        address: toChatAddress(toChatId(address), mappings.get(toChatId(address)) ?? address.lid ?? null),
      }
    const account = found.get(toChatId(address))
    if (account === undefined) left.add(input, isAsked.has(toChatId(address)) ? 'not_on_network' : 'not_checked')
    return account === undefined ? null : { input, address: account }
  })
}

async function readMappings(
  { id, reader }: Pick<AudienceContext, 'id' | 'reader'>,
  people: readonly Pick<Candidate, 'address'>[],
): Promise<ReadonlyMap<Jid, Jid>> {
  const all = new Map<Jid, Jid>()
  for (let from = 0; from < people.length; from += PEOPLE_AT_ONCE)
    for (const [jid, other] of await reader.mappings(id, people.slice(from, from + PEOPLE_AT_ONCE).map(chooseAddress)))
      all.set(jid, other)
  return all
}

async function lookUp(
  { connection }: AudienceContext,
  numbers: readonly Jid[],
): Promise<ReadonlyMap<Jid, ChatAddress>> {
  const found = new Map<Jid, ChatAddress>()
  for (let from = 0; from < numbers.length; from += LOOKED_UP_AT_ONCE) {
    const { contacts } = await connection()
    const some = await contacts.lookUpAll(numbers.slice(from, from + LOOKED_UP_AT_ONCE))
    for (const [number, address] of some) found.set(number, address)
  }
  return found
}

/** Returns each person once, without the account itself. */
async function unique(
  found: readonly Candidate[],
  own: ChatAddress | null,
  left: LeftOut,
): Promise<readonly Candidate[]> {
  const names = new Set<Jid>()
  return await mapPieces(found, (one) => {
    if (own !== null && isSameChat(one.address, own)) return null
    const name = findName(one.address)
    if (names.has(name)) left.add(one.input, 'duplicate')
    return names.has(name) || !names.add(name) ? null : one
  })
}

function nobody(mode: StatusAudience, left: LeftOut): GatewayError {
  const why =
    mode === 'allowlist'
      ? `none of the ${left.count} recipients can get it`
      : 'the address book of the account has no people who may see it'
  return new GatewayError('NO_RECIPIENTS', {
    message: `The status post was not sent: ${why}.`,
    details: left.listed.slice(0, 20).map(({ input, reason }) => ({ field: 'recipients', why: `${input}: ${reason}` })),
  })
}

function findName(address: ChatAddress): Jid {
  return address.lid ?? toChatId(address)
}

function chooseAddress({ address }: Pick<Candidate, 'address'>): Jid {
  return toChatId(address)
}
