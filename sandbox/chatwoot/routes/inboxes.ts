import { refusals } from '../refusal.js'
import { type Context, inboxOf, type Route } from './route.js'

const LONGEST_URL = 2048

export const inboxRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/inboxes',
    run: ({ store, views, user }) => ({
      payload: [...store.inboxes.values()]
        .filter(({ id }) => user.role !== 'agent' || user.inboxes.includes(id))
        .map((inbox) => views.inbox(inbox, user)),
    }),
  },
  {
    method: 'GET',
    path: '/inboxes/*',
    run: (context) => context.views.inbox(inboxOf(context, context.ids[0]), context.user),
  },
  { method: 'PATCH', path: '/inboxes/*', run: change },
]

function change(context: Context): unknown {
  const { parameters, user } = context
  const inbox = inboxOf(context, context.ids[0])
  if (user.role !== 'administrator') throw refusals.noRight()
  parameters.only('channel', 'name', 'greeting_enabled', 'greeting_message', 'lock_to_single_conversation')
  const channel = parameters.object('channel') ?? {}
  const url = channel.webhook_url
  if (typeof url === 'string') {
    if (url.length > LONGEST_URL)
      throw refusals.invalid(`Webhook url is too long (maximum is ${LONGEST_URL} characters)`, 'webhook_url')
    inbox.webhookUrl = url
  }
  inbox.name = parameters.text('name') ?? inbox.name
  if ('lock_to_single_conversation' in parameters.fields)
    inbox.locksToSingleConversation = parameters.flag('lock_to_single_conversation')
  return context.views.inbox(inbox, user)
}
