/** People: their addresses, pictures, and places in the address book and the blocklist. Types only. */
import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'

export interface ContactNetwork {
  /** Returns both addresses of a number that has an account, or null when it has none. Returns groups unchanged. */
  lookUp(address: ChatAddress): Promise<ChatAddress | null>
  /** Returns both addresses of each number that has an account, by the given number: the network may spell it differently. */
  lookUpAll(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, ChatAddress>>
  /** Returns the URL of the picture of a person or group, or null when there is none or the account may not see it. */
  picture(of: ChatAddress, isPreview: boolean): Promise<string | null>
  /** Saves a person in the account's address book, on all devices. Null removes the person. */
  save(person: ChatAddress, names: ContactNames | null): Promise<void>
  block(person: ChatAddress, isBlocked: boolean): Promise<void>
  blocklist(): Promise<readonly ChatAddress[]>
}

export interface ContactNames {
  readonly fullName: string
  readonly firstName: string
}
