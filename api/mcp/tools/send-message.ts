import type { McpSendMessageReply, McpSendMessageRequest, SentMessage } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { Route } from '../../route.js'
import { sendMedia } from '../../routes/send/media.js'
import { sendMenu } from '../../routes/send/menu.js'
import { sendText } from '../../routes/send/text.js'
import { defineTool } from '../tool.js'
import { namedSend, sentView } from './sent.js'

const MENUS = { buttons: 'button', list: 'list', poll: 'poll' } as const
const FILES = { image: 'image', video: 'video', document: 'document', audio: 'audio', voice: 'ptt', sticker: 'sticker' }

export const sendMessage = defineTool<McpSendMessageRequest, McpSendMessageReply>({
  name: 'send_message',
  title: 'Send a message',
  schema: 'mcp/send-message.json',
  routes: [sendText, sendMedia, sendMenu],
  async run({ args, ask, meet, warnings }) {
    const { route, body } = sendOf(args)
    const { to, reply_to, text = '', file = '', choices = [] } = args
    await meet(to, [text, file, ...choices].filter((part) => part !== '').join(' | '))
    const common = { number: to, ...(reply_to ? { replyid: reply_to } : {}) }
    const sent = await ask<SentMessage>(route, { ...common, ...body }, namedSend(args.idempotency_key))
    return sentView(sent, warnings)
  },
})

/** Returns the operation of the API, and the fields that are its own. @throws GatewayError INVALID_REQUEST */
function sendOf(args: McpSendMessageRequest): { route: Route; body: object } {
  const { type = 'text', text, file, choices, file_name, list_button } = args
  if (type === 'text') {
    refuse({ file, choices }, type)
    return { route: sendText, body: { text: needed(text, 'text', type) } }
  }
  if (isMenu(type)) {
    refuse({ file }, type)
    const menu = { type: MENUS[type], text: needed(text, 'text', type), choices: needed(choices, 'choices', type) }
    return { route: sendMenu, body: { ...menu, ...(list_button ? { listButton: list_button } : {}) } }
  }
  refuse({ choices }, type)
  const media = { type: FILES[type], file: needed(file, 'file', type) }
  const named = file_name ? { docName: file_name } : {}
  return { route: sendMedia, body: { ...media, ...(text ? { text } : {}), ...named } }
}

function isMenu(type: string): type is keyof typeof MENUS {
  return Object.hasOwn(MENUS, type)
}

function needed<T>(value: T | undefined, field: string, type: string): T {
  if (value === undefined || value === '') throw invalidField(field, `is required for the type ${type}`)
  return value
}

/** Refuses fields that the message could not carry: an agent would believe that they were sent. */
function refuse(fields: Readonly<Record<string, unknown>>, type: string): void {
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) throw invalidField(field, `does not belong to the type ${type}`)
}
