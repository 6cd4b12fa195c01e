import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { type ChatAddress, chatIdOf, parseAddress, userOf } from '../../schemas/jid.js'
import type { Connection } from '../network/port.js'
import { asked } from './asked.js'
import type { CheckedNumber, ReplyOf } from './commands.js'
import { bothAddresses, knownChat } from './known-chat.js'
import type { InstanceJournal, InstanceReader, MessageForActor } from './ports.js'

export interface ChatsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: () => Promise<Connection>
  /** Tells those who wrote them, and writes it. */
  readonly markRead: (messages: readonly MessageForActor[]) => Promise<void>
}

/** Receipts for at most so many messages of a chat that is marked as read. */
const READ_MAX = 100

/** What is asked about chats, and done to them, that is no message. */
export class Chats {
  readonly #options: ChatsOptions

  constructor(options: ChatsOptions) {
    this.#options = options
  }

  async check(numbers: readonly string[]): Promise<readonly CheckedNumber[]> {
    const all = numbers.map((query) => ({ query, ...parsed(query) }))
    const unknown = all.flatMap(({ address }) => address?.pn ?? [])
    const connection = await this.#options.connection()
    const found = await connection.lookUpAll([...new Set(unknown)])
    const answers: CheckedNumber[] = []
    for (const { query, address, error } of all) {
      const pn = address?.pn
      if (pn !== undefined) answers.push({ query, address: found.get(pn) ?? null, groupName: '', error })
      else answers.push({ query, ...(await this.#stored(address)), error })
    }
    return answers
  }

  /** @throws GatewayError NOT_ON_NETWORK when there is neither a chat nor an account */
  async details(number: string, isPreview: boolean): Promise<ReplyOf['chatDetails']> {
    const { instance, journal, reader } = this.#options
    const connection = await this.#options.connection()
    const chat = await this.#both(parseAddress(number))
    const stored = await reader.chat(instance, chat)
    const address = stored === null ? await connection.lookUp(chat) : chat
    if (address === null) throw new GatewayError('NOT_ON_NETWORK')
    const picture = (await connection.picture(address, isPreview)) ?? ''
    const shown = isPreview ? { imagePreview: picture } : { image: picture }
    if (stored === null) return { id: '', owner: '', ...namesOf(address), ...shown }
    await journal.write([{ type: 'chat', chat: address, set: shown, known: true, announce: true }])
    return (await reader.chat(instance, address)) ?? stored
  }

  async read(number: string, isRead: boolean): Promise<null> {
    const { instance, journal, reader, markRead } = this.#options
    const connection = await this.#options.connection()
    const { address: chat, record } = await knownChat(instance, number, reader)
    const unread = Number(record.wa_unreadCount)
    const received = isRead && unread > 0 ? await reader.lastReceived(instance, chat, Math.min(unread, READ_MAX)) : []
    if (received.length > 0) await markRead(received)
    // Receipts tell the other devices too; a mark, or messages that are not stored, need more.
    if (!isRead || received.length === 0)
      await asked(connection.markChat(chat, isRead, await reader.lastMessage(instance, chat)))
    const wa_unreadCount = isRead ? 0 : unread === 0 ? -1 : unread
    await journal.write([{ type: 'chat', chat, set: { wa_unreadCount }, announce: true, known: true }])
    return null
  }

  /** What a send was asked to do besides; a chat of which nothing is unread is left alone. */
  async readAfterSend(chat: ChatAddress): Promise<void> {
    const record = await this.#options.reader.chat(this.#options.instance, chat)
    if (record !== null && record.wa_unreadCount !== 0) await this.read(chatIdOf(chat), true)
  }

  /** @throws GatewayError INVALID_NUMBER for what is no person; NOT_ON_NETWORK when one that is to be saved has no account */
  async save(number: string, name: string | null): Promise<ReplyOf['saveContact']> {
    const { journal } = this.#options
    const given = parseAddress(number)
    if (given.group !== undefined)
      throw new GatewayError('INVALID_NUMBER', { message: 'Invalid number: it is not a person.' })
    const connection = await this.#options.connection()
    const known = await this.#both(given)
    const person = name !== null && known.lid === undefined ? await connection.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    // The address book has a field for it; callers give one name.
    const names = name === null ? null : { fullName: name, firstName: name.split(/\s+/)[0] ?? name }
    await asked(connection.saveContact(person, names))
    const contact = { address: person, contactName: names?.fullName ?? '', firstName: names?.firstName ?? '' }
    await journal.write([{ type: 'contact', contact, announce: true }])
    return { jid: chatIdOf(person) }
  }

  #both(given: ChatAddress): Promise<ChatAddress> {
    return bothAddresses(this.#options.instance, given, this.#options.reader)
  }

  /** A LID or group is not looked up: of it is told what is stored. */
  async #stored(address: ChatAddress | null): Promise<Pick<CheckedNumber, 'address' | 'groupName'>> {
    if (address === null) return { address, groupName: '' }
    const both = await this.#both(address)
    const chat = await this.#options.reader.chat(this.#options.instance, both)
    if (chat === null) return { address: both.pn === undefined ? null : both, groupName: '' }
    return { address: both, groupName: both.group === undefined ? '' : String(chat.name) }
  }
}

function parsed(query: string): { address: ChatAddress | null; error: string } {
  try {
    return { address: parseAddress(query), error: '' }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { address: null, error: error.message }
  }
}

function namesOf(address: ChatAddress): Readonly<Record<string, unknown>> {
  const { pn, lid, group } = address
  const jid: Jid = chatIdOf(address)
  return {
    wa_chatid: jid,
    ...(lid === undefined ? {} : { wa_chatlid: lid }),
    ...(pn === undefined ? {} : { phone: `+${userOf(pn)}` }),
    wa_isGroup: group?.endsWith('@g.us') === true,
  }
}
