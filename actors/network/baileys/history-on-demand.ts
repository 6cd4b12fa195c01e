/** Asks the account's phone for messages of the past, and reads its answers for single messages. Others are parts of the history. */
import { proto } from '@whiskeysockets/baileys'
import type { MessageId } from '../../../schemas/ids.js'
import { bareJid, isGroupJid, toChatId } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { RecentMap } from '../../instance/recent-map.js'
import type { WantedMessage } from '../port/messages.js'
import type { PhoneAnswer } from './app-state-recovery.js'
import { historyMessage } from './history.js'
import type { LiveSocket } from './live-socket.js'

const { HISTORY_SYNC_ON_DEMAND, PLACEHOLDER_MESSAGE_RESEND } = proto.Message.PeerDataOperationRequestType
const { PEER_DATA_OPERATION_REQUEST_MESSAGE } = proto.Message.ProtocolMessage.Type

/** Requests for single messages whose answers are awaited. */
const WANTED_MAX = 64

export class HistoryOnDemand {
  readonly #live: LiveSocket
  readonly #wanted = new RecentMap<string, WantedMessage>(WANTED_MAX)

  constructor(live: LiveSocket) {
    this.#live = live
  }

  /**
   * Asks for messages before the anchor.
   * @param chat the address under which the phone may know the chat: it does not answer under another one
   */
  async request(requestId: MessageId, chat: string, anchor: MessageForActor, count: number): Promise<void> {
    await this.#send(requestId, {
      peerDataOperationRequestType: HISTORY_SYNC_ON_DEMAND,
      historySyncOnDemandRequest: {
        chatJid: chat,
        oldestMsgId: anchor.messageid,
        oldestMsgFromMe: anchor.fromMe,
        // In seconds, whatever its name says (whatsmeow `send.go`).
        oldestMsgTimestampMs: Math.floor(anchor.messageTimestampMs / 1000),
        onDemandMsgCount: count,
      },
    })
  }

  async requestMessage(requestId: MessageId, wanted: WantedMessage): Promise<void> {
    const { chat, messageid: id, fromMe, sender } = wanted
    const remoteJid = chat.group ?? chat.lid ?? toChatId(chat)
    const author = isGroupJid(remoteJid) && fromMe === false && sender !== undefined ? { participant: sender } : {}
    const keys = (fromMe === undefined ? [false, true] : [fromMe]).map((own) => ({
      remoteJid,
      fromMe: own,
      id,
      ...author,
    }))
    this.#wanted.set(requestId, wanted)
    await this.#send(requestId, {
      peerDataOperationRequestType: PLACEHOLDER_MESSAGE_RESEND,
      placeholderMessageResendRequest: keys.map((messageKey) => ({ messageKey })),
    })
  }

  /** Reads the message in an answer to such a request. Ignores other answers. */
  onPhoneAnswer({ stanzaId, peerDataOperationResult }: PhoneAnswer): void {
    const wanted = stanzaId ? this.#wanted.get(stanzaId) : undefined
    if (!stanzaId || wanted === undefined) return
    this.#wanted.delete(stanzaId)
    const results = (peerDataOperationResult ?? []).slice(0, 2)
    const messages = results
      .flatMap(({ placeholderMessageResendResponse: one }) => infoIn(one?.webMessageInfoBytes))
      .filter(({ key }) => key?.id === wanted.messageid)
      .flatMap((info) => this.#read(info, wanted))
    const [request, nothing] = [
      { id: stanzaId, isEnd: false },
      { chats: [], contacts: [], mappings: [] },
    ]
    const batch = { isAgain: false, ...nothing, messages, progressPercent: null, request }
    this.#live.emit({ type: 'history', batch, recorded: () => {} })
  }

  /** The phone names the chat by its number, also where the chat is known by its LID only. */
  #read(info: proto.IWebMessageInfo, { chat }: WantedMessage) {
    if (!info.message || Object.keys(info.message).length === 0) return []
    const bytes = proto.Message.encode(info.message).finish()
    const [remoteJid, remoteJidAlt] = [chat.group, chat.lid, chat.pn].filter((one) => one !== undefined)
    const key = { ...info.key, remoteJid: remoteJid ?? null, ...(remoteJidAlt === undefined ? {} : { remoteJidAlt }) }
    return historyMessage({ ...info, key }, this.#live.own(), bytes).map(({ message }) => message)
  }

  async #send(messageId: MessageId, request: proto.Message.IPeerDataOperationRequestMessage): Promise<void> {
    const socket = this.#live.live()
    const protocolMessage = { type: PEER_DATA_OPERATION_REQUEST_MESSAGE, peerDataOperationRequestMessage: request }
    await this.#live.whileOpen(
      socket.relayMessage(
        bareJid(this.#live.own().jid),
        { protocolMessage },
        {
          messageId,
          additionalAttributes: { category: 'peer', push_priority: 'high_force' },
          additionalNodes: [{ tag: 'meta', attrs: { appdata: 'default' } }],
        },
      ),
    )
  }
}

function infoIn(bytes: Uint8Array | null | undefined): proto.IWebMessageInfo[] {
  if (!bytes?.length) return []
  try {
    return [proto.WebMessageInfo.decode(bytes)]
  } catch {
    return []
  }
}
