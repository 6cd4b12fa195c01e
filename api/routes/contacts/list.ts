import type { ListContactsReply, ListContactsRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { needAccount } from '../own-account.js'
import { pageOf, paginationOf } from '../pages.js'

const PAGE_SIZE = 100

export const listContacts = instanceRoute<ListContactsRequest>({
  method: 'POST',
  path: '/contacts/list',
  isSearch: true,
  name: 'listContacts',
  area: 'Contact',
  scope: 'read',
  summary: 'List the contacts of the account, page by page',
  schema: 'contacts/list.json',
  errors: ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports }): Promise<ListContactsReply> {
    await needAccount(instance, ports.router)
    const { contactScope: scope = 'all', search = '', ...asked } = body
    const page = pageOf(asked, PAGE_SIZE)
    const { contacts, total, inBook } = await ports.contacts.page(instance.id, {
      scope,
      search: search.trim(),
      country: instance.defaultCountry,
      ...page,
    })
    return {
      contacts: [...contacts],
      pagination: { ...paginationOf(total, page), totalDeviceContacts: inBook },
    }
  },
})
