import type { ContactFields } from '../contact-rules.js'
import type { Contact } from '../model.js'
import type { Parameters } from '../parameters.js'
import { Refusal, refusals } from '../refusal.js'
import { type Context, checkMember, findInbox, found, type Route } from './route.js'

const PAGE = 15
const MOST_CONVERSATIONS = 20
const FIELDS = [
  'name',
  'phone_number',
  'identifier',
  'email',
  'avatar_url',
  'blocked',
  'custom_attributes',
  'additional_attributes',
]

export const contactRoutes: readonly Route[] = [
  { method: 'GET', path: '/contacts/search', run: search },
  { method: 'POST', path: '/contacts/filter', run: filter },
  { method: 'POST', path: '/contacts', run: create },
  { method: 'GET', path: '/contacts/*', run: show },
  { method: 'PUT', path: '/contacts/*', run: change },
  { method: 'POST', path: '/contacts/*/contact_inboxes', run: link },
  { method: 'GET', path: '/contacts/*/conversations', run: conversations },
  { method: 'POST', path: '/actions/contact_merge', run: merge },
]

export function contactFields(parameters: Parameters): ContactFields {
  const name = parameters.text('name')
  const phone = parameters.clearable('phone_number')
  const identifier = parameters.clearable('identifier')
  const email = parameters.clearable('email')
  const avatarUrl = parameters.text('avatar_url')
  const customAttributes = parameters.object('custom_attributes')
  const additionalAttributes = parameters.object('additional_attributes')
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(identifier === undefined ? {} : { identifier }),
    ...(email === undefined ? {} : { email }),
    ...(avatarUrl === undefined ? {} : { avatarUrl }),
    ...(customAttributes === undefined ? {} : { customAttributes }),
    ...(additionalAttributes === undefined ? {} : { additionalAttributes }),
  }
}

function search(context: Context): unknown {
  const q = context.parameters.only('q', 'page', 'sort', 'include_contact_inboxes').text('q')
  if (q === undefined || q === '') throw refusals.unprocessable('Specify search string with parameter q')
  const wanted = q.trim().toLowerCase()
  const hits = [...context.store.contacts.values()].filter(({ name, email, phone, identifier }) =>
    [name, email, phone, identifier].some((value) => value?.toLowerCase().includes(wanted)),
  )
  return page(context, hits)
}

function page({ parameters, views }: Context, hits: readonly Contact[]): unknown {
  const number = Math.max(1, parameters.number('page') ?? 1)
  const shown = hits.slice((number - 1) * PAGE, number * PAGE)
  return { meta: { count: hits.length, current_page: number }, payload: shown.map((one) => views.contact(one)) }
}

function filter(context: Context): unknown {
  const queries = context.parameters.only('payload', 'page').list('payload') as readonly Record<string, unknown>[]
  if (queries.length === 0) throw refusals.unprocessable('Invalid query. Please provide at least one filter.')
  let hits: ReadonlySet<Contact> = new Set()
  queries.forEach((query, index) => {
    const before = queries[index - 1]?.query_operator
    const matching = new Set([...context.store.contacts.values()].filter((one) => matches(context, query, one)))
    hits = index === 0 ? matching : joined(hits, matching, before)
  })
  if (queries.at(-1)?.query_operator != null)
    throw refusals.unprocessable('Invalid query operator. The last condition must not have one.')
  return page(context, [...hits])
}

function joined(left: ReadonlySet<Contact>, right: ReadonlySet<Contact>, operator: unknown): ReadonlySet<Contact> {
  const word = String(operator ?? '').toUpperCase()
  if (word === 'OR') return new Set([...left, ...right])
  if (word === 'AND') return new Set([...left].filter((one) => right.has(one)))
  throw refusals.unprocessable('Query operator must be either "AND" or "OR".')
}

function matches(context: Context, query: Record<string, unknown>, contact: Contact): boolean {
  const { attribute_key: key, filter_operator: operator, values } = query
  if (!Array.isArray(values) || values.length === 0)
    throw refusals.unprocessable('Invalid value. The values provided for the filter are invalid')
  const known = key === 'phone_number' || key === 'identifier' || key === 'name' || key === 'email'
  if (!known)
    throw refusals.unprocessable(
      `Invalid attribute key - [${String(key)}]. The key should be one of [name, phone_number, email, identifier] or a custom attribute defined in the account.`,
    )
  const operators = key === 'identifier' ? ['equal_to', 'not_equal_to'] : ['equal_to', 'not_equal_to', 'contains']
  if (!operators.includes(String(operator)))
    throw refusals.unprocessable(`Invalid operator. The allowed operators for ${key} are [${operators.join(',')}].`)
  if (key === 'phone_number' && values.some((value) => String(value).startsWith('+')))
    context.mistake('filter by a phone number with +, which finds nobody')
  // The platform puts the + before the number by itself.
  const wanted = values.map((value) => (key === 'phone_number' ? `+${String(value)}` : String(value).toLowerCase()))
  const own = (key === 'phone_number' ? contact.phone : key === 'name' ? contact.name : contact[key])?.toLowerCase()
  if (operator === 'contains') return wanted.some((value) => own?.includes(value.replace('+', '')) ?? false)
  return (own !== undefined && wanted.includes(own)) === (operator === 'equal_to')
}

function create(context: Context): unknown {
  const { store, views, parameters } = context
  parameters.only('inbox_id', 'source_id', ...FIELDS)
  const inboxId = parameters.number('inbox_id')
  if (inboxId !== undefined) findInbox(context, inboxId)
  const sourceId = parameters.text('source_id')
  const taken = inboxId !== undefined && sourceId !== undefined && store.contactInboxBySource(inboxId, sourceId)
  // One transaction: without the contact_inbox there is no contact either.
  if (taken) throw refusals.unprocessable('source_id should be unique')
  const contact = store.createContact(contactFields(parameters))
  const made = inboxId === undefined ? undefined : store.contactInbox(contact.id, inboxId, sourceId)
  return {
    payload: {
      contact: views.contact(contact),
      contact_inbox: made === undefined ? { inbox: null, source_id: null } : views.contactInbox(made),
    },
  }
}

function show({ store, views, ids }: Context): unknown {
  return { payload: views.contact(found(store.contacts, ids[0])) }
}

function change({ store, views, ids, parameters }: Context): unknown {
  const contact = found(store.contacts, ids[0])
  store.updateContact(contact, contactFields(parameters.only(...FIELDS)))
  return { payload: views.contact(contact) }
}

function link(context: Context): unknown {
  const { store, views, ids, parameters } = context
  const contact = found(store.contacts, ids[0])
  parameters.only('inbox_id', 'source_id')
  const inbox = findInbox(context, parameters.number('inbox_id'))
  const sourceId = parameters.text('source_id')
  if (sourceId === undefined) context.mistake('contact_inbox without source_id, which makes a new one each time')
  const taken = sourceId === undefined ? undefined : store.contactInboxBySource(inbox.id, sourceId)
  // The platform rescues this in the call for conversations only.
  if (taken !== undefined && taken.contactId !== contact.id)
    throw new Refusal(500, { status: 500, error: 'Internal Server Error' })
  return views.contactInbox(store.contactInbox(contact.id, inbox.id, sourceId))
}

function conversations(context: Context): unknown {
  const contact = found(context.store.contacts, context.ids[0])
  const own = [...context.store.conversations.values()]
    .filter(({ contactId, inboxId }) => contactId === contact.id && isVisible(context, inboxId))
    .sort((one, other) => other.lastActivityAt - one.lastActivityAt || other.id - one.id)
  return { payload: own.slice(0, MOST_CONVERSATIONS).map((one) => context.views.conversation(one)) }
}

function isVisible(context: Context, inboxId: number): boolean {
  try {
    checkMember(context, inboxId)
    return true
  } catch {
    return false
  }
}

function merge({ store, views, parameters }: Context): unknown {
  parameters.only('base_contact_id', 'mergee_contact_id')
  const base = found(store.contacts, parameters.number('base_contact_id'))
  const mergee = found(store.contacts, parameters.number('mergee_contact_id'))
  if (base.id === mergee.id) throw refusals.unprocessable('contact does not belong to the account')
  store.mergeContacts(base, mergee)
  return views.contact(base)
}
