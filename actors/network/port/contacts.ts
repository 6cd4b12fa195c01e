/** People: their addresses, pictures, and places in the address book and the blocklist. Types only. */
import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { AskedUsername } from '../../../schemas/username.js'

export interface ContactNetwork {
  /** Returns both addresses of a number that has an account, or null when it has none. Returns groups unchanged. */
  lookUp(address: ChatAddress): Promise<ChatAddress | null>
  /** Returns both addresses of each number that has an account, by the given number: the network may spell it differently. */
  lookUpAll(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, ChatAddress>>
  /** Finds the account of a username. @throws Boom with the network's code in `data` */
  findUsername(asked: AskedUsername): Promise<FoundUsername>
  /** Returns the URL of the picture of a person or group, or null when there is none or the account may not see it. */
  picture(of: ChatAddress, isPreview: boolean): Promise<string | null>
  /** Saves a person in the account's address book, on all devices. Null removes the person. */
  save(person: ChatAddress, names: ContactNames | null): Promise<void>
  /**
   * Blocks or unblocks a person. `name`: by what else than a number the network may know the person.
   * @throws GatewayError CHANGE_FAILED
   */
  block(person: ChatAddress, isBlocked: boolean, name: KnownName): Promise<void>
  blocklist(): Promise<readonly ChatAddress[]>
}

/** `keyNeeded`: the username has a key, and none or a wrong one was given. */
export type FoundUsername =
  | { readonly kind: 'found'; readonly lid: Jid }
  | { readonly kind: 'keyNeeded' }
  | { readonly kind: 'nobody' }

/** Names of a person; empty where none is known. */
export interface KnownName {
  readonly username: string
  readonly name: string
}

export interface ContactNames {
  readonly fullName: string
  readonly firstName: string
}
