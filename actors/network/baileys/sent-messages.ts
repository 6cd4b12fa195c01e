import { isPnUser, proto } from '@whiskeysockets/baileys'
import type { MessageId } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, isLidJid } from '../../../schemas/jid.js'
import { isStatusChat } from '../../../schemas/status-post.js'
import { toMessageId } from './key-codec.js'
import type { LiveSocket } from './live-socket.js'
import type { ResendableMessage } from './receipt-answers.js'

const CHANGES_MAX = 100

/** Messages that this account has sent, for devices that could not decrypt them. */
export class SentMessages {
  readonly #live: Pick<LiveSocket, 'instance' | 'reader' | 'orFail'>
  /** The last edits and deletions. They have no rows, so they are kept in memory. */
  readonly #changes = new Map<string, { readonly chat: ChatAddress; readonly message: proto.IMessage }>()

  constructor(live: Pick<LiveSocket, 'instance' | 'reader' | 'orFail'>) {
    this.#live = live
  }

  noteChange(messageid: MessageId, chat: ChatAddress, message: proto.IMessage): void {
    this.#changes.set(messageid, { chat, message })
    const [oldest] = this.#changes.keys()
    if (this.#changes.size > CHANGES_MAX && oldest !== undefined) this.#changes.delete(oldest)
  }

  /** Returns the message with this id, for the library. */
  async stored(id: string | null | undefined): Promise<proto.IMessage | undefined> {
    const sent = id ? await this.sentTo(id, null, '') : 'unknown'
    return typeof sent === 'object' ? sent : undefined
  }

  /**
   * Returns the message with this id if it was sent to that chat, or to any chat when none is given. Of a status post also the device that
   * requests it must be of one of its people.
   */
  async sentTo(id: string, chat: string | null, requester: string): Promise<ResendableMessage> {
    const change = this.#changes.get(id)
    if (change !== undefined) return mayBe(change.chat, chat) ? change.message : 'foreign'
    const { instance, reader } = this.#live
    const rows = await this.#live.orFail(reader.messagesById(instance, [toMessageId(id)]))
    if (rows.length === 0) return 'unknown'
    const ours = rows.find(({ fromMe }) => fromMe)
    if (ours === undefined || !mayBe(ours.chat, chat)) return 'foreign'
    if (chat !== null && isStatusChat(ours.chat) && !(await this.#isFor(ours.messageid, requester))) return 'foreign'
    return ours.proto === null ? 'unknown' : proto.Message.decode(ours.proto)
  }

  async #isFor(post: MessageId, requester: string): Promise<boolean> {
    const { instance, reader } = this.#live
    const jid = bareJid(requester)
    const people = (await this.#live.orFail(reader.statusPost(instance, post)))?.people ?? []
    if (people.includes(jid)) return true
    const other = await this.#live.orFail(reader.mapping(instance, jid))
    return other !== null && people.includes(other)
  }
}

/** Returns whether a chat may be the given one. A person may be known by another address than the given one (whatsmeow issue 1062). */
function mayBe({ group, pn, lid }: ChatAddress, requested: string | null): boolean {
  if (requested === null) return true
  const jid = bareJid(requested)
  if (group !== undefined || (!isLidJid(jid) && !isPnUser(jid))) return group === jid
  const known = isLidJid(jid) ? lid : pn
  return known === undefined || known === jid
}
