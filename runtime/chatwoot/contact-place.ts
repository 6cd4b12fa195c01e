/** Finds or makes the contact of a chat, known to the inbox under the chat's `source_id`. */
import type { InstanceId } from '../../schemas/ids.js'
import { isGroupJid, isLidJid, otherSpelling } from '../../schemas/jid.js'
import type { ChatwootChat, ChatwootChats } from '../store/chatwoot/chat-rows.js'
import type { ChatwootApi, CwContact } from './chatwoot-api.js'
import { ChatwootRefusal } from './refusal.js'

// Bound: 150,000, a field of Chatwoot or of a message.

export interface ChatwootPerson {
  readonly jid: string
  readonly lid: string
  readonly name: string
}

export interface ContactPlaceOptions {
  readonly api: ChatwootApi
  readonly chats: ChatwootChats
  readonly instance: InstanceId
  readonly inboxId: number
}

/** Returns the digits of a number; empty for groups and people without one. */
function findDigits({ jid }: Pick<ChatwootPerson, 'jid'>): string {
  return /^(\d{5,15})@s\.whatsapp\.net$/.exec(jid)?.[1] ?? ''
}

export class ContactPlace {
  readonly #options: ContactPlaceOptions

  constructor(options: ContactPlaceOptions) {
    this.#options = options
  }

  /** @throws ChatwootRefusal */
  async ensure(row: ChatwootChat, person: ChatwootPerson): Promise<ChatwootChat> {
    const merged = row.mergeContact === null ? row : await this.#merge(row)
    const found = merged.contactId === null ? await this.#findOrCreate(merged, person) : merged
    const numbered = await this.#learnNumber(found, person)
    return numbered.hasInbox ? numbered : await this.#enterInbox(numbered)
  }

  /** Lets a name that begins with `~` follow the network's. Others were written by people. */
  async follow(row: ChatwootChat, person: ChatwootPerson): Promise<void> {
    const { api } = this.#options
    if (row.contactId === null || person.name === '' || row.name === person.name) return
    const { name } = await api.contact(row.contactId)
    if (name.startsWith('~') && name !== `~${person.name}`)
      await api.updateContact(row.contactId, { name: `~${person.name}` })
    await this.#update(row, { name: person.name })
  }

  async #findOrCreate(row: ChatwootChat, person: ChatwootPerson): Promise<ChatwootChat> {
    const known = await this.#find(person)
    if (known !== null)
      return await this.#update(row, { contactId: known.id, phone: known.phone.replace(/^\+/, ''), name: person.name })
    const digits = findDigits(person)
    try {
      return await this.#create(row, person, digits)
    } catch (error) {
      if (!(error instanceof ChatwootRefusal) || error.kind !== 'invalid' || digits === '') throw error
      // Made meanwhile, or the number has a form that Chatwoot refuses.
      const other = await this.#find(person)
      if (other === null) return await this.#create(row, person, '')
      return await this.#update(row, { contactId: other.id, phone: other.phone.replace(/^\+/, ''), name: person.name })
    }
  }

  async #create(row: ChatwootChat, person: ChatwootPerson, digits: string): Promise<ChatwootChat> {
    const { api, inboxId } = this.#options
    const identifier = digits === '' ? findIdentifier(person) : ''
    const { contact, sourceId } = await api.createContact({
      inbox_id: inboxId,
      source_id: row.sourceId,
      name: `~${person.name || digits || identifier}`,
      ...(digits === '' ? {} : { phone_number: `+${digits}` }),
      ...(identifier === '' ? {} : { identifier }),
    })
    return await this.#update(row, {
      contactId: contact.id,
      hasInbox: sourceId === row.sourceId,
      phone: digits,
      name: person.name,
    })
  }

  /** Finds by the number in all its forms, then by the identifier. */
  async #find(person: ChatwootPerson): Promise<CwContact | null> {
    const { api } = this.#options
    const digits = findDigits(person)
    if (digits !== '')
      for (const form of phoneForms(digits)) {
        const found = (await api.contactsBy('phone_number', form)).find(({ phone }) => phone === `+${form}`)
        if (found !== undefined) return found
      }
    for (const identifier of new Set([findIdentifier(person), person.lid])) {
      if (identifier === '') continue
      const found = (await api.contactsBy('identifier', identifier)).find((one) => one.identifier === identifier)
      if (found !== undefined) return found
    }
    return null
  }

  /** Gives a contact that was known by its LID alone the number, or merges it into the one that has the number. */
  async #learnNumber(row: ChatwootChat, person: ChatwootPerson): Promise<ChatwootChat> {
    const { api } = this.#options
    const digits = findDigits(person)
    if (digits === '' || row.phone !== '' || row.contactId === null) return row
    const present = await api.contact(row.contactId)
    if (present.phone !== '') return await this.#update(row, { phone: present.phone.replace(/^\+/, '') })
    for (const form of phoneForms(digits)) {
      const other = (await api.contactsBy('phone_number', form)).find(({ phone }) => phone === `+${form}`)
      if (other === undefined || other.id === row.contactId) continue
      await api.mergeContacts(other.id, row.contactId)
      return await this.#update(row, { contactId: other.id, phone: form })
    }
    await api.updateContact(row.contactId, { phone_number: `+${digits}` })
    return await this.#update(row, { phone: digits })
  }

  /** Merges the contact of a chat that became this one, and ends its conversation with a note. */
  async #merge(row: ChatwootChat): Promise<ChatwootChat> {
    const { api } = this.#options
    const { contactId, mergeContact, conversationId, mergeConversation } = row
    const base = await this.#mergeContacts(contactId, mergeContact)
    if (mergeConversation !== null && conversationId !== null && mergeConversation !== conversationId) {
      const content = `The same person: the conversation continues in #${conversationId}.`
      await api.createMessage(mergeConversation, { content, type: 'outgoing', isPrivate: true }).catch(unlessMissing)
      await api.setStatus(mergeConversation, 'resolved').catch(unlessMissing)
    }
    return await this.#update(row, {
      contactId: base,
      conversationId: conversationId ?? mergeConversation,
      mergeContact: null,
      mergeConversation: null,
    })
  }

  /** The contact with a number stays. Returns its id. */
  async #mergeContacts(one: number | null, other: number | null): Promise<number | null> {
    const { api } = this.#options
    if (one === null || other === null || one === other) return one ?? other
    const isOther = (await api.contact(one)).phone === '' && (await api.contact(other)).phone !== ''
    const [base, gone] = isOther ? [other, one] : [one, other]
    await api.mergeContacts(base, gone).catch(unlessMissing)
    return base
  }

  async #enterInbox(row: ChatwootChat): Promise<ChatwootChat> {
    const { api, inboxId } = this.#options
    const contactId = Number(row.contactId)
    const { sourceIds } = await api.contact(contactId)
    if (!sourceIds.includes(row.sourceId)) await api.addToInbox(contactId, inboxId, row.sourceId)
    return await this.#update(row, { hasInbox: true })
  }

  async #update(row: ChatwootChat, changes: Partial<Omit<ChatwootChat, 'chatId'>>): Promise<ChatwootChat> {
    await this.#options.chats.update(this.#options.instance, row.chatId, changes)
    return { ...row, ...changes }
  }
}

/** Groups, and people without a number, are known by their JID. */
function findIdentifier({ jid, lid }: ChatwootPerson): string {
  if (isGroupJid(jid) || isLidJid(jid)) return jid
  return findDigits({ jid }) === '' ? lid : ''
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof ChatwootRefusal) || error.kind === 'away' || error.kind === 'busy' || error.kind === 'auth')
    throw error
}

// Numbers that may be one person: mobile numbers of Brazil with and without the ninth digit, of Mexico and Argentina with and without
// theirs.

/** Returns the digits first, then the other form of the same number. */
export function phoneForms(digits: string): readonly string[] {
  const other = otherSpelling(digits)
  return other === null ? [digits] : [digits, other]
}
