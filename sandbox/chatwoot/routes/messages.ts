import type { Conversation, Message, MessageStatus } from '../model.js'
import { Refusal, refusals } from '../refusal.js'
import type { NewMessage } from '../store.js'
import { type Context, findConversation, found, type Route } from './route.js'

const STATUSES: readonly string[] = ['sent', 'delivered', 'read', 'failed']
const PARAMETERS = [
  ...['content', 'message_type', 'private', 'source_id', 'echo_id', 'content_type', 'content_attributes'],
  ...['external_created_at', 'attachments', 'template_params', 'campaign_id'],
]

export const messageRoutes: readonly Route[] = [
  { method: 'GET', path: '/conversations/*/messages', run: list },
  { method: 'POST', path: '/conversations/*/messages', isForBots: true, run: create },
  { method: 'PATCH', path: '/conversations/*/messages/*', run: setStatus },
  { method: 'DELETE', path: '/conversations/*/messages/*', run: remove },
  { method: 'POST', path: '/conversations/*/messages/*/retry', run: retry },
]

/** Creates a message of the user of the token, or of the contact. @throws Refusal */
export function createMessage(
  { store, user }: Context,
  conversation: Conversation,
  fields: Omit<NewMessage, 'sender'>,
): Message {
  const isIncoming = fields.type === 'incoming'
  const sender = isIncoming
    ? ({ kind: 'contact', id: conversation.contactId } as const)
    : ({ kind: 'user', id: user.id } as const)
  return store.createMessage(conversation, { ...fields, sender })
}

function create(context: Context): unknown {
  const { parameters, store } = context
  const conversation = findConversation(context, context.ids[0])
  parameters.only(...PARAMETERS)
  const type = parameters.text('message_type') ?? 'outgoing'
  if (type !== 'incoming' && type !== 'outgoing') throw refusals.unprocessable(`'${type}' is not a valid message_type`)
  const given = parameters.object('content_attributes') ?? {}
  const at = parameters.text('external_created_at')
  const message = createMessage(context, conversation, {
    type,
    content: parameters.text('content') ?? null,
    contentType: parameters.text('content_type') ?? 'text',
    isPrivate: parameters.flag('private'),
    attributes: readAttributes(given, at, store.options.version.keepsAttributes),
    sourceId: parameters.text('source_id') ?? null,
    echoId: parameters.text('echo_id') ?? null,
    files: parameters.files,
  })
  return context.views.message(message)
}

/** The two eras: old releases keep two fields and the time beside them; new ones keep all, and drop the time beside them. */
function readAttributes(
  given: Record<string, unknown>,
  externalCreatedAt: string | undefined,
  keepsAttributes: boolean,
): Record<string, unknown> {
  const time = externalCreatedAt === undefined ? {} : { external_created_at: externalCreatedAt }
  if (keepsAttributes) return Object.keys(given).length > 0 ? { ...given } : time
  const { in_reply_to, items } = given
  return { ...time, ...(in_reply_to === undefined ? {} : { in_reply_to }), ...(items === undefined ? {} : { items }) }
}

function list(context: Context): unknown {
  const { parameters, views, store } = context
  const conversation = findConversation(context, context.ids[0])
  parameters.only('after', 'before', 'filter_internal_messages')
  const after = parameters.number('after')
  const before = parameters.number('before')
  const contact = store.contacts.get(conversation.contactId)
  return {
    meta: {
      labels: conversation.labels,
      additional_attributes: {},
      contact: contact === undefined ? null : views.contact(contact, { withInboxes: false }),
      contact_last_seen_at: Math.floor(conversation.contactLastSeenAt / 1000),
    },
    payload: cutPage(conversation.messages, after, before).map((one) => views.message(one)),
  }
}

function cutPage(all: readonly Message[], after: number | undefined, before: number | undefined): readonly Message[] {
  if (after !== undefined && before !== undefined)
    return all.filter(({ id }) => id >= after && id < before).slice(0, 1000)
  if (after !== undefined) return all.filter(({ id }) => id > after).slice(0, 100)
  return all.filter(({ id }) => before === undefined || id < before).slice(-20)
}

function setStatus(context: Context): unknown {
  const { parameters, store, views } = context
  const conversation = findConversation(context, context.ids[0])
  if (store.inboxes.get(conversation.inboxId)?.channelType !== 'Channel::Api')
    throw refusals.forbidden('Message status update is only allowed for API inboxes')
  const message = buildMessage(context, conversation)
  if ('content' in parameters.fields) context.mistake('PATCH of a message with content, which the platform drops')
  parameters.only('status', 'external_error', 'content')
  const status = parameters.text('status') ?? ''
  if (STATUSES.includes(status))
    store.setMessageStatus(message, status as MessageStatus, parameters.text('external_error'))
  return views.message(message)
}

function remove(context: Context): unknown {
  const message = buildMessage(context, findConversation(context, context.ids[0]))
  context.store.deleteMessage(message)
  return context.views.message(message)
}

function retry(context: Context): unknown {
  const message = buildMessage(context, findConversation(context, context.ids[0]))
  context.store.retryMessage(message)
  return context.views.message(message)
}

function buildMessage({ store, ids }: Context, conversation: Conversation): Message {
  const message = found(store.messages, ids[1])
  if (message.conversationId !== conversation.id) throw new Refusal(404, { error: 'Resource could not be found' })
  return message
}
