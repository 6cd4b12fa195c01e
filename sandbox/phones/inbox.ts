/** Receives for a phone: messages decrypted and recorded, receipts noted, everything confirmed to the server. */
import { type proto, xmppPreKey, xmppSignedPreKey } from '@whiskeysockets/baileys'
import type { Account, Device } from '../network/model.js'
import { messageIds } from '../network/receipts.js'
import { STATUS } from '../network/status.js'
import { bigEndian, bytes, child, children, type Node, node } from '../wire/nodes.js'
import { answerMediaRequest, examineMedia, type ShownMedia } from './media.js'
import { findContext, mentionsIn, quotedIn } from './named-people.js'
import { resend } from './outbox.js'
import { answerPeer } from './peer-requests.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'
import {
  asWritten,
  chooseKind,
  type DecryptFailure,
  type ReceivedMessage,
  type SeenReceipt,
  seconds,
} from './records.js'
import { fromOwnCopy } from './secrets.js'
import { applyChange, findTarget, joinHdCopy } from './shown.js'

export interface SeenPresence {
  from: string
  chat: string
  /** `available`, `unavailable`, `composing`, `paused`, `recording` */
  state: string
  atMs: number
}

/** Where a received message's receipts go. */
interface Origin {
  to: string
  participant: string | undefined
}

export class Inbox {
  readonly messages = new Map<string, ReceivedMessage>()
  readonly failures: DecryptFailure[] = []
  readonly receipts: SeenReceipt[] = []
  readonly presences: SeenPresence[] = []
  readonly #origins = new Map<string, Origin>()
  readonly #retries = new Map<string, number>()
  /** People whose first message it has answered. */
  readonly #answered = new Set<Account>()

  constructor(private readonly phone: Phone) {}

  async receive(stanza: Node): Promise<void> {
    switch (stanza.tag) {
      case 'message':
        await this.#message(stanza)
        break
      case 'receipt':
        await this.#receipt(stanza)
        break
      case 'call':
        this.#acknowledge(stanza)
        await this.phone.calls.receive(stanza)
        break
      case 'notification':
        this.#acknowledge(stanza)
        break
      case 'ack':
        this.#ack(stanza)
        break
      case 'presence':
      case 'chatstate':
        this.#presence(stanza)
        break
      default:
        break
    }
  }

  /** Sends `read` or `played` for messages received before. */
  markRead(ids: readonly string[], type: 'read' | 'played' | 'read-self'): void {
    for (const id of ids) {
      const origin = this.#origins.get(id)
      if (!origin) throw new PhoneError(404, `No message ${id} was received.`)
      this.phone.transmit(node('receipt', { id, type, ...origin, t: String(Math.floor(Date.now() / 1000)) }))
    }
  }

  noteFailure(id: string, from: string, error: Error): void {
    this.failures.push({ id, from, error: error.message, atMs: Date.now() })
  }

  /** Forgets all messages, receipts, failures and presences seen so far. */
  clear(): void {
    this.messages.clear()
    this.#origins.clear()
    this.#retries.clear()
    for (const list of [this.failures, this.receipts, this.presences]) list.length = 0
  }

  async #message(stanza: Node): Promise<void> {
    const { id = '', from = '', participant } = stanza.attrs
    const { directory } = this.phone.network
    const author = directory.device(participant ?? from)
    if (!author) {
      this.#acknowledge(stanza)
      return
    }
    let message: proto.Message | undefined
    try {
      message = await this.#decrypt(stanza, author, from)
    } catch (error) {
      this.noteFailure(id, author.label, error as Error)
      this.#askAgain(stanza)
      return
    }
    if (stanza.attrs.category === 'peer') {
      this.phone.transmit(node('receipt', { id, to: from, type: 'peer_msg' }))
      await answerPeer(this.phone, author, stanza, message)
      return
    }
    const own = author.account === this.phone.account
    const copy = message?.deviceSentMessage
    // By its stanza alone a phone would not believe to whom it went.
    if (own && !isShared(from) && !this.#isSame(copy?.destinationJid, stanza.attrs.recipient)) {
      this.noteFailure(id, author.label, new Error('The copy of an own message does not say to whom it went.'))
      return
    }
    const content = (message && fromOwnCopy(message)) ?? message ?? {}
    const media = await examineMedia(this.phone.network.media, content)
    this.#record(stanza, author, own, content, media)
    if (own) {
      this.phone.transmit(node('receipt', { id, to: from, type: 'sender', recipient: stanza.attrs.recipient }))
      return
    }
    const bare = directory.resolve(from)
    const to = bare ? bare.account.jid(bare.space) : from
    this.#origins.set(id, { to, participant })
    if (!this.phone.settings.autoDelivery) return
    this.phone.whenDelivered(() => {
      this.phone.transmit(node('receipt', { id, to, participant }))
      this.#readLater(id)
      this.#reply(author.account, from)
    })
  }

  #readLater(id: string): void {
    const { phone } = this
    const { autoRead, readDelayMs } = phone.settings
    const { lateReceipts } = phone.network
    const { times } = lateReceipts
    if (!(autoRead ?? (times.areRead && !phone.hasClient))) return
    lateReceipts.after(readDelayMs ?? times.readDelayMs, () => {
      if (phone.online && this.#origins.has(id)) this.markRead([id], 'read')
    })
  }

  #reply(author: Account, from: string): void {
    const { reply } = this.phone.settings
    if (reply === '' || isShared(from) || this.#answered.has(author)) return
    this.#answered.add(author)
    this.phone.send(author.phoneNumber, { conversation: reply }).catch((error: Error) => {
      this.noteFailure('', author.phoneNumber, error)
    })
  }

  #isSame(destination: string | null | undefined, recipient: string | undefined): boolean {
    const { directory } = this.phone.network
    return destination != null && directory.resolve(destination)?.account === directory.resolve(recipient)?.account
  }

  async #decrypt(stanza: Node, author: Device, from: string): Promise<proto.Message | undefined> {
    let result: proto.Message | undefined
    for (const enc of children(stanza, 'enc')) {
      const { type } = enc.attrs
      const message =
        type === 'skmsg'
          ? await this.phone.signal.decryptFromGroup(author, from, bytes(enc))
          : await this.phone.signal.decrypt(author, type === 'pkmsg' ? 'pkmsg' : 'msg', bytes(enc))
      const distribution = message.senderKeyDistributionMessage
      if (distribution) await this.phone.signal.learnSenderKey(author, distribution)
      result = result ? Object.assign(result, message) : message
    }
    if (!result) throw new Error('The message has nothing to decrypt.')
    return result
  }

  #record(stanza: Node, author: Device, own: boolean, message: proto.IMessage, media: ShownMedia[]): void {
    const { id = '', from = '', recipient, notify, t, offline } = stanza.attrs
    const known = this.messages.get(id)
    if (known) {
      known.arrivals++
      return
    }
    const chat = this.phone.network.directory.resolve(recipient ?? from)?.account.phoneNumber ?? from
    const shown = asWritten(message, stanza)
    const quoted = findTarget(this.phone, findContext(message)?.stanzaId ?? '')
    this.messages.set(id, {
      id,
      chat,
      from: author.account.phoneNumber,
      fromDevice: author.id,
      own,
      ...shown,
      media,
      kind: chooseKind(message),
      quotedId: quotedIn(this.phone, chat, message, quoted?.author),
      mentions: mentionsIn(this.phone, chat, message, shown.text),
      pushName: notify ?? null,
      timestamp: seconds(t),
      atMs: Date.now(),
      offline: offline !== undefined,
      arrivals: 1,
      order: this.messages.size + 1,
      message,
    })
    applyChange(this.phone, author.account, message, stanza.attrs.edit)
    joinHdCopy(this.phone, id)
  }

  /** A retry receipt with keys for a new session, and the refusal that ends this delivery. */
  #askAgain(stanza: Node): void {
    const { id = '' } = stanza.attrs
    const count = (this.#retries.get(id) ?? 0) + 1
    this.#retries.set(id, count)
    if (count > 5) this.#acknowledge(stanza)
    else this.askFor(stanza.attrs, count)
  }

  /** Asks the device `from` for a message of that id, whoever wrote it. */
  askFor({ id = '', from = '', participant, recipient, t }: Node['attrs'], count = 1): void {
    const { signal } = this.phone
    const { id: keyId, publicKey } = signal.makePreKey()
    const keys = node('keys', {}, [
      node('type', {}, Buffer.from([5])),
      node('identity', {}, signal.identity.public),
      xmppPreKey({ public: publicKey, private: publicKey }, keyId),
      xmppSignedPreKey(signal.signedPreKey),
    ])
    this.phone.transmit(
      node('receipt', { id, to: from, type: 'retry', participant, recipient }, [
        node('retry', { count: String(count), id, t, v: '1' }),
        node('registration', {}, bigEndian(signal.registrationId, 4)),
        keys,
      ]),
    )
  }

  async #receipt(stanza: Node): Promise<void> {
    this.#acknowledge(stanza)
    const { directory } = this.phone.network
    const { from, participant, recipient, type } = stanza.attrs
    const reader = directory.device(participant ?? from)
    if (!reader) return
    if (type === 'server-error') {
      answerMediaRequest(this.phone, reader, stanza)
      return
    }
    for (const id of messageIds(stanza)) {
      this.receipts.push({
        id,
        type: type ?? 'delivery',
        from: reader.account.phoneNumber,
        fromDevice: reader.id,
        chat: this.#findChat(recipient ?? from, reader.account),
        atMs: Date.now(),
      })
    }
    if (type === 'retry')
      await resend(this.phone, reader, stanza.attrs.id ?? '', stanza, child(stanza, 'retry')?.attrs.count ?? '1')
  }

  #findChat(jid: string | undefined, reader: Account): string {
    if (jid !== undefined && isShared(jid)) return jid
    return this.phone.network.directory.resolve(jid)?.account.phoneNumber ?? reader.phoneNumber
  }

  #ack(stanza: Node): void {
    const sent = this.phone.sent.get(stanza.attrs.id ?? '')
    if (sent && stanza.attrs.class === 'message') sent.ack = Number(stanza.attrs.error ?? 0)
  }

  #presence(stanza: Node): void {
    const { from = '', participant, type } = stanza.attrs
    const author = this.phone.network.directory.resolve(participant ?? from)?.account
    const [typing] = children(stanza)
    const state = typing
      ? typing.attrs.media === 'audio'
        ? 'recording'
        : typing.tag
      : type === 'unavailable'
        ? 'unavailable'
        : 'available'
    const number = author?.phoneNumber ?? from
    this.presences.push({ from: number, chat: from.endsWith('@g.us') ? from : number, state, atMs: Date.now() })
  }

  #acknowledge(stanza: Node): void {
    const { id, from, type, participant, recipient } = stanza.attrs
    this.phone.transmit(node('ack', { class: stanza.tag, id, to: from, type, participant, recipient }))
  }
}

/** Returns whether a chat has one ciphertext for all: a group, or the chat of status posts. */
function isShared(jid: string): boolean {
  return jid.endsWith('@g.us') || jid === STATUS
}
