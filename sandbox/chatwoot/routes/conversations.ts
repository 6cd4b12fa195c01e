import type { Conversation, ConversationStatus } from '../model.js'
import { refusals } from '../refusal.js'
import { createMessage } from './messages.js'
import { type Context, checkMember, findConversation, findInbox, found, type Route } from './route.js'

const PAGE = 25
const STATUSES: readonly string[] = ['open', 'resolved', 'pending', 'snoozed']

export const conversationRoutes: readonly Route[] = [
  { method: 'GET', path: '/conversations', run: list },
  { method: 'POST', path: '/conversations', isForBots: true, run: create },
  {
    method: 'GET',
    path: '/conversations/*',
    run: (context) => context.views.conversation(findConversation(context, context.ids[0])),
  },
  { method: 'POST', path: '/conversations/*/toggle_status', isForBots: true, run: toggleStatus },
  { method: 'POST', path: '/conversations/*/custom_attributes', run: setAttributes },
  { method: 'POST', path: '/conversations/*/labels', run: setLabels },
  { method: 'POST', path: '/conversations/*/assignments', isForBots: true, run: assign },
]

function list(context: Context): unknown {
  const { store, views, parameters, user } = context
  parameters.only('inbox_id', 'status', 'updated_within', 'page', 'assignee_type', 'sort_by', 'team_id', 'labels', 'q')
  const status = parameters.text('status') ?? 'open'
  const inboxId = parameters.number('inbox_id')
  const within = parameters.number('updated_within')
  const since = within === undefined ? Number.NEGATIVE_INFINITY : store.options.now() - within * 1000
  const hits = [...store.conversations.values()]
    .filter((one) => inboxId === undefined || one.inboxId === inboxId)
    .filter((one) => status === 'all' || one.status === status)
    .filter((one) => one.lastActivityAt > since)
    .filter((one) => user.role !== 'agent' || user.inboxes.includes(one.inboxId))
    .sort((one, other) => other.lastActivityAt - one.lastActivityAt || other.id - one.id)
  const page = Math.max(1, parameters.number('page') ?? 1)
  // With updated_within the platform answers all at once.
  const shown = within === undefined ? hits.slice((page - 1) * PAGE, page * PAGE) : hits
  const meta = { mine_count: 0, assigned_count: 0, unassigned_count: hits.length, all_count: hits.length }
  return { data: { meta, payload: shown.map((one) => views.conversation(one)) } }
}

function create(context: Context): unknown {
  const { store, views, parameters } = context
  parameters.only(
    ...['inbox_id', 'contact_id', 'source_id', 'status', 'custom_attributes', 'additional_attributes'],
    ...['assignee_id', 'team_id', 'message', 'snoozed_until'],
  )
  const sourceId = parameters.text('source_id')
  const inboxId = parameters.number('inbox_id')
  const contactId = parameters.number('contact_id')
  const known =
    sourceId === undefined || inboxId === undefined ? undefined : store.contactInboxBySource(inboxId, sourceId)
  if (known === undefined || contactId !== undefined) {
    findInbox(context, inboxId)
    found(store.contacts, contactId)
  } else checkMember(context, known.inboxId)
  if (sourceId === undefined) context.mistake('conversation without source_id, which makes a new contact_inbox')
  const link =
    contactId === undefined && known !== undefined ? known : store.contactInbox(contactId ?? 0, inboxId ?? 0, sourceId)
  const conversation = existing(context, link.id, link.inboxId) ?? make(context, link.id)
  const message = parameters.object('message')
  if (message !== undefined)
    createMessage(context, conversation, { type: 'outgoing', content: String(message.content) })
  return views.conversation(conversation)
}

function existing({ store }: Context, linkId: number, inboxId: number): Conversation | undefined {
  if (store.inboxes.get(inboxId)?.locksToSingleConversation !== true) return undefined
  return [...store.conversations.values()].findLast(({ contactInboxId }) => contactInboxId === linkId)
}

function make({ store, parameters }: Context, linkId: number): Conversation {
  const status = parameters.text('status')
  if (status !== undefined && !STATUSES.includes(status))
    throw refusals.unprocessable(`'${status}' is not a valid status`)
  return store.createConversation(found(store.contactInboxes, linkId), {
    ...(status === undefined ? {} : { status: status as ConversationStatus }),
    customAttributes: parameters.object('custom_attributes') ?? {},
    assigneeId: parameters.number('assignee_id') ?? null,
    teamId: parameters.number('team_id') ?? null,
  })
}

function toggleStatus(context: Context): unknown {
  const { store, parameters, ids } = context
  const conversation = findConversation(context, ids[0])
  const status = parameters.only('status', 'snoozed_until').text('status')
  if (status !== undefined && !STATUSES.includes(status))
    throw refusals.unprocessable(`'${status}' is not a valid status`)
  const next = status ?? (conversation.status === 'resolved' ? 'open' : 'resolved')
  store.setStatus(conversation, next as ConversationStatus)
  const payload = { success: true, conversation_id: conversation.id, current_status: next, snoozed_until: null }
  return { meta: {}, payload }
}

function setAttributes(context: Context): unknown {
  const conversation = findConversation(context, context.ids[0])
  conversation.customAttributes = context.parameters.only('custom_attributes').object('custom_attributes') ?? {}
  context.store.options.onEvent({ event: 'conversation_updated', conversation })
  return { custom_attributes: conversation.customAttributes }
}

function setLabels(context: Context): unknown {
  const conversation = findConversation(context, context.ids[0])
  conversation.labels = context.parameters.only('labels').list('labels').map(String)
  context.store.options.onEvent({ event: 'conversation_updated', conversation })
  return { payload: conversation.labels }
}

function assign(context: Context): unknown {
  const conversation = findConversation(context, context.ids[0])
  const id = context.parameters.only('assignee_id', 'team_id').number('assignee_id')
  const user = context.store.users.find((one) => one.id === id)
  conversation.assigneeId = user?.id ?? null
  context.store.options.onEvent({ event: 'conversation_updated', conversation })
  return user === undefined ? null : { id: user.id, name: user.name }
}
