import type { Channel as FoundChannel } from '../../../schemas/channel.js'
import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Channel } from '../../../schemas/generated.js'
import type { Jid } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress } from '../../../schemas/jid.js'

/** Error codes of reads. */
export const channelReadErrors = [
  'INVALID_NUMBER',
  'CHANNEL_NOT_FOUND',
  'NOT_CHANNEL_FOLLOWER',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'NETWORK_REFUSED',
  'OUTCOME_UNKNOWN',
] as const

/** Error codes of changes. */
export const channelErrors = [...channelReadErrors, 'CHANNEL_REFUSED', 'NOT_CHANNEL_ADMIN'] as const

interface NamesChannel {
  readonly id?: string
  readonly jid?: string
}

/** Returns the channel that a call names by `id` or `jid`. @throws GatewayError INVALID_REQUEST, INVALID_NUMBER */
export function readChannelJid({ id, jid }: NamesChannel): Jid {
  const given = id ?? jid
  if (given === undefined) throw invalidField('id', 'is missing: it names the channel')
  const field = id === undefined ? 'jid' : 'id'
  const { group } = parseAddress(given, field)
  if (group !== undefined && isChannelJid(group)) return group
  const why = 'is not a channel id ending in @newsletter'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}

export function shownChannel(channel: FoundChannel): Channel {
  return { ...channel }
}
