import { GatewayError } from '../../../schemas/errors.js'
import { changesOf } from '../../instance/recorder.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'
import { blockedPeople } from './blocklist.js'
import { parsePerson } from './person.js'

interface BlockFields {
  readonly number: string
  readonly isBlocked: boolean
}

/** Blocks or unblocks a person, and answers with all who are blocked afterwards. @throws GatewayError INVALID_NUMBER, NOT_ON_NETWORK */
export const block = operation('block', {
  repeat: true,
  example: [],
  async run(context: InstanceContext, { number, isBlocked }: BlockFields) {
    const given = parsePerson(number)
    const connection = await context.connection()
    const known = await bothAddresses(context.id, given, context.reader)
    const person = known.pn === undefined || known.lid === undefined ? await connection.contacts.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    await orUnknown(connection.contacts.block(person, isBlocked))
    await context.journal.write(changesOf({ type: 'blocked', person, isBlocked }))
    return await blockedPeople(context)
  },
})
