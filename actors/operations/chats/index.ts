import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import {
  addressOf,
  type ChatAddress,
  chatIdOf,
  isGroupJid,
  parseAddress,
  parseRecipient,
  userOf,
} from '../../../schemas/jid.js'
import { parseLeadId } from '../../../schemas/lead-chat.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import { bothAddresses, knownChat } from '../../instance/known-chat.js'
import { forgetChat } from '../../instance/sends/resolve.js'
import type { InstanceContext } from '../context.js'
import { changeGroup } from '../groups/change.js'
import { operation } from '../operation.js'
import { deleteChat } from './delete.js'
import { labelChat } from './label.js'
import { editNote, refreshNote, showNote } from './notes.js'
import { readChat } from './read.js'
import { setChat } from './set.js'

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
    if (stored === null) return { id: '', owner: '', ...namesOf(address), ...shown }
    await journal.write([{ type: 'chat', chat: address, set: shown, known: true, announce: true }])
    return (await reader.chat(id, address)) ?? stored
  },
})

function namesOf(address: ChatAddress): Readonly<Record<string, unknown>> {
  const { pn, lid, group } = address
  return {
    wa_chatid: chatIdOf(address),
    ...(lid === undefined ? {} : { wa_chatlid: lid }),
    ...(pn === undefined ? {} : { phone: `+${userOf(pn)}` }),
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
    const chat = await chatOf(context, id)
    await journal.write([{ type: 'lead', chat, set }])
    const record = await reader.chat(context.id, chat)
    if (record === null) throw new GatewayError('CHAT_NOT_FOUND')
    return { record }
  },
})

async function chatOf({ id: instance, reader }: InstanceContext, id: string): Promise<ChatAddress> {
  const { owner, chats } = parseLeadId(id)
  for (const chat of chats) {
    const record = await reader.chat(instance, chat)
    if (record === null) continue
    if (owner !== null && owner !== record.owner) break
    return addressOf(record.wa_chatid as Jid)
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
    return { chat: chatIdOf(address) }
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
  labelChat,
  readChat,
  refreshNote,
  setChat,
  setDisappearing,
  showNote,
] as const
