/** Asks the account's phone to upload a file again that the media host does not have. */
import {
  type BaileysEventMap,
  decryptMediaRetryData,
  encryptMediaRetryRequest,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import { GatewayError } from '../../../../schemas/errors.js'
import type { Jid } from '../../../../schemas/ids.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import { contentForCallers } from '../content.js'
import { unwrap } from '../incoming.js'
import { networkKey } from '../outgoing.js'
import { findFile, movedFile } from './parts.js'

/** Maximum wait for the phone. A phone that is on answers within seconds. The library would wait for ever (WAHA 2026.5.1: retries that never end). */
const ANSWER_MAX_MS = 20_000

/** Returns the message with the new place of its file. @throws GatewayError MEDIA_NOT_FOUND, MEDIA_UNAVAILABLE */
export async function renewMedia(
  socket: Pick<WASocket, 'ev' | 'sendNode'>,
  message: MessageForActor,
  { meId, author }: { readonly meId: string; readonly author: Jid },
): Promise<{ proto: Uint8Array; content: unknown }> {
  const { messageid } = message
  const file = message.proto === null ? null : findFile(message.proto)
  if (message.proto === null || file === null) throw new GatewayError('MEDIA_NOT_FOUND')
  const key = networkKey(message, author)
  const answer = awaitAnswer(socket.ev, messageid)
  try {
    await socket.sendNode(encryptMediaRetryRequest(key, file.mediaKey, meId))
    const { error, media } = await answer.update
    if (error || !media) throw refused('the phone no longer has the file')
    const renewed = decryptMediaRetryData(media, file.mediaKey, messageid)
    if (renewed.result !== proto.MediaRetryNotification.ResultType.SUCCESS || !renewed.directPath)
      throw refused('the phone could not put the file on WhatsApp again')
    const moved = movedFile(message.proto, renewed.directPath)
    const proof = proto.Message.encode(moved).finish()
    return { proto: proof, content: contentForCallers(unwrap(moved))?.content ?? null }
  } finally {
    answer.stop()
  }
}

type MediaUpdate = BaileysEventMap['messages.media-update'][number]

function awaitAnswer(ev: WASocket['ev'], messageid: string): { update: Promise<MediaUpdate>; stop: () => void } {
  let stop = (): void => {}
  const update = new Promise<MediaUpdate>((resolve, reject) => {
    const listen = (updates: MediaUpdate[]): void => {
      const mine = updates.find(({ key }) => key.id === messageid)
      if (mine !== undefined) resolve(mine)
    }
    const timer = setTimeout(() => reject(refused('the phone did not answer in time')), ANSWER_MAX_MS)
    ev.on('messages.media-update', listen)
    stop = () => {
      clearTimeout(timer)
      ev.off('messages.media-update', listen)
    }
  })
  update.catch(() => {})
  return { update, stop }
}

function refused(why: string): GatewayError {
  return new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'id', why }] })
}
