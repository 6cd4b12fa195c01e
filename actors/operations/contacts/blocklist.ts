import type { Jid } from '../../../schemas/ids.js'
import { chatIdOf } from '../../../schemas/jid.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'

/** Lists the people that the account blocks, as the network says. */
export const blocklist = operation('blocklist', {
  repeat: true,
  example: [],
  run: (context: InstanceContext) => blockedPeople(context),
})

export async function blockedPeople(context: InstanceContext): Promise<readonly Jid[]> {
  const blocked = await (await context.connection()).contacts.blocklist()
  const both = await Promise.all(blocked.map((person) => bothAddresses(context.id, person, context.reader)))
  return both.map(chatIdOf)
}
