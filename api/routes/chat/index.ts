import { GatewayError } from '../../../schemas/errors.js'
import type {
  BlocklistReply,
  Chat,
  ChatEphemeralReply,
  ChatEphemeralRequest,
  ChatNotesReply,
  ChatNotesRequest,
  ChatPictureRequest,
  DeleteChatReply,
  DeleteChatRequest,
  EditChatNotesReply,
  EditChatNotesRequest,
  EditLeadRequest,
  MuteChatReply,
  MuteChatRequest,
  PinChatReply,
  PinChatRequest,
  RefreshChatNotesReply,
  RefreshChatNotesRequest,
} from '../../../schemas/generated.js'
import { parseLeadId } from '../../../schemas/lead-fields.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import { Answer, instanceRoute, type Route } from '../../route.js'
import { changeErrors, withText } from '../change-failed.js'
import { groupErrors } from '../group/record.js'
import { readDisappearing } from '../group/update.js'
import { checkNumbers, tellChatDetails } from './check.js'
import { findChats } from './find.js'
import { archiveChat, blockPerson, labelChat, readChat } from './update.js'

const SECONDS_BELOW = 1e11

const editLead = instanceRoute<EditLeadRequest>({
  method: 'POST',
  path: '/chat/editLead',
  name: 'editLead',
  area: 'Chat',
  scope: 'token',
  summary: 'Change the lead data of a chat',
  schema: 'chat/edit-lead.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports }): Promise<Chat> {
    const { id, lead_tags: tags, ...fields } = body
    parseLeadId(id)
    const { chatbot_disableUntil: disableUntil, chatbot_agentResetMemoryAt: resetMemoryAt } = fields
    const set: LeadFields = {
      ...fields,
      ...(tags === undefined ? {} : { lead_tags: listed(tags) }),
      ...(disableUntil === undefined ? {} : { chatbot_disableUntil: inMs(disableUntil) }),
      ...(resetMemoryAt === undefined ? {} : { chatbot_agentResetMemoryAt: inMs(resetMemoryAt) }),
    }
    const { record } = await ports.router.ask(instance.id, { type: 'editLead', id, set })
    return record as unknown as Chat
  },
})

/** A number that cannot be a time of our days in milliseconds is one in seconds: public examples show such. */
function inMs(time: number): number {
  return time < SECONDS_BELOW ? time * 1_000 : time
}

function listed(tags: readonly string[]): string {
  return [...new Set(tags.map((tag) => tag.trim()))].join(',')
}

const giveChatPicture = instanceRoute<ChatPictureRequest>({
  method: 'POST',
  path: '/chat/picture',
  name: 'giveChatPicture',
  area: 'Chat',
  scope: 'read',
  keyChat: { chat: 'number', isNarrowed: true },
  summary: 'Give the picture of a person, a group or the own account, fetched by the gateway',
  schema: 'chat/picture.json',
  produces: 'image/jpeg',
  emptyMeans: 'There is no picture, or the account may not see it.',
  errors: [
    'MEDIA_UNAVAILABLE',
    'INVALID_NUMBER',
    'RATE_LIMITED',
    'NOT_LOGGED_IN',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, body: { number = '', preview = false } }, { ports }) {
    const picture = await ports.media.chatPicture(instance.id, { number, preview })
    if (picture === null) return new Answer({ status: 204, type: 'image/jpeg', body: '' })
    return new Answer({
      ...picture,
      headers: {
        'Content-Disposition': 'inline',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Cache-Control': 'private, max-age=3600',
      },
    })
  },
})

const deleteChat = instanceRoute<DeleteChatRequest>({
  method: 'POST',
  path: '/chat/delete',
  name: 'deleteChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Delete a chat or its messages, here and on the devices',
  schema: 'chat/delete.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body }, { ports }): Promise<DeleteChatReply> {
    const stored = body.deleteChatDB ? 'chat' : body.deleteMessagesDB ? 'messages' : null
    const shown = body.clearChatWhatsApp ? 'clear' : body.deleteChatWhatsApp ? 'delete' : null
    if (stored === null && shown === null) {
      const why = 'or one of deleteMessagesDB, deleteChatWhatsApp, clearChatWhatsApp must be true'
      const message = `Invalid request: deleteChatDB ${why}.`
      throw new GatewayError('INVALID_REQUEST', { message, details: [{ field: 'deleteChatDB', why }] })
    }
    const { actions, errors } = await ports.router
      .ask(instance.id, { type: 'deleteChat', number: body.number, stored, shown })
      .catch(withText('Error deleting chat'))
    return {
      response: errors.length === 0 ? 'Chat deleted' : 'Chat deleted in part',
      actions: [...actions],
      errors: [...errors],
    }
  },
})

const chatEphemeral = instanceRoute<ChatEphemeralRequest>({
  method: 'POST',
  path: '/chat/ephemeral',
  name: 'chatEphemeral',
  area: 'Chat',
  scope: 'token',
  summary: 'Let messages of a chat disappear, for all who are in it',
  schema: 'chat/ephemeral.json',
  errors: [...groupErrors, 'CHAT_NOT_FOUND', 'NOT_SUPPORTED', 'SEND_REFUSED'],
  async handle({ instance, body: { number, duration } }, { ports }): Promise<ChatEphemeralReply> {
    const { seconds, response, ephemeral } = readDisappearing(duration)
    const messageid = newMessageId()
    const { chat } = await ports.router.ask(instance.id, { type: 'setDisappearing', messageid, number, seconds })
    return { response, chat, ephemeral }
  },
})

const pinChat = instanceRoute<PinChatRequest>({
  method: 'POST',
  path: '/chat/pin',
  name: 'pinChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Pin a chat to the top, or unpin it',
  schema: 'chat/pin.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, pin } }, { ports }): Promise<PinChatReply> {
    await ports.router
      .ask(instance.id, { type: 'setChat', number, setting: { kind: 'pin', isSet: pin } })
      .catch(withText('Error pinning chat'))
    return { response: pin ? 'Chat pinned' : 'Chat unpinned' }
  },
})

const refreshChatNotes = instanceRoute<RefreshChatNotesRequest>({
  method: 'POST',
  path: '/chat/notes/refresh',
  name: 'refreshChatNotes',
  area: 'Chat',
  scope: 'token',
  summary: 'Read the notes of chats again from WhatsApp',
  schema: 'chat/notes-refresh.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'HISTORY_RUNNING', ...changeErrors],
  async handle({ instance, body: { number, force = false } }, { ports }): Promise<RefreshChatNotesReply> {
    const { chat, text } = await ports.router
      .ask(instance.id, { type: 'refreshNote', number, isWhole: force })
      .catch(withText('Error refreshing chat notes'))
    return { chat, wa_notes: text, source: 'whatsapp' }
  },
})

const editChatNotes = instanceRoute<EditChatNotesRequest>({
  method: 'POST',
  path: '/chat/notes/edit',
  name: 'editChatNotes',
  area: 'Chat',
  scope: 'token',
  summary: 'Write the note of a chat, on all devices of the account',
  schema: 'chat/notes-edit.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, notes } }, { ports }): Promise<EditChatNotesReply> {
    const { chat, text } = await ports.router
      .ask(instance.id, { type: 'editNote', number, text: notes })
      .catch(withText('Error editing chat notes'))
    return { chat, wa_notes: text, source: 'whatsapp' }
  },
})

const muteChat = instanceRoute<MuteChatRequest>({
  method: 'POST',
  path: '/chat/mute',
  name: 'muteChat',
  area: 'Chat',
  scope: 'token',
  summary: 'Mute a chat for 8 hours, a week or for good, or unmute it',
  schema: 'chat/mute.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', ...changeErrors],
  async handle({ instance, body: { number, muteEndTime } }, { ports }): Promise<MuteChatReply> {
    await ports.router
      .ask(instance.id, { type: 'setChat', number, setting: { kind: 'mute', hours: muteEndTime } })
      .catch(withText('Error muting chat'))
    return { response: muteEndTime === 0 ? 'Chat unmuted' : 'Chat muted' }
  },
})

export const showChatNotes = instanceRoute<ChatNotesRequest>({
  method: 'POST',
  path: '/chat/notes',
  name: 'showChatNotes',
  area: 'Chat',
  scope: 'read',
  keyChat: { chat: 'number' },
  summary: 'Show the note of a chat',
  schema: 'chat/notes.json',
  errors: ['INVALID_NUMBER', 'CHAT_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body: { number } }, { ports }): Promise<ChatNotesReply> {
    const { chat, text } = await ports.router.ask(instance.id, { type: 'showNote', number })
    return { chat, wa_notes: text, source: 'database' }
  },
})

const listBlocked = instanceRoute({
  method: 'GET',
  path: '/chat/blocklist',
  name: 'listBlocked',
  area: 'Chat',
  scope: 'read',
  summary: 'List the blocked people',
  schema: 'chat/blocklist.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<BlocklistReply> {
    return { blockList: [...(await ports.router.ask(instance.id, { type: 'blocklist' }))] }
  },
})

/** Routes of the area, in the order of the documentation. */
export const chatRoutes: readonly Route[] = [
  editLead,
  findChats,
  tellChatDetails,
  giveChatPicture,
  checkNumbers,
  readChat,
  archiveChat,
  pinChat,
  muteChat,
  chatEphemeral,
  showChatNotes,
  editChatNotes,
  refreshChatNotes,
  labelChat,
  deleteChat,
  blockPerson,
  listBlocked,
]
