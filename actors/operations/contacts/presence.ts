import { GatewayError } from '../../../schemas/errors.js'
import type { PresenceView } from '../../../schemas/presence-kind.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'
import { parsePerson } from './person.js'

/** Answers whether a person is online, and when they were last seen, as far as the network tells it. */
export const contactPresence = operation('contactPresence', {
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
