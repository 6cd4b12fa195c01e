/** How a phone votes: `msgsecret.go` of tulir/whatsmeow. */
import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import type { AddressSpace } from '../network/model.js'
import { findRecipient } from './outbox.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import { findTarget } from './shown.js'

/** Takes these options of a poll in place of what was taken before; none takes the vote back. Resolves with the id of the vote. */
export async function vote(
  phone: Phone,
  id: string,
  chosen: readonly string[],
  addressing: AddressSpace = phone.settings.addressing,
): Promise<string> {
  const target = findTarget(phone, id)
  if (!target) throw new PhoneError(404, `No message ${id} is known to this phone.`)
  const { poll, message } = target.shown
  if (poll === null) throw new PhoneError(409, 'The phone shows no poll.')
  const unknown = chosen.find((text) => !poll.options.some((option) => option.text === text))
  if (unknown !== undefined) throw new PhoneError(404, `The poll has no option ${unknown}.`)
  if (poll.selectableCount > 0 && chosen.length > poll.selectableCount)
    throw new PhoneError(400, `No more than ${poll.selectableCount} options can be taken.`)
  const group = phone.network.groups.get(target.chat)
  const space = group?.addressing ?? addressing
  const fromMe = target.author === phone.account
  const pollCreationMessageKey = {
    id,
    fromMe,
    remoteJid: group?.jid ?? findRecipient(phone, target.chat).jid(space),
    ...(group && !fromMe && { participant: target.author.jid(space) }),
  }
  const people = { creator: target.author.jid(space), voter: phone.account.jid(space) }
  return phone.send(
    target.chat,
    {
      pollUpdateMessage: {
        pollCreationMessageKey,
        vote: sealed(message, id, chosen, people),
        senderTimestampMs: Date.now(),
      },
    },
    { addressing },
  )
}

function sealed(
  poll: proto.IMessage,
  id: string,
  chosen: readonly string[],
  { creator, voter }: { creator: string; voter: string },
): proto.Message.IPollEncValue {
  const secret = poll.messageContextInfo?.messageSecret ?? new Uint8Array()
  const key = hkdfSync('sha256', secret, new Uint8Array(32), `${id}${creator}${voter}Poll Vote`, 32)
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), encIv)
  cipher.setAAD(Buffer.from(`${id}\u0000${voter}`))
  const selectedOptions = chosen.map((text) => createHash('sha256').update(text).digest())
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  return { encPayload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]), encIv }
}
