import { Readable } from 'node:stream'
import type { AllContactsQuery } from '../../../schemas/generated.js'
import type { ContactRecord } from '../../../schemas/ports/contacts.js'
import { Answer, instanceRoute, type Route } from '../../route.js'
import { needAccount } from '../own-account.js'
import { listLids, showLidOfNumber, showNumberOfLid } from './lids.js'
import { listContacts } from './list.js'

const listAllContacts = instanceRoute<undefined, AllContactsQuery>({
  method: 'GET',
  path: '/contacts',
  isSearch: true,
  name: 'listAllContacts',
  area: 'Contact',
  scope: 'read',
  summary: 'List all contacts of the account',
  schema: 'contacts/all.json',
  errors: ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance, query }, { ports }): Promise<Answer> {
    await needAccount(instance, ports.router)
    const chunks = ports.contacts.all(instance.id, query.contactScope ?? 'all')
    const body = Readable.from(asArray(chunks), { objectMode: false })
    return new Answer({ body, type: 'application/json; charset=utf-8' })
  },
})

/** Writes an array in pieces: an account may have a hundred thousand contacts, and other calls wait meanwhile. */
async function* asArray(chunks: AsyncIterable<readonly ContactRecord[]>): AsyncGenerator<string> {
  let before = '['
  for await (const chunk of chunks) {
    yield before + JSON.stringify(chunk).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Routes of the area, in the order of the documentation. */
export const contactsRoutes: readonly Route[] = [
  listContacts,
  listAllContacts,
  listLids,
  showNumberOfLid,
  showLidOfNumber,
]
