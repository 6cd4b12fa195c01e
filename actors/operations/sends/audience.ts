/** Finds the people of a status post. */
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { addressOf, type ChatAddress, chatIdOf, isSameChat, parseAddress } from '../../../schemas/jid.js'
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
  const { mode, people } = isSetting ? await settingOf(context) : { mode: asked.mode, people: asked.people }
  const named = parsed(people, asked.country, left)
  const wanted = mode === 'allowlist' ? named : await contactsWithout(context, mode === 'denylist' ? named : [], left)
  const found = await withAccounts(context, wanted, left)
  const own = context.account.own
  const others = unique(found, own, left)
  for (const { input } of others.slice(asked.max)) left.add(input, 'over_limit')
  const recipients = others.slice(0, asked.max).map(({ address }) => nameOf(address))
  if (recipients.length === 0) throw nobody(mode, left)
  return {
    audience: mode,
    // The own phone shows the post only if the account is among its people. It is the last, so that the last part always has a device.
    people: own === null ? recipients : [...recipients, nameOf(own)],
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

async function settingOf({
  connection,
}: AudienceContext): Promise<{ mode: StatusAudience; people: readonly string[] }> {
  const { audience, people } = await (await connection()).settings.statusAudience()
  return { mode: audience, people }
}

function parsed(people: readonly string[], country: string, left: LeftOut): readonly Candidate[] {
  return people.flatMap((input) => {
    try {
      const address = parseAddress(input, 'recipients', country)
      if (address.group === undefined) return [{ input, address }]
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
    }
    left.add(input, 'invalid')
    return []
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
  const mappings = await reader.mappings(id, [...excluded, ...contacts.map((address) => ({ address }))].map(oneOf))
  const names = new Set(excluded.flatMap(({ address }) => [chatIdOf(address), mappings.get(chatIdOf(address)) ?? '']))
  return contacts.flatMap((contact) => {
    const other = mappings.get(chatIdOf(contact))
    const address = other === undefined ? contact : addressOf(chatIdOf(contact), other)
    const input = chatIdOf(address)
    const isExcluded = [address.pn, address.lid].some((jid) => jid !== undefined && names.has(jid))
    if (isExcluded) left.add(input, 'excluded')
    return isExcluded ? [] : [{ input, address }]
  })
}

/** Returns those who have an account, under their LIDs where these are known. */
async function withAccounts(
  context: AudienceContext,
  wanted: readonly Candidate[],
  left: LeftOut,
): Promise<readonly Candidate[]> {
  const mappings = await context.reader.mappings(context.id, wanted.map(oneOf))
  const isKnown = ({ address }: Candidate): boolean => address.lid !== undefined || mappings.has(chatIdOf(address))
  const numbers = [...new Set(wanted.filter((one) => !isKnown(one)).map(oneOf))]
  const asked = numbers.slice(0, LOOKED_UP_MAX)
  const found = await lookUp(context, asked)
  const isAsked = new Set(asked)
  return wanted.flatMap(({ input, address }) => {
    if (isKnown({ input, address }))
      return [{ input, address: addressOf(chatIdOf(address), mappings.get(chatIdOf(address)) ?? address.lid ?? null) }]
    const account = found.get(chatIdOf(address))
    if (account === undefined) left.add(input, isAsked.has(chatIdOf(address)) ? 'not_on_network' : 'not_checked')
    return account === undefined ? [] : [{ input, address: account }]
  })
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
function unique(found: readonly Candidate[], own: ChatAddress | null, left: LeftOut): readonly Candidate[] {
  const names = new Set<Jid>()
  return found.filter(({ input, address }) => {
    if (own !== null && isSameChat(address, own)) return false
    const name = nameOf(address)
    if (names.has(name)) left.add(input, 'duplicate')
    return !names.has(name) && names.add(name)
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

function nameOf(address: ChatAddress): Jid {
  return address.lid ?? chatIdOf(address)
}

function oneOf({ address }: Pick<Candidate, 'address'>): Jid {
  return chatIdOf(address)
}
