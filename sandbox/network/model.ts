/** Holds accounts, their devices, and who is connected. */
import { jidDecode } from '@whiskeysockets/baileys'
import type { Node } from '../wire/nodes.js'
import type { Business } from './business.js'
import { PendingStanzas } from './pending.js'
import { PreKeyPool } from './pre-key-pool.js'
import type { StatusSetting } from './status.js'

/** A person has two addresses, the phone number and the LID; each stanza uses one of both spaces. */
export type AddressSpace = 'pn' | 'lid'

export interface SignedPreKey {
  id: number
  publicKey: Buffer
  signature: Buffer
}

export interface PublicPreKey {
  id: number
  publicKey: Buffer
}

/** A live login of a device, over a websocket or (a phone) in this process. */
export interface Session {
  readonly device: Device
  /** The number of this login in the log. */
  readonly login: number
  /** Stanzas flow only after the device asked for them (`passive` `active`). */
  active: boolean
  send(stanza: Node): void
  /** Ends the login, with a last word if given. */
  end(last?: Node): void
}

/** The account's own phone, as far as the network needs it. */
export interface Primary {
  takePreKey(): PublicPreKey
  /** Returns the secret of a message that it writes or has written. */
  secretFor(id: string): Uint8Array
  /** A companion receives stanzas; `first` at its first login. */
  companionActive(device: Device, first: boolean): void
}

export class Device {
  session: Session | undefined
  readonly pending = new PendingStanzas()
  readonly preKeys = new PreKeyPool()
  available = false
  loggedInBefore = false
  preKeysAskedFor = false
  /** How messages from it are signed: the account's push name, or what the device last said. */
  pushName: string | undefined

  constructor(
    readonly account: Account,
    readonly id: number,
    readonly keyIndex: number,
    readonly identityKey: Buffer,
    readonly registrationId: number,
    public signedPreKey: SignedPreKey,
    /** The client's long-term Noise key; undefined for a phone. */
    readonly noiseKey: Buffer | undefined,
    readonly platform: string,
  ) {}

  jid(space: AddressSpace): string {
    return this.account.jid(space, this.id)
  }

  /** `number:device`, how logs name it. */
  get label(): string {
    return `${this.account.phoneNumber}:${this.id}`
  }
}

export class Account {
  readonly devices = new Map<number, Device>()
  readonly blocked = new Set<Account>()
  readonly privacy = new Map<string, string>()
  /** Devices that subscribed to this account's presence, and by which address. */
  readonly presenceSubscribers = new Map<Device, AddressSpace>()
  /** Tokens that this account gave to others, by which they may ask for its presence. */
  readonly tokens = new Map<Account, Buffer>()
  /** Its presence is sent only to those who show a token of it. */
  presenceNeedsToken = false
  /** Accounts that wrote to or looked up this one, and must be notified of changes to its devices. */
  readonly acquaintances = new Set<Account>()
  primary: Primary | undefined
  /** From which the account's devices make the tokens of first contacts; undefined before its phone has told one. */
  contactSalt: Buffer | undefined
  about = ''
  /** Present if it is a business. */
  business: Business | undefined
  /** Notices of the network that it has accepted. */
  readonly acceptedNotices = new Set<string>()
  /** Accounts that may see its status posts; `refused`: the network does not say. */
  statusSetting: StatusSetting | 'refused' = { type: 'contacts', people: [] }
  /** Where it is; only told, never served. */
  picture: string | undefined
  /** Picture that a client of this account has set. */
  pictureBytes: Buffer | undefined
  /** The restriction of new chats, and the quota of them, in the words of the network. */
  reachoutLock: Readonly<Record<string, unknown>> | null = null
  newChatCap: Readonly<Record<string, unknown>> | null = null
  /** The network counts messages to people who never wrote, and moves the quota by itself. */
  countsNewChats = false
  /** The account may request payments; others get 473. */
  mayRequestPayments = false
  /** Accounts that have written to this one: it may answer them under any restriction. */
  readonly writers = new Set<Account>()
  /** After how long messages of new chats disappear, and since when. */
  disappearing = { seconds: 0, t: '0' }
  lastSeenSeconds = 0
  /** Without `@`; by it and its key, if it has one, others find the account. */
  username = ''
  usernameKey = ''
  /** Others learn only the LID: no stanza names the number, and a look-up of it finds nobody. */
  hidesNumber = false
  nextDeviceId = 1
  nextKeyIndex = 1

  constructor(
    readonly phoneNumber: string,
    readonly lidUser: string,
    public name: string,
  ) {}

  jid(space: AddressSpace, deviceId = 0): string {
    const device = deviceId === 0 ? '' : `:${deviceId}`
    return space === 'pn' ? `${this.phoneNumber}${device}@s.whatsapp.net` : `${this.lidUser}${device}@lid`
  }
}

export interface Address {
  account: Account
  /** 0 when the JID names no device. */
  deviceId: number
  space: AddressSpace
}

export class Directory {
  readonly accounts = new Map<string, Account>()
  readonly #byLid = new Map<string, Account>()
  #nextLid = 100_000_000_000_001

  /** Creates the account of a phone number (digits), with a LID of its own unless given. */
  createAccount(phoneNumber: string, name: string, lidUser = String(this.#nextLid++)): Account {
    const account = new Account(phoneNumber, lidUser, name)
    this.accounts.set(phoneNumber, account)
    this.#byLid.set(account.lidUser, account)
    return account
  }

  removeAccount(account: Account): void {
    this.accounts.delete(account.phoneNumber)
    this.#byLid.delete(account.lidUser)
  }

  /** The account of a number as a person writes it: of mobile numbers of Brazil and Mexico the network knows one spelling of two. */
  spelled(number: string): Account | undefined {
    const [, start, nine, rest] = /^(55[1-9]\d)(9?)([6-9]\d{7})$/.exec(number) ?? []
    const [, one, local] = /^52(1?)([2-9]\d{9})$/.exec(number) ?? []
    const mexican = local === undefined ? '' : `52${one ? '' : '1'}${local}`
    const other = rest === undefined ? mexican : `${start}${nine ? '' : '9'}${rest}`
    const account = this.accounts.get(number) ?? this.accounts.get(other)
    return account?.hidesNumber ? undefined : account
  }

  /** Returns the account of a user's JID; undefined when it is not a user's or not on the network. */
  resolve(jid: string | undefined): Address | undefined {
    const decoded = jidDecode(jid)
    if (!decoded) return undefined
    const space = decoded.server === 'lid' ? 'lid' : 'pn'
    if (space === 'pn' && decoded.server !== 's.whatsapp.net' && decoded.server !== 'c.us') return undefined
    const account = (space === 'lid' ? this.#byLid : this.accounts).get(decoded.user)
    return account && { account, deviceId: decoded.device ?? 0, space }
  }

  /** Usernames are the same in upper and lower case. */
  named(username: string): Account | undefined {
    const wanted = username.toLowerCase()
    return [...this.accounts.values()].find((account) => account.username.toLowerCase() === wanted)
  }

  device(jid: string | undefined): Device | undefined {
    const address = this.resolve(jid)
    return address?.account.devices.get(address.deviceId)
  }
}
