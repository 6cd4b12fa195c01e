/** Calls without a token, for which the identifier of the inbox is the secret. */
import type { ContactInbox, Inbox } from '../model.js'
import { refusals } from '../refusal.js'
import { contactFields } from './contacts.js'
import { type Context, found, type Route } from './route.js'

const INBOX = '/public/api/v1/inboxes/*'

export const publicRoutes: readonly Route[] = [
  { method: 'POST', path: `${INBOX}/contacts`, isPublic: true, run: findOrCreate },
  {
    method: 'GET',
    path: `${INBOX}/contacts/*`,
    isPublic: true,
    run: (context) => context.views.publicContact(findLink(context)),
  },
  { method: 'POST', path: `${INBOX}/contacts/*/conversations/*/update_last_seen`, isPublic: true, run: markRead },
]

function findInbox({ store, ids }: Context): Inbox {
  const inbox = [...store.inboxes.values()].find(({ identifier }) => identifier === ids[0])
  if (inbox === undefined || inbox.channelType !== 'Channel::Api') throw refusals.notFound()
  return inbox
}

function findLink(context: Context): ContactInbox {
  const link = context.store.contactInboxBySource(findInbox(context).id, decodeURIComponent(context.ids[1] ?? ''))
  if (link === undefined) throw refusals.notFound()
  return link
}

/** Returns the contact of a source_id; else of the identifier, e-mail or number; else a new one. */
function findOrCreate(context: Context): unknown {
  const { store, views, parameters } = context
  const inbox = findInbox(context)
  parameters.only(
    ...['source_id', 'identifier', 'identifier_hash', 'email', 'name', 'avatar_url', 'phone_number'],
    ...['custom_attributes'],
  )
  const sourceId = parameters.text('source_id')
  const known = sourceId === undefined ? undefined : store.contactInboxBySource(inbox.id, sourceId)
  if (known !== undefined) return views.publicContact(known)
  const fields = contactFields(parameters)
  const all = [...store.contacts.values()]
  const contact =
    all.find(({ identifier }) => identifier !== null && identifier === fields.identifier) ??
    all.find(({ email }) => email !== null && email === fields.email) ??
    all.find(({ phone }) => phone !== null && phone === fields.phone) ??
    store.createContact(fields)
  return views.publicContact(store.contactInbox(contact.id, inbox.id, sourceId))
}

function markRead(context: Context): unknown {
  const { store } = context
  const link = findLink(context)
  const conversation = found(store.conversations, context.ids[2])
  if (conversation.contactInboxId !== link.id) throw refusals.notFound()
  conversation.contactLastSeenAt = store.options.now()
  for (const message of conversation.messages)
    if (message.type === 'outgoing' && message.status !== 'failed' && message.status !== 'read')
      store.setMessageStatus(message, 'read')
  return {}
}
