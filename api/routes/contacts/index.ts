import { GatewayError } from '../../../schemas/errors.js'
import type {
  AllContactsQuery,
  LidMapping,
  ListContactsReply,
  ListContactsRequest,
  ListLidsQuery,
  ListLidsReply,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress, readUser, toChatId } from '../../../schemas/jid.js'
import type { ContactDirectory, PersonAddresses } from '../../../schemas/ports/chats.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { arrayAnswer } from '../../answers/array-answer.js'
import { type Answer, instanceRoute, type Route } from '../../route.js'
import { needAccount } from '../own-account.js'
import { makePagination, readPaging } from '../pages.js'

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
    const page = readPaging(asked, PAGE_SIZE)
    const { contacts, total, inBook } = await ports.contacts.page(instance.id, {
      scope,
      search: search.trim(),
      country: instance.defaultCountry,
      ...page,
    })
    return {
      contacts: [...contacts],
      pagination: { ...makePagination(total, page), totalDeviceContacts: inBook },
    }
  },
})

/** The LIDs of people and their numbers, as far as the network has told them. */

const listLids = instanceRoute<undefined, ListLidsQuery>({
  method: 'GET',
  path: '/lids',
  isSearch: true,
  name: 'listLids',
  area: 'Contact',
  scope: 'read',
  summary: 'List the LIDs whose numbers are known, page by page',
  schema: 'contacts/lids.json',
  errors: [],
  async handle({ instance, query: { limit = 100, after = '' } }, { ports }): Promise<ListLidsReply> {
    const { people, hasMore } = await ports.contacts.lids(instance.id, { limit, after })
    return { lids: people.map(shown), next: hasMore ? (people.at(-1)?.lid ?? null) : null }
  },
})

const showNumberOfLid = instanceRoute({
  method: 'GET',
  path: '/lids/:lid',
  name: 'showNumberOfLid',
  area: 'Contact',
  scope: 'read',
  summary: 'Show the number behind a LID',
  schema: 'contacts/lid.json',
  errors: ['INVALID_NUMBER', 'LID_NOT_FOUND'],
  async handle({ instance, params: { lid = '' } }, { ports }): Promise<LidMapping> {
    const address = parseAddress(lid.includes('@') ? lid : `${lid}@lid`, 'lid')
    if (address.lid === undefined) throw invalidField('lid', 'is not a LID: for a number, use /lids/pn/{number}')
    return await findMapping(ports.contacts, instance, address.lid)
  },
})

const showLidOfNumber = instanceRoute({
  method: 'GET',
  path: '/lids/pn/:number',
  name: 'showLidOfNumber',
  area: 'Contact',
  scope: 'read',
  summary: 'Show the LID of a number',
  schema: 'contacts/lid.json',
  errors: ['INVALID_NUMBER', 'LID_NOT_FOUND'],
  async handle({ instance, params: { number = '' } }, { ports }): Promise<LidMapping> {
    const address = parseAddress(number, 'number', instance.defaultCountry)
    if (address.pn === undefined) throw invalidField('number', 'is not a number: for a LID, use /lids/{lid}')
    return await findMapping(ports.contacts, instance, toChatId(address))
  },
})

async function findMapping(contacts: ContactDirectory, { id }: InstanceRow, jid: string): Promise<LidMapping> {
  const found = await contacts.mapping(id, jid)
  if (found === null) throw new GatewayError('LID_NOT_FOUND')
  return shown(found)
}

function shown({ lid, pn }: PersonAddresses): LidMapping {
  return { lid, pn, phone: readUser(pn) }
}

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
    return await arrayAnswer(ports.contacts.all(instance.id, query.contactScope ?? 'all'))
  },
})

/** Routes of the area, in the order of the documentation. */
export const contactsRoutes: readonly Route[] = [
  listContacts,
  listAllContacts,
  listLids,
  showNumberOfLid,
  showLidOfNumber,
]
