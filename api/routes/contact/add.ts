import type { AddContactReply, AddContactRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'
import { numberOf } from './number-of.js'

export const addContact = instanceRoute<AddContactRequest>({
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
    const phone = numberOf(body)
    const name = body.name.trim()
    const { jid } = await ports.router.ask(instance.id, { type: 'saveContact', number: phone, name })
    return { success: true, message: 'Contact saved', contact: { jid, name, phone } }
  },
})
