/** Calls below `/sandbox`, for a person who plays with the demo: what an agent sees and does, without the pages of the platform. */
import type { Agents } from './agents.js'
import type { Parameters } from './parameters.js'
import { Refusal } from './refusal.js'
import type { Store } from './store.js'
import type { Views } from './views.js'

export interface ControlParts {
  readonly store: Store
  readonly views: Views
  readonly agents: Agents
}

export interface ControlAnswer {
  readonly status: number
  readonly body: unknown
}

export function control(method: string, path: string, parameters: Parameters, parts: ControlParts): ControlAnswer {
  try {
    const body = generateBody(`${method} ${path}`, parameters, parts)
    return body === undefined
      ? { status: 404, body: { error: `There is no ${method} ${path}.` } }
      : { status: 200, body }
  } catch (error) {
    if (error instanceof Refusal) return error
    return { status: 400, body: { error: (error as Error).message } }
  }
}

function generateBody(call: string, parameters: Parameters, { store, views, agents }: ControlParts): unknown {
  const conversation = parameters.number('conversation')
  const content = parameters.text('text') ?? ''
  switch (call) {
    case 'GET /sandbox/conversations':
      return [...store.conversations.values()].map((one) => views.conversation(one))
    case 'GET /sandbox/contacts':
      return [...store.contacts.values()].map((one) => views.contact(one))
    case 'GET /sandbox/messages':
      return [...store.messages.values()]
        .filter((one) => conversation === undefined || one.conversationId === conversation)
        .map((one) => views.message(one))
    case 'POST /sandbox/reply':
      return views.message(agents.replies(conversation ?? 0, { content, isPrivate: parameters.flag('private') }))
    case 'POST /sandbox/start':
      return views.message(agents.starts({ phone: parameters.text('phone') ?? '', content }).message)
    default:
      return undefined
  }
}
