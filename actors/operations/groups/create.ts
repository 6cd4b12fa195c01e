import { GatewayError } from '../../../schemas/errors.js'
import { chatIdOf } from '../../../schemas/jid.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleGroup } from './example.js'
import { writeGroupChat } from './group-chat.js'
import { findPeople } from './people.js'

interface CreateGroupFields {
  readonly name: string
  readonly numbers: readonly string[]
}

/** Creates a group with these people. @throws GatewayError NOT_ON_NETWORK when one of them has no account; nothing is created then */
export const createGroup = operation('createGroup', {
  repeat: false,
  example: exampleGroup,
  async run(context: InstanceContext, { name, numbers }: CreateGroupFields) {
    const { groups } = await context.connection()
    const people = await findPeople(context, numbers)
    const jids = people.map(({ number, address }) => {
      if (address === null)
        throw new GatewayError('NOT_ON_NETWORK', { message: `The number ${number} has no account on WhatsApp.` })
      return chatIdOf(address)
    })
    const group = await orUnknown(() => groups.create(name, jids))
    await writeGroupChat(context, group)
    return group
  },
})
