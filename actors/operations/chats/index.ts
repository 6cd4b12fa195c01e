import { createHash } from 'node:crypto'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import {
  type ChatAddress,
  isGroupJid,
  parseAddress,
  parseRecipient,
  readUser,
  toChatAddress,
  toChatId,
} from '../../../schemas/jid.js'
import { parseLeadId } from '../../../schemas/lead-fields.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import { bothAddresses, type KnownChat, knownChat } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { markChat } from '../../instance/reading.js'
import { forgetChat } from '../../instance/sends/resolve.js'
import type { InstanceContext } from '../context.js'
import { changeGroup } from '../groups/change.js'
import { operation } from '../operation.js'
import { labelChatOperation } from './label.js'

interface ChatNote {
  /** The chat as a JID. */
  readonly chat: string
  /** Empty: it has none. */
  readonly text: string
}

const example: ChatNote = { chat: '5511999990002@s.whatsapp.net', text: 'Prefers mornings' }

interface RefreshFields {
  readonly number: string
  /** Reads all notes, and not only what changed. */
  readonly isWhole: boolean
}

/** Shows the note of a chat as it is stored. Needs no connection. */
const showNote = operation('showNote', {
  repeat: true,
  example,
  async run(context: InstanceContext, { number }: { readonly number: string }): Promise<ChatNote> {
    const { address } = await knownChat(context.id, number, context.reader)
    return await storedNote(context, address)
  },
})

/** Reads the notes of the account again, then shows that of a chat. */
const refreshNote = operation('refreshNote', {
  repeat: true,
  example,
  async run(context: InstanceContext, { number, isWhole }: RefreshFields): Promise<ChatNote> {
    const connection = await context.connection()
    const { address } = await knownChat(context.id, number, context.reader)
    await orUnknown(() => connection.settings.refreshNotes(isWhole))
    await context.journal.settled()
    return await storedNote(context, address)
  },
})

/** Replaces the note of a chat on all devices of the account; an empty text removes it. */
const editNote = operation('editNote', {
  // The second time writes the same text under the same name.
  repeat: true,
  example,
  async run(
    context: InstanceContext,
    { number, text }: { readonly number: string; readonly text: string },
  ): Promise<ChatNote> {
    const connection = await context.connection()
    const { address: chat } = await knownChat(context.id, number, context.reader)
    const former = await context.reader.noteId(context.id, chat)
    if (former !== '' || text !== '') {
      const noteId = former || newNoteId(chat)
      await orUnknown(() => connection.settings.change({ kind: 'note', chat, noteId, text }))
      const set = { wa_note: { id: noteId, text } }
      await context.journal.write([{ type: 'chat', chat, set, announce: true, known: true }])
    }
    return await storedNote(context, chat)
  },
})

/** Makes the name of a first note: always the same one, so that a call that is repeated after a crash writes no second note. */
function newNoteId(chat: ChatAddress): string {
  return createHash('sha256').update(toChatId(chat)).digest('hex').slice(0, 32).toUpperCase()
}

async function storedNote({ id, reader }: InstanceContext, chat: ChatAddress): Promise<ChatNote> {
  const record = await reader.chat(id, chat)
  if (record === null) throw new GatewayError('CHAT_NOT_FOUND')
  return { chat: toChatId(chat), text: String(record.wa_notes ?? '') }
}

interface DeleteChatFields {
  readonly number: string
  /** Deleted from the store: the messages, or the chat with its messages. */
  readonly stored: 'chat' | 'messages' | null
  /** Done on the devices of the account. A group is only cleared. */
  readonly shown: 'delete' | 'clear' | null
}

interface Outcome {
  /** One sentence for each thing that was done. */
  readonly actions: readonly string[]
  /** One sentence for each thing that failed. */
  readonly errors: readonly string[]
}

/**
 * Deletes or clears a chat. The devices come first, because a caller can ask again for what they did not delete.
 * @throws GatewayError when nothing was done
 */
const deleteChat = operation('deleteChat', {
  // Messages that came after the first time would be deleted the second time.
  repeat: false,
  example: { actions: [], errors: [] },
  async run(context: InstanceContext, { number, stored, shown }: DeleteChatFields) {
    if (shown !== null) await context.connection()
    const { address: chat } = await knownChat(context.id, number, context.reader)
    const onDevices = shown === null ? nothing : await deleteOnDevices(context, chat, shown, stored === null)
    const inStore = stored === null ? nothing : await deleteInStore(context, chat, stored === 'chat')
    return {
      actions: [...onDevices.actions, ...inStore.actions],
      errors: [...onDevices.errors, ...inStore.errors],
    }
  },
})

const nothing: Outcome = { actions: [], errors: [] }

async function deleteOnDevices(
  context: InstanceContext,
  chat: ChatAddress,
  shown: 'delete' | 'clear',
  isAllThatWasAsked: boolean,
): Promise<Outcome> {
  const connection = await context.connection()
  const kind = shown === 'delete' && chat.group === undefined ? 'delete' : 'clear'
  const last = await context.reader.lastMessage(context.id, chat)
  try {
    await orUnknown(() => connection.settings.change({ kind, chat, last }))
    return { actions: [kind === 'delete' ? 'Chat deleted on the devices' : 'Chat cleared on the devices'], errors: [] }
  } catch (error) {
    if (isAllThatWasAsked || !(error instanceof GatewayError)) throw error
    return { actions: [], errors: [`The devices: ${error.message}`] }
  }
}

async function deleteInStore(
  { id, journal, reader }: InstanceContext,
  chat: ChatAddress,
  isDropped: boolean,
): Promise<Outcome> {
  const beforeMs = await reader.timeMs()
  do await journal.write([{ type: 'chat.remove', chat, beforeMs, isDropped }])
  while (await reader.hasMessages(id, chat, beforeMs))
  if (!isDropped) await journal.write([{ type: 'chat', chat, set: { wa_unreadCount: 0 }, announce: true, known: true }])
  const actions = ['Messages deleted from the store']
  if (!isDropped) return { actions, errors: [] }
  const isLeft = (await reader.chat(id, chat)) !== null
  return isLeft
    ? { actions, errors: ['The store: the chat has messages that came since, or wait to be sent'] }
    : { actions: [...actions, 'Chat deleted from the store'], errors: [] }
}

type RequestedSetting =
  | { readonly kind: 'archive' | 'pin'; readonly isSet: boolean }
  /** 0 ends the mute, -1 mutes for good. */
  | { readonly kind: 'mute'; readonly hours: number }

interface SetChatFields {
  readonly number: string
  readonly setting: RequestedSetting
}

const HOUR_MS = 3_600_000

/** Archives, pins or mutes a chat, or undoes that, on all devices. */
const setChat = operation('setChat', {
  repeat: true,
  example: null,
  async run(context: InstanceContext, { number, setting }: SetChatFields) {
    // A call waits for the connection before it looks at the chat, as all operations do.
    await context.connection()
    const chat = await knownChat(context.id, number, context.reader)
    switch (setting.kind) {
      case 'archive':
        await archive(context, chat, setting.isSet)
        return null
      case 'pin':
        await pin(context, chat, setting.isSet)
        return null
      case 'mute':
        await mute(context, chat, setting.hours)
        return null
      default:
        return setting satisfies never
    }
  },
})

async function archive(context: InstanceContext, { address: chat, record }: KnownChat, isSet: boolean): Promise<void> {
  const connection = await context.connection()
  const last = await context.reader.lastMessage(context.id, chat)
  await orUnknown(() => connection.settings.change({ kind: 'archive', chat, isSet, last }))
  await context.journal.write([{ type: 'chat', chat, set: { wa_archived: isSet }, announce: true }])
  // Archiving unpins a chat, as on phones (`BuildArchive` of whatsmeow).
  if (isSet && record.wa_isPinned) await pin(context, { address: chat, record }, false)
}

async function pin(context: InstanceContext, { address: chat }: KnownChat, isSet: boolean): Promise<void> {
  const connection = await context.connection()
  await orUnknown(() => connection.settings.change({ kind: 'pin', chat, isSet }))
  await context.journal.write([{ type: 'chat', chat, set: { wa_isPinned: isSet }, announce: true }])
}

async function mute(context: InstanceContext, { address: chat }: KnownChat, hours: number): Promise<void> {
  const connection = await context.connection()
  const wa_muteEndTime = hours > 0 ? Date.now() + hours * HOUR_MS : hours
  await orUnknown(() => connection.settings.change({ kind: 'mute', chat, endTime: wa_muteEndTime }))
  await context.journal.write([{ type: 'chat', chat, set: { wa_muteEndTime }, announce: true }])
}

interface ReadChatFields {
  readonly number: string
  readonly read: boolean
}

/** Marks a chat as read or as unread, on all devices. */
const readChat = operation('readChat', {
  // A receipt for a message that is read already says nothing new.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { number, read }: ReadChatFields) {
    await markChat(context, number, read)
    return null
  },
})

interface ChatDetailsFields {
  readonly number: string
  /** Fetches the small picture instead of the large one. */
  readonly preview: boolean
}

/**
 * Answers with the record of a chat, after a look at its picture. Of a person without a chat the record has what the network tells.
 * @throws GatewayError NOT_ON_NETWORK when there is neither a chat nor an account
 */
const chatDetails = operation('chatDetails', {
  repeat: true,
  example: { id: 'r1', wa_chatid: '5511999990002@s.whatsapp.net' },
  async run(
    context: InstanceContext,
    { number, preview }: ChatDetailsFields,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { id, journal, reader } = context
    const connection = await context.connection()
    const chat = await bothAddresses(id, parseAddress(number), reader)
    const stored = await reader.chat(id, chat)
    const address = stored === null ? await connection.contacts.lookUp(chat) : chat
    if (address === null) throw new GatewayError('NOT_ON_NETWORK')
    const picture = (await connection.contacts.picture(address, preview)) ?? ''
    const shown = preview ? { imagePreview: picture } : { image: picture }
    if (stored === null) return { id: '', owner: '', ...writeNames(address), ...shown }
    await journal.write([{ type: 'chat', chat: address, set: shown, known: true, announce: true }])
    return (await reader.chat(id, address)) ?? stored
  },
})

function writeNames(address: ChatAddress): Readonly<Record<string, unknown>> {
  const { pn, lid, group } = address
  return {
    wa_chatid: toChatId(address),
    ...(lid === undefined ? {} : { wa_chatlid: lid }),
    ...(pn === undefined ? {} : { phone: `+${readUser(pn)}` }),
    wa_isGroup: group?.endsWith('@g.us') === true,
  }
}

interface EditLeadFields {
  /** The chat by `wa_chatid` or `wa_fastid`. */
  readonly id: string
  readonly set: LeadFields
}

/**
 * Writes what a caller knows about the person of a chat, and answers with the record. Needs no connection. The owner writes it through its
 * journal, so that its event has a place among the other events of the instance.
 * @throws GatewayError CHAT_NOT_FOUND
 */
const editLead = operation('editLead', {
  // The second time finds the same values and announces nothing.
  repeat: true,
  example: ({ id }: EditLeadFields) => ({ record: { id: 'r0000001', wa_chatid: id, owner: '5511999990001' } }),
  async run(context: InstanceContext, { id, set }: EditLeadFields) {
    const { journal, reader } = context
    const chat = await readLeadChat(context, id)
    await journal.write([{ type: 'lead', chat, set }])
    const record = await reader.chat(context.id, chat)
    if (record === null) throw new GatewayError('CHAT_NOT_FOUND')
    return { record }
  },
})

async function readLeadChat({ id: instance, reader }: InstanceContext, id: string): Promise<ChatAddress> {
  const { owner, chats } = parseLeadId(id)
  for (const chat of chats) {
    const record = await reader.chat(instance, chat)
    if (record === null) continue
    if (owner !== null && owner !== record.owner) break
    return toChatAddress(record.wa_chatid as Jid)
  }
  throw new GatewayError('CHAT_NOT_FOUND')
}

interface SetDisappearingFields {
  /** Of the change itself; made by the node that got the call. */
  readonly messageid: MessageId
  readonly number: string
  /** 0: messages stay. */
  readonly seconds: number
}

/** Lets messages of a chat disappear, for all who are in it. */
const setDisappearing = operation('setDisappearing', {
  // The second time sets the same.
  repeat: true,
  example: { chat: '5511999990002@s.whatsapp.net' },
  async run(
    context: InstanceContext,
    { messageid, number, seconds }: SetDisappearingFields,
  ): Promise<{ chat: string }> {
    await context.connection()
    const { group } = parseRecipient(number)
    if (group !== undefined && isGroupJid(group)) {
      await changeGroup.run(context, { group, change: { kind: 'ephemeral', seconds } })
      return { chat: group }
    }
    const { address } = await knownChat(context.id, number, context.reader)
    await context.sends.setTimer(messageid, address, seconds).catch(async (error: unknown) => {
      throw await context.limits.explained(error)
    })
    forgetChat(context, address)
    return { chat: toChatId(address) }
  },
})

interface ChatPictureFields {
  /** Empty for the own account. */
  readonly number: string
  /** Asks for the small picture instead of the large one. */
  readonly preview: boolean
  /** Asks the network although an address is stored, which may have ended. */
  readonly isFresh: boolean
}

/** Answers with the address of a picture at the network; null when there is none, or when the account may not see it. */
const chatPicture = operation('chatPicture', {
  repeat: true,
  example: { url: null },
  async run(
    { id, reader, account, connection }: InstanceContext,
    { number, preview, isFresh }: ChatPictureFields,
  ): Promise<{ readonly url: string | null }> {
    if (number === '' && account.own === null) throw new GatewayError('INSTANCE_NOT_CONNECTED')
    const address =
      number === '' && account.own !== null ? account.own : await bothAddresses(id, parseAddress(number), reader)
    const stored = isFresh ? null : await reader.chat(id, address)
    const known = stored?.[preview ? 'imagePreview' : 'image']
    if (typeof known === 'string' && known !== '') return { url: known }
    const { contacts } = await connection()
    return { url: await contacts.picture(address, preview) }
  },
})

export const chatOperations = [
  chatDetails,
  chatPicture,
  deleteChat,
  editLead,
  editNote,
  labelChatOperation,
  readChat,
  refreshNote,
  setChat,
  setDisappearing,
  showNote,
] as const
