import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, chatIdOf } from '../../../schemas/jid.js'
import type { PresenceView } from '../../../schemas/presence-kind.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { changesOf } from '../../instance/recorder.js'
import type { KnownName } from '../../network/port/contacts.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { checkNumbers } from './check.js'
import { findUsername } from './find-username.js'
import { parsePerson } from './person.js'

/** Lists the people that the account blocks, as the network says. */
const blocklist = operation('blocklist', {
  repeat: true,
  example: [],
  run: (context: InstanceContext) => blockedPeople(context),
})

async function blockedPeople(context: InstanceContext): Promise<readonly Jid[]> {
  const blocked = await (await context.connection()).contacts.blocklist()
  const both = await Promise.all(blocked.map((person) => bothAddresses(context.id, person, context.reader)))
  return both.map(chatIdOf)
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
    await context.journal.write(changesOf({ type: 'blocked', person, isBlocked }))
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
    return { jid: chatIdOf(person) }
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
