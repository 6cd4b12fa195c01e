import {
  type AuthenticationCreds,
  type BinaryNode,
  encodeBigEndian,
  getNextPreKeys,
  type WASocket,
  xmppPreKey,
  xmppSignedPreKey,
} from '@whiskeysockets/baileys'
import { deviceIdentity } from '../direct/relay.js'

/** Type of a bundle of keys on the wire (`KEY_BUNDLE_TYPE` in the library). */
const BUNDLE_TYPE = 5

export interface RetryReceipt {
  /** The message that could not be decrypted. */
  readonly node: BinaryNode
  /** Number of this request for the message, from 1. */
  readonly count: number
  /** With keys, the sender makes a new session. */
  readonly withKeys: boolean
}

/** Sends the receipt by which a sender learns that a message is needed again. It is that of `sendRetryRequest` (`Socket/messages-recv.js` of 7.0.0-rc14). */
export async function sendRetryReceipt(
  socket: Pick<WASocket, 'authState' | 'ev' | 'sendNode'>,
  { node: { attrs }, count, withKeys }: RetryReceipt,
): Promise<void> {
  const { creds, keys } = socket.authState
  const { id = '', from = '', t, recipient, participant } = attrs
  const content: BinaryNode[] = [
    { tag: 'retry', attrs: { count: String(count), id, ...(t === undefined ? {} : { t }), v: '1', error: '0' } },
    { tag: 'registration', attrs: {}, content: encodeBigEndian(creds.registrationId) },
  ]
  const to = {
    ...(recipient === undefined ? {} : { recipient }),
    ...(participant === undefined ? {} : { participant }),
  }
  // Before the frame, which the output gate holds until the pre-key is durable. One after the other, so that no two receipts name the same one.
  if (withKeys)
    await keys.transaction(async () => {
      const { update, preKeys } = await getNextPreKeys({ creds, keys }, 1)
      content.push(bundle(creds, preKeys))
      socket.ev.emit('creds.update', update)
    }, creds.me?.id ?? 'retry')
  await socket.sendNode({ tag: 'receipt', attrs: { id, type: 'retry', to: from, ...to }, content })
}

function bundle(
  creds: AuthenticationCreds,
  preKeys: Awaited<ReturnType<typeof getNextPreKeys>>['preKeys'],
): BinaryNode {
  const [[id, preKey] = []] = Object.entries(preKeys)
  if (id === undefined || preKey === undefined) throw new Error('There is no pre-key for a new session.')
  const identity = deviceIdentity(creds).content
  return {
    tag: 'keys',
    attrs: {},
    content: [
      { tag: 'type', attrs: {}, content: Buffer.from([BUNDLE_TYPE]) },
      { tag: 'identity', attrs: {}, content: creds.signedIdentityKey.public },
      xmppPreKey(preKey, Number(id)),
      xmppSignedPreKey(creds.signedPreKey),
      { tag: 'device-identity', attrs: {}, ...(identity === undefined ? {} : { content: identity }) },
    ],
  }
}
