import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { addressOf, type ChatAddress } from '../../schemas/jid.js'
import { chatsNamed } from '../../schemas/lead-chat.js'
import type { Command, ReplyOf } from './commands.js'
import type { InstanceJournal, InstanceReader } from './ports.js'

/**
 * Writes what a caller knows of the person behind a chat. By the owner of the instance and through its journal, although the network
 * has no part in it: the event has a place in the instance's log, and what was edited when is told in that order.
 * @throws GatewayError CHAT_NOT_FOUND
 */
export async function editLead(
  instance: InstanceId,
  { journal, reader }: { readonly journal: InstanceJournal; readonly reader: InstanceReader },
  { id, set }: Extract<Command, { type: 'editLead' }>,
): Promise<ReplyOf['editLead']> {
  const chat = await chatOf(instance, reader, id)
  await journal.write([{ type: 'lead', chat, set }])
  const record = await reader.chat(instance, chat)
  if (record === null) throw new GatewayError('CHAT_NOT_FOUND')
  return { record }
}

async function chatOf(instance: InstanceId, reader: InstanceReader, id: string): Promise<ChatAddress> {
  const { owner, chats } = chatsNamed(id)
  for (const chat of chats) {
    const record = await reader.chat(instance, chat)
    if (record === null) continue
    if (owner !== null && owner !== record.owner) break
    return addressOf(record.wa_chatid as Jid)
  }
  throw new GatewayError('CHAT_NOT_FOUND')
}
