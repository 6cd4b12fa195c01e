import type { RemoveContactReply, RemoveContactRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'
import { numberOf } from './number-of.js'

export const removeContact = instanceRoute<RemoveContactRequest>({
  method: 'POST',
  path: '/contact/remove',
  name: 'removeContact',
  area: 'Contact',
  scope: 'token',
  summary: 'Remove a contact from the address book of the account',
  schema: 'contact/remove.json',
  errors: ['INVALID_NUMBER', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<RemoveContactReply> {
    const number = numberOf(body)
    const { jid } = await ports.router.ask(instance.id, { type: 'saveContact', number, name: null })
    return { success: true, message: 'Contact removed', removed_contact: jid }
  },
})
