import type { ContactPresenceReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const contactPresence = instanceRoute({
  method: 'GET',
  path: '/contact/presence/:number',
  name: 'contactPresence',
  area: 'Contact',
  scope: 'token',
  summary: 'Tell whether a person is online, types, and when they were last seen; watches the person from then on',
  schema: 'contact/presence.json',
  errors: [
    'INVALID_NUMBER',
    'NOT_ON_NETWORK',
    'ACCOUNT_UNAVAILABLE',
    'RATE_LIMITED',
    'INSTANCE_NOT_CONNECTED',
    'NOT_LOGGED_IN',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, params: { number = '' } }, { ports }): Promise<ContactPresenceReply> {
    const known = await ports.router.ask(instance.id, { type: 'contactPresence', number })
    const { presence, activity, lastSeenMs, isLastSeenHidden, knownAtMs } = known
    return {
      number,
      presence,
      activity,
      lastSeen: timeOf(lastSeenMs),
      lastSeenHidden: isLastSeenHidden,
      knownAt: timeOf(knownAtMs),
    }
  },
})

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
