/** Answers receipts: acknowledges them, or sends a message again. */
import type { EventEmitter } from 'node:events'
import {
  type BinaryNode,
  type CacheStore,
  extractE2ESessionFromRetryReceipt,
  isJidGroup,
  type proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import { STATUS_CHAT } from '../../../schemas/status-post.js'
import { resendStatus } from './direct/status-relay.js'
import { extraNodes } from './interactive.js'
import { stanzaAttributes } from './outgoing.js'
import { isOfAccount, type OwnAddresses } from './own-devices.js'

export interface ReceiptAnswersOptions {
  readonly socket: Pick<
    WASocket,
    | 'ws'
    | 'relayMessage'
    | 'assertSessions'
    | 'sendMessageAck'
    | 'signalRepository'
    | 'messageRetryManager'
    | 'sendNode'
    | 'authState'
  >
  /** The library's own count of repeated sends, by `id:device`. */
  readonly counts: CacheStore
  readonly own: () => OwnAddresses
  /** Returns a sent message. @throws when it cannot be read */
  readonly sent: (id: string, chat: string | null, requester: string) => Promise<ResendableMessage>
  readonly failed: (error: unknown) => void
  readonly acknowledge: (receipt: BinaryNode) => void
  /** Runs work whose frame may wait for a write that waits for others. */
  readonly patiently: <T>(work: () => T) => T
}

/**
 * A message that this account sent to the given chat, or to any chat if none is given. `unknown`: there is no message with that id. `foreign`:
 * it was sent by others, or to others.
 */
export type ResendableMessage = proto.IMessage | 'unknown' | 'foreign'

/** Maximum number of repeated sends, as in the library (`maxMsgRetryCount`). */
const RETRIES_MAX = 5

/**
 * Answers receipts in place of the library, except for those that only the library can answer.
 *
 * Receipts of delivery and reading are acknowledged here: our listener has read the stanza (`receipts.ts`). The library would pass them through
 * two queues and its buffer of events, and nobody uses the result. The network sends a receipt again until it is acknowledged, so that neither its
 * row nor the answer is in a hurry.
 *
 * A device that could not decrypt a message requests it again. The library sends it from its own copy of `relayMessage`, without the additional
 * nodes and attributes (`sendMessagesAgain` in `Socket/messages-recv.js` of 7.0.0-rc14), so that no client would show a menu. Messages with such
 * nodes or attributes are therefore sent again here, in the same steps, and all others by the library.
 *
 * A request must be for a message that this account has sent, and come from a receiver. The library searches all recent messages of the chat
 * first, including those of the other side, who chooses their ids: this account would then send a stranger's text, to anyone the stranger
 * likes. Therefore the library keeps only messages to the account itself, and asks us for all others.
 */
export function answerReceipts(options: ReceiptAnswersOptions): void {
  const { socket, failed, acknowledge, patiently } = options
  keepRecentOfOwnOnly(options)
  const ws = socket.ws as unknown as EventEmitter
  const listeners = ws.listeners('CB:receipt') as ((receipt: BinaryNode) => void)[]
  ws.removeAllListeners('CB:receipt')
  ws.on('CB:receipt', (receipt: BinaryNode) => {
    if (receipt.attrs.type !== 'retry') {
      patiently(() => acknowledge(receipt))
      return
    }
    void sendAgain(receipt, options).then((isDone) => {
      if (isDone) return
      for (const listener of listeners) listener(receipt)
    }, failed)
  })
}

async function sendAgain(receipt: BinaryNode, { socket, counts, own, sent: find, failed }: ReceiptAnswersOptions) {
  const { id = '', from = '', participant = from, recipient } = receipt.attrs
  // Own devices may request every message, because they get all sent messages, keys and settings.
  const isOwn = isOfAccount(participant, own())
  const sent = namesMore(receipt) ? 'foreign' : await find(id, isOwn ? null : from, participant)
  if (sent === 'foreign' || (sent === 'unknown' && !isOwn)) {
    await socket.sendMessageAck(receipt)
    return true
  }
  if (sent === 'unknown') return false
  const [additionalNodes, additionalAttributes] = [extraNodes(sent), stanzaAttributes(sent)]
  const isStatus = from === STATUS_CHAT.group
  if (!isStatus && additionalNodes.length === 0 && Object.keys(additionalAttributes).length === 0) return false
  try {
    const key = `${id}:${participant}`
    const count = Number(await counts.get(key)) || 0
    if (count >= RETRIES_MAX) return true
    await counts.set(key, count + 1)
    const session = extractE2ESessionFromRetryReceipt(receipt)
    if (session !== null) await socket.signalRepository.injectE2ESession({ jid: participant, session: whole(session) })
    else await socket.assertSessions([participant], true)
    if (isStatus) {
      await resendStatus(socket, { id, message: sent, to: participant, count: readRetryCount(receipt) })
      return true
    }
    const chat = isOwn && !isJidGroup(from) ? (recipient ?? from) : from
    await socket.relayMessage(chat, sent, {
      messageId: id,
      participant: { jid: participant, count: readRetryCount(receipt) },
      additionalNodes,
      additionalAttributes,
    })
  } catch (error) {
    failed(error)
  } finally {
    await socket.sendMessageAck(receipt).catch(failed)
  }
  return true
}

function keepRecentOfOwnOnly({ socket, own }: ReceiptAnswersOptions): void {
  const { messageRetryManager: recent } = socket
  if (recent === null) return
  const keep = recent.addRecentMessage.bind(recent)
  recent.addRecentMessage = (to, id, message) => {
    if (isOfAccount(to, own())) keep(to, id, message)
  }
}

/** Returns whether a receipt names several messages. The library would send all of them, but a device requests one message at a time. */
function namesMore({ content }: BinaryNode): boolean {
  const [first] = Array.isArray(content) ? content : []
  return Array.isArray(first?.content) && first.content.some(({ tag }) => tag === 'item')
}

function whole<T extends { preKey?: unknown }>({ preKey, ...rest }: T) {
  return preKey === undefined ? rest : { ...rest, preKey }
}

function readRetryCount({ content }: BinaryNode): number {
  const retry = Array.isArray(content) ? content.find(({ tag }) => tag === 'retry') : undefined
  return Number(retry?.attrs.count) || 1
}
