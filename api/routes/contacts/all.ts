import { Readable } from 'node:stream'
import type { AllContactsQuery } from '../../../schemas/generated.js'
import type { ContactRecord } from '../../../schemas/ports/contacts.js'
import { Answer, instanceRoute } from '../../route.js'
import { needAccount } from '../own-account.js'

export const listAllContacts = instanceRoute<undefined, AllContactsQuery>({
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
