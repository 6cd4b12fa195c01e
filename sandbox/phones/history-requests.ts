/** Answers companions that ask the phone for messages of the past, as phones do: 50 at a time, with a mark where nothing older is left. */
import { setTimeout as pause } from 'node:timers/promises'
import type { proto } from '@whiskeysockets/baileys'
import type { Device } from '../network/model.js'
import { sendHistoryPage } from './greeting.js'
import type { Phone } from './phone.js'

const PAGE_MAX = 50
/** A time above it is not in seconds. */
const SECONDS_MAX = 1e11

type Asked = proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest

export async function answerHistoryRequest(
  phone: Phone,
  author: Device,
  requestId: string,
  asked: Asked,
): Promise<void> {
  const { chatJid, oldestMsgId, oldestMsgTimestampMs, onDemandMsgCount } = asked
  const count = Number(onDemandMsgCount ?? 0)
  phone.historyRequests.push({ id: requestId, chat: chatJid ?? '', before: oldestMsgId ?? '', count, atMs: Date.now() })
  const { answerDelayMs, addressing } = phone.settings
  const seconds = Number(oldestMsgTimestampMs ?? 0)
  // A phone says nothing to a request that it does not understand, or for a chat under a name that it does not have.
  if (answerDelayMs < 0 || !oldestMsgId || count < 1 || seconds < 1 || seconds > SECONDS_MAX) return
  const person = phone.network.directory.resolve(chatJid ?? undefined)
  if (!chatJid?.endsWith('@g.us') && person?.space !== addressing) return
  const id = person?.account.phoneNumber ?? chatJid
  const chat = phone.history.chats?.find((one) => one.id === id)
  if (chat === undefined) return
  const all = chat.messages ?? []
  const place = all.findIndex((one) => one.id === oldestMsgId)
  const older = place >= 0 ? all.slice(0, place) : all.filter(({ timestamp = 0 }) => timestamp < seconds)
  const messages = older.slice(-Math.min(PAGE_MAX, count))
  const answer = () =>
    sendHistoryPage(phone, author, requestId, { ...chat, messages }, messages.length === older.length)
  if (answerDelayMs === 0) return await answer()
  // The phone does other things meanwhile.
  void pause(answerDelayMs, undefined, { ref: false })
    .then(() => phone.queue(answer))
    .catch((error: Error) => phone.inbox.noteFailure(requestId, author.label, error))
}
