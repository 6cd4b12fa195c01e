import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, chatIdOf, parseAddress, userOf } from '../../../schemas/jid.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'

interface ChatDetailsFields {
  readonly number: string
  /** Fetches the small picture instead of the large one. */
  readonly preview: boolean
}

/**
 * Answers with the record of a chat, after a look at its picture. Of a person without a chat the record has what the network tells.
 * @throws GatewayError NOT_ON_NETWORK when there is neither a chat nor an account
 */
export const chatDetails = operation('chatDetails', {
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
