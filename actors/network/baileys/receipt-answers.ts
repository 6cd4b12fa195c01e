/** What receipts are answered with. */
import type { EventEmitter } from 'node:events'
import {
  type BinaryNode,
  type CacheStore,
  extractE2ESessionFromRetryReceipt,
  isJidGroup,
  type proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import { buildAckStanza } from '@whiskeysockets/baileys/lib/Utils/stanza-ack.js'
import { stanzaBytes } from './direct/stanza-bytes.js'
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
    | 'sendRawMessage'
    | 'signalRepository'
    | 'messageRetryManager'
  >
  /** The library's own count of what was sent again, by `id:device`. */
  readonly counts: CacheStore
  readonly own: () => OwnAddresses
  /** See `SentTo`. @throws when it cannot be read */
  readonly sent: (id: string, chat: string | null) => Promise<SentTo>
  readonly failed: (error: unknown) => void
}

/**
 * A message of ours to that chat, or to any when none is named, as it was sent; `unknown` when there is none with that id, and `foreign`
 * when it is not ours, or was for others.
 */
export type SentTo = proto.IMessage | 'unknown' | 'foreign'

/** As the library has it (`maxMsgRetryCount`). */
const RETRIES_MAX = 5

/**
 * Receipts do not reach the library, but for those that only it can answer.
 *
 * That a message was delivered or read is acknowledged here: we have read it from the stanza (`receipts.ts`), and what the library makes
 * of it nobody hears, through two queues and its buffer of events.
 *
 * A device that could not decrypt a message asks for it again. The library sends it from its own copy of `relayMessage`, past all that is
 * handed over with it (`sendMessagesAgain` in `Socket/messages-recv.js` of 7.0.0-rc14): a menu would arrive and be shown by no client. So
 * messages that have such nodes or attributes are sent again here, in the same steps; all others by the library.
 *
 * It is asked for what we have sent, and by those who got it. The library looks among all recent messages of the chat first, those of the
 * other side included, whose ids are theirs to choose: who asked for one of his own would have it said by this account, to whom he likes.
 * So it keeps only what it sends to the account itself, and finds all else with us.
 */
export function answerReceipts(options: ReceiptAnswersOptions): void {
  const { socket, failed } = options
  keepRecentOfOwnOnly(options)
  const ws = socket.ws as unknown as EventEmitter
  const listeners = ws.listeners('CB:receipt') as ((receipt: BinaryNode) => void)[]
  ws.removeAllListeners('CB:receipt')
  ws.on('CB:receipt', (receipt: BinaryNode) => {
    if (receipt.attrs.type !== 'retry') {
      socket.sendRawMessage(stanzaBytes(buildAckStanza(receipt))).catch(failed)
      return
    }
    void answered(receipt, options).then((isDone) => {
      if (isDone) return
      for (const listener of listeners) listener(receipt)
    }, failed)
  })
}

async function answered(receipt: BinaryNode, { socket, counts, own, sent: find, failed }: ReceiptAnswersOptions) {
  const { id = '', from = '', participant = from, recipient } = receipt.attrs
  // Devices of the account get all that it sends, its keys and its settings.
  const isOwn = isOfAccount(participant, own())
  const sent = namesMore(receipt) ? 'foreign' : await find(id, isOwn ? null : from)
  if (sent === 'foreign' || (sent === 'unknown' && !isOwn)) {
    await socket.sendMessageAck(receipt)
    return true
  }
  if (sent === 'unknown') return false
  const [additionalNodes, additionalAttributes] = [extraNodes(sent), stanzaAttributes(sent)]
  if (additionalNodes.length === 0 && Object.keys(additionalAttributes).length === 0) return false
  try {
    const key = `${id}:${participant}`
    const count = Number(await counts.get(key)) || 0
    if (count >= RETRIES_MAX) return true
    await counts.set(key, count + 1)
    const session = extractE2ESessionFromRetryReceipt(receipt)
    if (session !== null) await socket.signalRepository.injectE2ESession({ jid: participant, session: whole(session) })
    else await socket.assertSessions([participant], true)
    const chat = isOwn && !isJidGroup(from) ? (recipient ?? from) : from
    await socket.relayMessage(chat, sent, {
      messageId: id,
      participant: { jid: participant, count: retryCountOf(receipt) },
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

/** The library would send all that such a list names. A device asks for one message at a time. */
function namesMore({ content }: BinaryNode): boolean {
  const [first] = Array.isArray(content) ? content : []
  return Array.isArray(first?.content) && first.content.some(({ tag }) => tag === 'item')
}

function whole<T extends { preKey?: unknown }>({ preKey, ...rest }: T) {
  return preKey === undefined ? rest : { ...rest, preKey }
}

function retryCountOf({ content }: BinaryNode): number {
  const retry = Array.isArray(content) ? content.find(({ tag }) => tag === 'retry') : undefined
  return Number(retry?.attrs.count) || 1
}
