import { GatewayError } from '../../../schemas/errors.js'
import { chatIdOf } from '../../../schemas/jid.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'
import { exampleJid } from './example.js'
import { parsePerson } from './person.js'

// Bound: 65,536, a name.

interface SaveContactFields {
  readonly number: string
  /** Null removes the contact. */
  readonly name: string | null
}

/**
 * Saves a person in the account's address book, on all devices, or removes them.
 * @throws GatewayError INVALID_NUMBER; NOT_ON_NETWORK when a person to save has no account
 */
export const saveContact = operation('saveContact', {
  repeat: true,
  example: { jid: exampleJid },
  async run(context: InstanceContext, { number, name }: SaveContactFields) {
    const given = parsePerson(number)
    const connection = await context.connection()
    const known = await bothAddresses(context.id, given, context.reader)
    const person = name !== null && known.lid === undefined ? await connection.contacts.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    // The address book has a field for the first name. Callers give one name.
    const names = name === null ? null : { fullName: name, firstName: name.split(/\s+/)[0] ?? name }
    await orUnknown(() => connection.contacts.save(person, names))
    const contact = { address: person, contactName: names?.fullName ?? '', firstName: names?.firstName ?? '' }
    await context.journal.write([{ type: 'contact', contact, announce: true }])
    return { jid: chatIdOf(person) }
  },
})
