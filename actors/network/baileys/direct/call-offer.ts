import type { BinaryNode } from '@whiskeysockets/baileys'
import { isTcTokenExpired } from '@whiskeysockets/baileys/lib/Utils/tc-token-utils.js'
import { GatewayError } from '../../../../schemas/errors.js'
import { randomBuffer } from '../../../../schemas/random.js'
import { devicesOf, encryptForEach, type FanOutOptions } from './group-relay.js'
import { deviceIdentity } from './relay.js'

export interface CallOffer {
  readonly id: string
  /** The person, by LID if it is known. */
  readonly to: string
  readonly isVideo: boolean
}

/** Capabilities of this side, as WhatsApp Web writes them in an offer (zapo `packages/voip`, `signaling.ts`). */
const CAPABILITY = Buffer.from('0105f709e4bb07', 'hex')
const KEY_BYTES = 32

/**
 * Makes the offer of a call with all that the network wants in it: without the key for each device of the person, or their privacy token, it drops
 * the offer and says nothing (tulir/whatsmeow issue 555). The key is of no use here, since no sound follows. Not yet tested against WhatsApp.
 * @throws GatewayError NOT_ON_NETWORK, NETWORK_REFUSED
 */
export async function composeOffer({ id, to, isVideo }: CallOffer, options: FanOutOptions): Promise<BinaryNode> {
  const { credentials } = options
  const devices = await devicesOf([to], options)
  if (devices.length === 0) throw new GatewayError('NOT_ON_NETWORK')
  const message = { call: { callKey: randomBuffer(KEY_BYTES) } }
  const made = await encryptForEach(devices, message, { count: '0' }, options)
  const destinations = made.flatMap(({ nodes }) => nodes) as BinaryNode[]
  if (destinations.length === 0) {
    const why = 'The network gave no keys of the devices of this person; nobody was rung.'
    throw new GatewayError('NETWORK_REFUSED', { message: why })
  }
  const tellsPreKeys = made.some(({ shouldIncludeDeviceIdentity }) => shouldIncludeDeviceIdentity)
  return {
    tag: 'call',
    attrs: { to },
    content: [
      {
        tag: 'offer',
        attrs: { 'call-id': id, 'call-creator': creatorOf(options) },
        content: [
          ...(await privacyToken(to, options)),
          ...['8000', '16000'].map((rate) => ({ tag: 'audio', attrs: { enc: 'opus', rate } })),
          ...(isVideo ? [VIDEO] : []),
          { tag: 'net', attrs: { medium: '3' } },
          { tag: 'capability', attrs: { ver: '1' }, content: CAPABILITY },
          { tag: 'destination', attrs: {}, content: destinations },
          { tag: 'encopt', attrs: { keygen: '2' } },
          ...(tellsPreKeys ? [deviceIdentity(credentials)] : []),
        ],
      },
    ],
  }
}

const VIDEO: BinaryNode = {
  tag: 'video',
  attrs: {
    enc: 'vp8',
    dec: 'vp8',
    orientation: '0',
    screen_width: '1920',
    screen_height: '1080',
    device_orientation: '0',
  },
}

/** Returns this device as the one that calls: by LID, whatever address the person has. */
function creatorOf({ credentials: { me } }: FanOutOptions): string {
  return me?.lid ?? me?.id ?? ''
}

/** Returns the token that the person has given this account, if it holds still. */
async function privacyToken(to: string, { keys }: FanOutOptions): Promise<BinaryNode[]> {
  const { [to]: given } = await keys.get('tctoken', [to])
  if (given === undefined || given.token.length === 0 || isTcTokenExpired(given.timestamp)) return []
  return [{ tag: 'privacy', attrs: {}, content: given.token }]
}
