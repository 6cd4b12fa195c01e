import { GatewayError } from '../../../schemas/errors.js'
import type {
  AddContactReply,
  AddContactRequest,
  ContactPresenceReply,
  RemoveContactReply,
  RemoveContactRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress } from '../../../schemas/jid.js'
import { instanceRoute, type Route } from '../../route.js'
import { changeErrors } from '../change-failed.js'

/**
 * Returns the number of a person, under either of its names.
 * @throws GatewayError INVALID_REQUEST when it has none; INVALID_NUMBER, with the name that was sent
 */
function readNumber({ phone, number }: { phone?: string; number?: string }): string {
  const given = phone ?? number
  if (given === undefined) throw invalidField('phone', 'is required')
  const field = phone === undefined ? 'number' : 'phone'
  const { group } = parseAddress(given, field)
  if (group === undefined) return given
  const why = 'is not a person'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}

const contactPresence = instanceRoute({
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
      lastSeen: formatTime(lastSeenMs),
      lastSeenHidden: isLastSeenHidden,
      knownAt: formatTime(knownAtMs),
    }
  },
})

function formatTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

const addContact = instanceRoute<AddContactRequest>({
  method: 'POST',
  path: '/contact/add',
  name: 'addContact',
  area: 'Contact',
  scope: 'token',
  summary: 'Save a contact in the address book of the account',
  schema: 'contact/add.json',
  idempotent: 'kept',
  errors: ['INVALID_NUMBER', 'NOT_ON_NETWORK', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<AddContactReply> {
    const phone = readNumber(body)
    const name = body.name.trim()
    const { jid } = await ports.router.ask(instance.id, { type: 'saveContact', number: phone, name })
    return { success: true, message: 'Contact saved', contact: { jid, name, phone } }
  },
})

const removeContact = instanceRoute<RemoveContactRequest>({
  method: 'POST',
  path: '/contact/remove',
  name: 'removeContact',
  area: 'Contact',
  scope: 'token',
  summary: 'Remove a contact from the address book of the account',
  schema: 'contact/remove.json',
  errors: ['INVALID_NUMBER', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<RemoveContactReply> {
    const number = readNumber(body)
    const { jid } = await ports.router.ask(instance.id, { type: 'saveContact', number, name: null })
    return { success: true, message: 'Contact removed', removed_contact: jid }
  },
})

/** Routes of the area, in the order of the documentation. */
export const contactRoutes: readonly Route[] = [addContact, removeContact, contactPresence]
