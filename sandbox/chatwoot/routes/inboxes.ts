import { refusals } from '../refusal.js'
import { type Context, findInbox, type Route } from './route.js'

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
    run: (context) => context.views.inbox(findInbox(context, context.ids[0]), context.user),
  },
  { method: 'POST', path: '/inboxes', run: create },
  { method: 'PATCH', path: '/inboxes/*', run: change },
]

function create({ parameters, user, store, views }: Context): unknown {
  if (user.role !== 'administrator') throw refusals.noRight()
  parameters.only('name', 'channel')
  const channel = parameters.object('channel') ?? {}
  if (channel.type !== 'api') throw refusals.unprocessable('The fake makes inboxes of the type api only')
  const name = parameters.text('name') ?? ''
  if (name === '') throw refusals.invalid("Name can't be blank", 'name')
  if (typeof channel.webhook_url === 'string') checkUrl(channel.webhook_url)
  const inbox = store.addInbox(name, 'Channel::Api')
  inbox.webhookUrl = typeof channel.webhook_url === 'string' ? channel.webhook_url : ''
  return views.inbox(inbox, user)
}

function checkUrl(url: string): void {
  if (url.length > LONGEST_URL)
    throw refusals.invalid(`Webhook url is too long (maximum is ${LONGEST_URL} characters)`, 'webhook_url')
}

function change(context: Context): unknown {
  const { parameters, user } = context
  const inbox = findInbox(context, context.ids[0])
  if (user.role !== 'administrator') throw refusals.noRight()
  parameters.only('channel', 'name', 'greeting_enabled', 'greeting_message', 'lock_to_single_conversation')
  const channel = parameters.object('channel') ?? {}
  const url = channel.webhook_url
  if (typeof url === 'string') {
    checkUrl(url)
    inbox.webhookUrl = url
  }
  inbox.name = parameters.text('name') ?? inbox.name
  if ('lock_to_single_conversation' in parameters.fields)
    inbox.locksToSingleConversation = parameters.flag('lock_to_single_conversation')
  return context.views.inbox(inbox, user)
}
