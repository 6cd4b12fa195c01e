import type { Channel, ChannelAction, ChannelChange } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { EXAMPLE_CHANNEL } from './read.js'

export const createChannel = operation('createChannel', {
  // There would be two channels.
  repeat: false,
  example: EXAMPLE_CHANNEL,
  async run(
    { connection }: InstanceContext,
    { fields }: { readonly fields: ChannelChange & { readonly name: string } },
  ): Promise<Channel> {
    const { channels } = await connection()
    return await orUnknown(() => channels.create(fields))
  },
})

/** Changes fields of a channel, and reads it again: sources disagree about the form of the settings, so only the network says what they are. */
export const changeChannel = operation('changeChannel', {
  repeat: false,
  example: EXAMPLE_CHANNEL,
  async run(
    { connection }: InstanceContext,
    { channel, change }: { readonly channel: Jid; readonly change: ChannelChange },
  ): Promise<Channel> {
    const { channels } = await connection()
    await orUnknown(() => channels.update(channel, change))
    return await orUnknown(() => channels.channel({ jid: channel })).catch((error: unknown) => {
      // It was changed, whatever became of the second request.
      throw new GatewayError('OUTCOME_UNKNOWN', { cause: error })
    })
  },
})

export const actOnChannel = operation('actOnChannel', {
  repeat: false,
  example: null,
  async run(
    { connection }: InstanceContext,
    { channel, action }: { readonly channel: Jid; readonly action: ChannelAction },
  ): Promise<null> {
    const { channels } = await connection()
    await orUnknown(() => channels.act(channel, action))
    return null
  },
})
