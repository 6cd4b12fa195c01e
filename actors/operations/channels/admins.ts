import type { ChannelAdminAction } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, chatIdOf } from '../../../schemas/jid.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { parsePerson } from '../contacts/person.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface InviteRequest {
  readonly channel: Jid
  readonly phone: string
  readonly caption: string
  /** Id of the message with the invitation; made by the node that got the call. */
  readonly messageid: MessageId
}

/** Invites a person to administer a channel, then sends the message by which phones show the invitation. */
export const inviteChannelAdmin = operation('inviteChannelAdmin', {
  // The message may not go out twice.
  repeat: false,
  example: ({ messageid }: InviteRequest) => ({ expires: 0, messageid }),
  async run(context: InstanceContext, { channel, phone, caption, messageid }: InviteRequest) {
    const { channels } = await context.connection()
    const person = await addressOfPerson(context, phone)
    const { name } = await orUnknown(() => channels.channel({ jid: channel }))
    const expires = await orUnknown(() => channels.inviteAdmin(channel, person))
    const content = { kind: 'channelInvite', channel, name, caption, expiresMs: expires } as const
    const number = chatIdOf(person)
    await context.sends.send({ type: 'send', messageid, number, content, options: {}, isLiteral: true })
    return { expires, messageid }
  },
})

interface AdminRequest {
  readonly channel: Jid
  readonly phone: string
  readonly action: ChannelAdminAction
  /** After a transfer: the account is no administrator either. */
  readonly quits?: boolean
}

/** Removes an administrator, takes an invitation back, or makes an administrator the owner. */
export const actOnChannelAdmin = operation('actOnChannelAdmin', {
  repeat: false,
  example: null,
  async run(context: InstanceContext, { channel, phone, action, quits }: AdminRequest): Promise<null> {
    const { channels } = await context.connection()
    const person = await addressOfPerson(context, phone)
    await orUnknown(() => channels.actOnAdmin(channel, person, action))
    const { own } = context.account
    if (quits !== true || own === null) return null
    await orUnknown(() => channels.actOnAdmin(channel, own, 'remove')).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error
      // The channel has its new owner, and the caller must know it.
      const message = `The channel was transferred, and the account is still an administrator: ${error.message}`
      throw new GatewayError(error.code, { message, fields: error.fields, cause: error })
    })
    return null
  },
})

/** Returns both addresses of a person. The network names people of channels by their LID, so one that is not known is looked up. */
async function addressOfPerson(context: InstanceContext, phone: string): Promise<ChatAddress> {
  const known = await bothAddresses(context.id, parsePerson(phone), context.reader)
  if (known.lid !== undefined) return known
  const { contacts } = await context.connection()
  const found = await orUnknown(() => contacts.lookUp(known))
  if (found === null) throw new GatewayError('NOT_ON_NETWORK')
  return found
}
