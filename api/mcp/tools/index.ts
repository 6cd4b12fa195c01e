import type {
  ChatNotesReply,
  CheckNumbersReply,
  DeleteMessageReply,
  DownloadReply,
  EditMessageReply,
  FindChatsReply,
  FindChatsRequest,
  McpAccountStatusReply,
  McpAccountStatusRequest,
  McpChangeMessageReply,
  McpChangeMessageRequest,
  McpChatNoteReply,
  McpChatNoteRequest,
  McpCheckNumberReply,
  McpCheckNumberRequest,
  McpFindChatsReply,
  McpFindChatsRequest,
  McpGetMediaReply,
  McpGetMediaRequest,
  McpMessageReceiptsReply,
  McpMessageReceiptsRequest,
  McpPostStatusReply,
  McpPostStatusRequest,
  McpReactReply,
  McpReactRequest,
  McpScheduleMessageReply,
  McpScheduleMessageRequest,
  McpSendMessageReply,
  McpSendMessageRequest,
  MessageInfoReply,
  ReactReply,
  SendStatusReply,
  SentMessage,
  StatusReply,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { searchedDigits } from '../../../schemas/searched-numbers.js'
import type { Route } from '../../route.js'
import { checkNumbers } from '../../routes/chat/check.js'
import { findChats as route } from '../../routes/chat/find.js'
import { showChatNotes } from '../../routes/chat/index.js'
import { showStatus } from '../../routes/instance/connection.js'
import { downloadMessage } from '../../routes/message/download.js'
import { showMessageInfo } from '../../routes/message/info.js'
import { reactToMessage } from '../../routes/message/react.js'
import { deleteMessage, editMessage } from '../../routes/message/revisions.js'
import { sendAlbum } from '../../routes/send/album.js'
import { sendLocationButton } from '../../routes/send/index.js'
import { sendMedia } from '../../routes/send/media.js'
import { sendMenu } from '../../routes/send/menu.js'
import { sendStatus } from '../../routes/send/status.js'
import { sendText } from '../../routes/send/text.js'
import { defineTool, type Tool } from '../tool.js'
import { chatView, namedSend, sentView } from '../views.js'
import { quotedWords, visibleText } from '../visible-text.js'
import { businessInfo, changeBusiness } from './business.js'
import { readMessages } from './read-messages.js'
import { callTool, eventTool, paymentTool, pinTool } from './special-sends.js'

const NOTE_MAX = 10_000

const chatNote = defineTool<McpChatNoteRequest, McpChatNoteReply>({
  name: 'chat_note',
  title: 'Note of a chat',
  schema: 'mcp/chat-note.json',
  routes: [showChatNotes],
  isReadOnly: true,
  async run({ args: { chat }, ask }) {
    const shown = await ask<ChatNotesReply>(showChatNotes, { number: chat })
    return { chat: shown.chat, note: visibleText(shown.wa_notes, NOTE_MAX) }
  },
})

const MENUS = { buttons: 'button', list: 'list', poll: 'poll' } as const
const FILES = { image: 'image', video: 'video', document: 'document', audio: 'audio', voice: 'ptt', sticker: 'sticker' }

const sendMessage = defineTool<McpSendMessageRequest, McpSendMessageReply>({
  name: 'send_message',
  title: 'Send a message',
  schema: 'mcp/send-message.json',
  routes: [sendText, sendMedia, sendMenu, sendAlbum, sendLocationButton],
  async run({ args, ask, meet, warnings }) {
    const { route, body } = chooseSend(args)
    const { to, reply_to, text = '', file = '', files = [], choices = [] } = args
    const inAlbum = files.flatMap((one) => [one.file, one.text ?? ''])
    await meet(to, [text, file, ...inAlbum, ...choices].filter((part) => part !== '').join(' | '))
    const common = { number: to, ...(reply_to ? { replyid: reply_to } : {}) }
    const sent = await ask<SentMessage>(route, { ...common, ...body }, namedSend(args.idempotency_key))
    return sentView(sent, warnings)
  },
})

/** Returns the operation of the API, and the fields that are its own. @throws GatewayError INVALID_REQUEST */
function chooseSend(args: McpSendMessageRequest): { route: Route; body: object } {
  const { type = 'text', text, file, files, hd, choices, file_name, list_button } = args
  if (type !== 'album') refuse({ files }, type)
  if (type !== 'image') refuse({ hd }, type)
  if (type === 'album') {
    refuse({ text, file, choices }, type)
    return { route: sendAlbum, body: { files: needed(files, 'files', type) } }
  }
  if (type === 'location_request') {
    refuse({ file, choices }, type)
    return { route: sendLocationButton, body: { text: needed(text, 'text', type) } }
  }
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
  return { route: sendMedia, body: { ...media, ...(text ? { text } : {}), ...named, ...(hd ? { hd } : {}) } }
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

const LIMIT = 20
/** Fewer digits are rather a part of a name. */
const DIGITS_MIN = 4

const findChats = defineTool<McpFindChatsRequest, McpFindChatsReply>({
  name: 'find_chats',
  title: 'Find chats',
  schema: 'mcp/find-chats.json',
  routes: [route],
  isReadOnly: true,
  async run({ args, ask, warnings }) {
    const { limit = LIMIT, offset = 0 } = args
    const { chats, pagination } = await ask<FindChatsReply>(route, { ...toFilters(args), limit, offset })
    const next = offset + chats.length
    return {
      chats: chats.map(chatView),
      next_offset: chats.length > 0 && next < pagination.totalRecords ? next : null,
      warnings,
    }
  },
})

function toFilters({ query = '', kind = 'all', unread_only = false }: McpFindChatsRequest): FindChatsRequest {
  const text = query.trim()
  const isNumber = searchedDigits(text).some((digits) => digits.length >= DIGITS_MIN)
  return {
    ...(isNumber ? { wa_chatid: `~${text}` } : {}),
    ...(text === '' || isNumber ? {} : { name: `~${text}` }),
    ...(kind === 'all' ? {} : { wa_isGroup: kind === 'groups' }),
    ...(unread_only ? { wa_unreadCount: '>0' } : {}),
  }
}

const TYPES = { text: 'text', image: 'image', video: 'video', voice: 'ptt' } as const
const SEEN_BY = { setting: 'those whom the phone has set', contacts: 'all contacts' }

const postStatus = defineTool<McpPostStatusRequest, McpPostStatusReply>({
  name: 'post_status',
  title: 'Post a status',
  schema: 'mcp/post-status.json',
  routes: [sendStatus],
  async run({ args, ask, confirm, warnings }) {
    const { type = 'text', text = '', file, audience = 'setting', recipients } = args
    if (type === 'text' && file !== undefined) throw invalidField('file', 'does not belong to the type text')
    const people = recipients?.length ?? 0
    const seenBy =
      audience === 'allowlist'
        ? `${people} people`
        : audience === 'denylist'
          ? `all contacts but ${people}`
          : SEEN_BY[audience]
    await confirm(
      `Post a status for ${seenBy}? ${quotedWords([text, file ?? ''].filter((one) => one !== '').join(' | '))}`,
    )
    const body = {
      type: TYPES[type],
      audience,
      ...(text === '' ? {} : { text }),
      ...(file === undefined ? {} : { file }),
      ...(recipients === undefined ? {} : { recipients }),
    }
    const { Id: id, status, debug } = await ask<SendStatusReply>(sendStatus, body)
    return { id, status, recipients: debug.recipients, left_out: debug.discarded, warnings }
  },
})

const changeMessage = defineTool<McpChangeMessageRequest, McpChangeMessageReply>({
  name: 'change_message',
  title: 'Edit or delete a message',
  schema: 'mcp/change-message.json',
  routes: [editMessage, deleteMessage],
  isDestructive: true,
  isIdempotent: true,
  async run({ args: { id, action, text }, ask, confirm, warnings }) {
    if (action === 'edit' && text === undefined) throw invalidField('text', 'is required to edit')
    if (action === 'delete' && text !== undefined) throw invalidField('text', 'does not belong to a deletion')
    if (action === 'edit') {
      await confirm(`Edit the message ${id} for everyone? It will say: ${quotedWords(text ?? '')}`)
      const { messageid } = await ask<EditMessageReply>(editMessage, { id, text })
      return { id: messageid, action, warnings }
    }
    await confirm(`Delete the message ${id} for everyone?`)
    return { id: (await ask<DeleteMessageReply>(deleteMessage, { id })).id, action, warnings }
  },
})

const messageReceipts = defineTool<McpMessageReceiptsRequest, McpMessageReceiptsReply>({
  name: 'message_receipts',
  title: 'Who has read a message to a group',
  schema: 'mcp/message-receipts.json',
  routes: [showMessageInfo],
  isReadOnly: true,
  async run({ args: { id, limit = 50 }, ask, warnings }) {
    const { members, delivered, read, people } = await ask<MessageInfoReply>(showMessageInfo, { id, limit })
    const shown = people.map((person) => ({
      // Strangers write these names.
      name: visibleText(person.name, 200),
      number: person.phone,
      delivered: person.delivered,
      read: person.read,
    }))
    return { members, delivered, read, people: shown, warnings }
  },
})

const TRANSCRIPTION_MAX = 20_000

const getMedia = defineTool<McpGetMediaRequest, McpGetMediaReply>({
  name: 'get_media',
  title: 'Get the file of a message',
  schema: 'mcp/get-media.json',
  routes: [downloadMessage],
  isReadOnly: true,
  async run({ args: { id, transcribe = false }, ask, warnings }) {
    const { fileURL = '', mimetype, transcription } = await ask<DownloadReply>(downloadMessage, { id, transcribe })
    return {
      link: fileURL,
      untrusted: {
        media_type: visibleText(mimetype, 300),
        transcription: visibleText(transcription, TRANSCRIPTION_MAX),
      },
      warnings,
    }
  },
})

const accountStatus = defineTool<McpAccountStatusRequest, McpAccountStatusReply>({
  name: 'account_status',
  title: 'Status of the account',
  schema: 'mcp/account-status.json',
  routes: [showStatus],
  isReadOnly: true,
  async run({ caller, ask }) {
    const { instance, status } = await ask<StatusReply>(showStatus)
    return {
      connected: status.connected,
      paired: status.loggedIn,
      state: status.state,
      number: instance.owner ?? '',
      name: visibleText(instance.name, 200),
      scopes: [...(caller.key?.scopes ?? [])],
      only_chat: caller.key?.chat ?? '',
    }
  },
})

const checkNumber = defineTool<McpCheckNumberRequest, McpCheckNumberReply>({
  name: 'check_number',
  title: 'Check numbers',
  schema: 'mcp/check-number.json',
  routes: [checkNumbers],
  isReadOnly: true,
  async run({ args: { numbers }, ask, warnings }) {
    const checked = await ask<CheckNumbersReply>(checkNumbers, { numbers })
    return {
      results: checked.map(({ query, isInWhatsapp, jid, error }) => ({
        ...{ query, has_account: isInWhatsapp, chat: jid, error },
      })),
      warnings,
    }
  },
})

const scheduleMessage = defineTool<McpScheduleMessageRequest, McpScheduleMessageReply>({
  name: 'schedule_message',
  title: 'Send a text later',
  schema: 'mcp/schedule-message.json',
  routes: [sendText],
  async run({ args: { to, text, send_at, timezone, idempotency_key }, ask, meet, warnings }) {
    await meet(to, text)
    const body = { number: to, text, send_at, ...(timezone ? { timezone } : {}) }
    return sentView(await ask<SentMessage>(sendText, body, namedSend(idempotency_key)), warnings)
  },
})

const react = defineTool<McpReactRequest, McpReactReply>({
  name: 'react',
  title: 'React to a message',
  schema: 'mcp/react.json',
  routes: [reactToMessage],
  isIdempotent: true,
  async run({ args: { chat, id, emoji }, ask, warnings }) {
    const { reaction, message } = await ask<ReactReply>(reactToMessage, { number: chat, id, text: emoji })
    return { id: reaction.id, summary: message, warnings }
  },
})

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  accountStatus,
  findChats,
  readMessages,
  getMedia,
  messageReceipts,
  chatNote,
  businessInfo,
  checkNumber,
  sendMessage,
  react,
  scheduleMessage,
  eventTool,
  paymentTool,
  callTool,
  pinTool,
  postStatus,
  changeMessage,
  changeBusiness,
]
