import { GatewayError } from '../../../schemas/errors.js'
import { parseAddress } from '../../../schemas/jid.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'

interface ChatPictureFields {
  /** Empty for the own account. */
  readonly number: string
  /** Asks for the small picture instead of the large one. */
  readonly preview: boolean
  /** Asks the network although an address is stored, which may have ended. */
  readonly isFresh: boolean
}

/** Answers with the address of a picture at the network; null when there is none, or when the account may not see it. */
export const chatPicture = operation('chatPicture', {
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
