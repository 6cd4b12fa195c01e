/** The LIDs of people and their numbers, as far as the network has told them. */
import { GatewayError } from '../../../schemas/errors.js'
import type { LidMapping, ListLidsQuery, ListLidsReply } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { chatIdOf, parseAddress, userOf } from '../../../schemas/jid.js'
import type { ContactDirectory, PersonAddresses } from '../../../schemas/ports/contacts.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import { instanceRoute } from '../../route.js'

export const listLids = instanceRoute<undefined, ListLidsQuery>({
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

export const showNumberOfLid = instanceRoute({
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
    return await mappingOf(ports.contacts, instance, address.lid)
  },
})

export const showLidOfNumber = instanceRoute({
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
    return await mappingOf(ports.contacts, instance, chatIdOf(address))
  },
})

async function mappingOf(contacts: ContactDirectory, { id }: InstanceRow, jid: string): Promise<LidMapping> {
  const found = await contacts.mapping(id, jid)
  if (found === null) throw new GatewayError('LID_NOT_FOUND')
  return shown(found)
}

function shown({ lid, pn }: PersonAddresses): LidMapping {
  return { lid, pn, phone: userOf(pn) }
}
