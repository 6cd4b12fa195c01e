import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { changesOf } from '../../instance/recorder.js'
import type { KnownName } from '../../network/port/contacts.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'
import { blockedPeople } from './blocklist.js'
import { parsePerson } from './person.js'

/** Maximum length of a name that goes to the network. */
const NAME_MAX = 100

interface BlockFields {
  readonly number: string
  readonly isBlocked: boolean
}

/** Blocks or unblocks a person, and answers with all who are blocked afterwards. @throws GatewayError INVALID_NUMBER, NOT_ON_NETWORK, CHANGE_FAILED */
export const block = operation('block', {
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
