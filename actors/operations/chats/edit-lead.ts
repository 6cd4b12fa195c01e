import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { addressOf, type ChatAddress } from '../../../schemas/jid.js'
import { parseLeadId } from '../../../schemas/lead-chat.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

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
export const editLead = operation('editLead', {
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
