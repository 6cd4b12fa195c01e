import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, parseAddress, toChatId } from '../../../schemas/jid.js'
import type { PresenceView } from '../../../schemas/presence-kind.js'
import { type AskedUsername, parseUsername } from '../../../schemas/username.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { RateLimit } from '../../instance/rate-limit.js'
import { translateEvent } from '../../instance/recorder.js'
import type { FoundUsername, KnownName } from '../../network/port/contacts.js'
import { type InstanceContext, perInstance } from '../context.js'
import { operation } from '../operation.js'
import { parsePerson } from './person.js'

interface FindUsernameFields extends AskedUsername {
  /** Field of the call that holds the username, for errors. */
  readonly field: string
}

/** Maximum of look-ups of an instance in a minute. */
const LOOK_UPS_PER_MINUTE = 60
const ANSWERS_MAX = 1_000
/** Time for which an answer is used again. A username may pass to another person. */
const ANSWER_KEPT_MS = 5 * 60_000
const NOBODY_KEPT_MS = 60_000

const lookUps = perInstance(() => ({
  answers: new LRUCache<string, FoundUsername>({ max: ANSWERS_MAX, ttl: ANSWER_KEPT_MS }),
  limit: new RateLimit(LOOK_UPS_PER_MINUTE, 60_000),
}))

/**
 * Finds the account of a username.
 * @throws GatewayError NOT_ON_NETWORK, USERNAME_KEY_NEEDED, RATE_LIMITED, NETWORK_REFUSED
 */
const findUsername = operation('findUsername', {
  repeat: true,
  example: { lid: '100000000000002@lid' as Jid },
  async run(context: InstanceContext, { username, key, field }: FindUsernameFields): Promise<{ readonly lid: Jid }> {
    const found = await lookUpUsername(context, { username, key })
    if (found.kind === 'found') return { lid: found.lid }
    if (found.kind === 'nobody') {
      const why = `no account has the username @${username}`
      throw new GatewayError('NOT_ON_NETWORK', { message: `Invalid ${field}: ${why}.`, details: [{ field, why }] })
    }
    const why = key === '' ? `@${username} has a key: write @${username}:key` : `the key of @${username} is wrong`
    throw new GatewayError('USERNAME_KEY_NEEDED', { message: `Invalid ${field}: ${why}.`, details: [{ field, why }] })
  },
})

/** Asks the network for a username, unless it has answered lately. Stores the name of who was found. */
async function lookUpUsername(context: InstanceContext, asked: AskedUsername): Promise<FoundUsername> {
  const { answers, limit } = lookUps(context)
  const name = `${asked.username.toLowerCase()}:${asked.key}`
  const known = answers.get(name)
  if (known !== undefined) return known
  const { contacts } = await context.connection()
  if (!limit.take()) throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: 60 })
  const found = await orUnknown(() => contacts.findUsername(asked))
  answers.set(name, found, { ttl: found.kind === 'found' ? ANSWER_KEPT_MS : NOBODY_KEPT_MS })
  if (found.kind === 'found') {
    const contact = { address: { lid: found.lid }, username: asked.username }
    await context.journal.write([{ type: 'contact', contact, announce: true }])
  }
  return found
}

interface CheckNumbersFields {
  readonly numbers: readonly string[]
  /** ISO code of the country whose national numbers are taken. */
  readonly country?: string
}

interface CheckedNumber {
  /** As the caller wrote it. */
  readonly query: string
  /** Null when the number has no account, or cannot be a number. */
  readonly address: ChatAddress | null
  /** The name of a group that has a chat here; else empty. */
  readonly groupName: string
  /** Why it cannot be a number; empty when it can. */
  readonly error: string
}

/** Finds which of these numbers have an account. A LID or a group is not looked up at the network: the store answers. A username is. */
const checkNumbers = operation('checkNumbers', {
  repeat: true,
  example: ({ numbers }: CheckNumbersFields) =>
    numbers.map((query) => ({ query, address: null, groupName: '', error: '' })),
  async run(
    context: InstanceContext,
    { numbers, country = '' }: CheckNumbersFields,
  ): Promise<readonly CheckedNumber[]> {
    const all = numbers.map((query) => ({ query, ...parsed(query, country) }))
    const unknown = all.flatMap(({ address }) => address?.pn ?? [])
    const connection = await context.connection()
    const found = await connection.contacts.lookUpAll([...new Set(unknown)])
    const answers: CheckedNumber[] = []
    for (const { query, address, error, username } of all) {
      if (username !== null) {
        answers.push({ query, groupName: '', ...(await namedAddress(context, username)) })
        continue
      }
      const pn = address?.pn
      if (pn !== undefined) answers.push({ query, address: found.get(pn) ?? null, groupName: '', error })
      else answers.push({ query, ...(await storedAddress(context, address)), error })
    }
    return answers
  },
})

async function storedAddress(
  { id, reader }: InstanceContext,
  address: ChatAddress | null,
): Promise<Pick<CheckedNumber, 'address' | 'groupName'>> {
  if (address === null) return { address, groupName: '' }
  const both = await bothAddresses(id, address, reader)
  const chat = await reader.chat(id, both)
  if (chat === null) return { address: both.pn === undefined ? null : both, groupName: '' }
  return { address: both, groupName: both.group === undefined ? '' : String(chat.name) }
}

/** Returns the address of a username's account. */
async function namedAddress(
  context: InstanceContext,
  username: AskedUsername,
): Promise<Pick<CheckedNumber, 'address' | 'error'>> {
  const found = await lookUpUsername(context, username)
  if (found.kind === 'found')
    return { address: await bothAddresses(context.id, { lid: found.lid }, context.reader), error: '' }
  return { address: null, error: found.kind === 'nobody' ? '' : 'The username has a key, and it is missing or wrong.' }
}

function parsed(
  query: string,
  country: string,
): { address: ChatAddress | null; error: string; username: AskedUsername | null } {
  try {
    const username = parseUsername(query, 'numbers')
    return { address: username === null ? parseAddress(query, 'number', country) : null, error: '', username }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { address: null, error: error.message, username: null }
  }
}

/** Lists the people that the account blocks, as the network says. */
const blocklist = operation('blocklist', {
  repeat: true,
  example: [],
  run: (context: InstanceContext) => blockedPeople(context),
})

async function blockedPeople(context: InstanceContext): Promise<readonly Jid[]> {
  const blocked = await (await context.connection()).contacts.blocklist()
  const both = await Promise.all(blocked.map((person) => bothAddresses(context.id, person, context.reader)))
  return both.map(toChatId)
}

/** Maximum length of a name that goes to the network. */
const NAME_MAX = 100

interface BlockFields {
  readonly number: string
  readonly isBlocked: boolean
}

/** Blocks or unblocks a person, and answers with all who are blocked afterwards. @throws GatewayError INVALID_NUMBER, NOT_ON_NETWORK, CHANGE_FAILED */
const block = operation('block', {
  repeat: true,
  example: [],
  async run(context: InstanceContext, { number, isBlocked }: BlockFields) {
    const given = parsePerson(number)
    const connection = await context.connection()
    const known = await bothAddresses(context.id, given, context.reader)
    const person = known.pn === undefined || known.lid === undefined ? await connection.contacts.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    const name = await knownName(context, person)
    await orUnknown(() => connection.contacts.block(person, isBlocked, name))
    await context.journal.write(translateEvent({ type: 'blocked', person, isBlocked }))
    return await blockedPeople(context)
  },
})

/** Returns what a person without a known number is called. */
async function knownName({ id, reader }: InstanceContext, person: ChatAddress): Promise<KnownName> {
  const { wa_username: username, name } = person.pn === undefined ? ((await reader.chat(id, person)) ?? {}) : {}
  return {
    username: typeof username === 'string' ? username : '',
    name: typeof name === 'string' ? name.slice(0, NAME_MAX) : '',
  }
}

/** A person, for the examples of operations. */
const exampleJid = '5511999990002@s.whatsapp.net' as Jid

interface SaveContactFields {
  readonly number: string
  /** Null removes the contact. */
  readonly name: string | null
}

/**
 * Saves a person in the account's address book, on all devices, or removes them.
 * @throws GatewayError INVALID_NUMBER; NOT_ON_NETWORK when a person to save has no account
 */
const saveContact = operation('saveContact', {
  repeat: true,
  example: { jid: exampleJid },
  async run(context: InstanceContext, { number, name }: SaveContactFields) {
    const given = parsePerson(number)
    const connection = await context.connection()
    const known = await bothAddresses(context.id, given, context.reader)
    const person = name !== null && known.lid === undefined ? await connection.contacts.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    // Callers give one name, the address book has a field for the first name. Bound: 65,536, a name.
    const names = name === null ? null : { fullName: name, firstName: name.split(/\s+/)[0] ?? name }
    await orUnknown(() => connection.contacts.save(person, names))
    const contact = { address: person, contactName: names?.fullName ?? '', firstName: names?.firstName ?? '' }
    await context.journal.write([{ type: 'contact', contact, announce: true }])
    return { jid: toChatId(person) }
  },
})

/** Answers whether a person is online, and when they were last seen, as far as the network tells it. */
const contactPresence = operation('contactPresence', {
  // It changes nothing but the network's list of those who watch.
  repeat: true,
  example: {
    presence: 'available',
    activity: null,
    lastSeenMs: null,
    isLastSeenHidden: false,
    knownAtMs: 1_760_000_000_000,
  } as PresenceView,
  async run(context: InstanceContext, { number }: { readonly number: string }): Promise<PresenceView> {
    const { id, reader, connection, presenceWatch } = context
    const known = await bothAddresses(id, parsePerson(number), reader)
    const live = await connection()
    const person = known.lid === undefined ? await live.contacts.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    return await presenceWatch.look(person)
  },
})

export const contactOperations = [block, blocklist, checkNumbers, contactPresence, findUsername, saveContact] as const
