import type { Boom } from '@hapi/boom'
import type { BinaryNode } from '@whiskeysockets/baileys'
import type { Jid } from '../../../../schemas/ids.js'
import { bareJid, type ChatAddress, isLidJid, readUser, toChatAddress, toChatId } from '../../../../schemas/jid.js'
import type { AskedUsername } from '../../../../schemas/username.js'
import type { ContactNames, ContactNetwork, FoundUsername, KnownName } from '../../port/contacts.js'
import type { AppStateWriter } from '../app-state-writes.js'
import { blockRequest, listRequest, readBlocklist } from '../blocklist.js'
import { findChild } from '../child-nodes.js'
import { storedName } from '../direct/device-look-up.js'
import type { LiveSocket } from '../live-socket.js'
import { type FoundNumber, lookUpNumbers } from '../number-look-up.js'
import { refusedAs } from '../refused-as.js'
import type { KeyName } from '../signal-keys.js'

/** Codes of a picture that does not exist or is hidden from this account. The network's own clients show both alike. */
const NO_PICTURE: ReadonlySet<unknown> = new Set([401, 403, 404])

export class BaileysContacts implements ContactNetwork {
  readonly #live: LiveSocket
  readonly #appState: Pick<AppStateWriter, 'write'>

  constructor(live: LiveSocket, appState: Pick<AppStateWriter, 'write'>) {
    this.#live = live
    this.#appState = appState
  }

  async lookUp(address: ChatAddress): Promise<ChatAddress | null> {
    return await this.#live.whileOpen(this.#lookUp(address))
  }

  async #lookUp(address: ChatAddress): Promise<ChatAddress | null> {
    if (address.group !== undefined) return address
    const socket = this.#live.live()
    const { lidMapping } = socket.signalRepository
    if (address.pn === undefined) {
      const pn = address.lid === undefined ? null : await lidMapping.getPNForLID(address.lid)
      return pn ? { ...address, pn: bareJid(pn) } : address
    }
    const own = this.#live.own()
    if (readUser(own.jid) === readUser(address.pn)) return toChatAddress(own.jid, own.lid)
    const found = (await lookUpNumbers(socket, [address.pn])).get(address.pn)
    if (found === undefined) return null
    const [both] = await this.#withLids([found])
    return toChatAddress(found.pn, both?.lid ?? null)
  }

  async lookUpAll(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, ChatAddress>> {
    const found = await this.#live.whileOpen(lookUpNumbers(this.#live.live(), numbers))
    const lidByNumber = new Map((await this.#withLids([...found.values()])).map(({ pn, lid }) => [pn, lid]))
    return new Map([...found].map(([requested, { pn }]) => [requested, toChatAddress(pn, lidByNumber.get(pn) ?? null)]))
  }

  /** Stores the LIDs of numbers for the library, and asks it for those that the network did not tell. */
  async #withLids(found: readonly FoundNumber[]): Promise<readonly FoundNumber[]> {
    const { lidMapping } = this.#live.live().signalRepository
    const told = found.filter((number): number is FoundNumber & { readonly lid: Jid } => number.lid !== null)
    const untold = found.filter(({ lid }) => lid === null).map(({ pn }) => pn)
    if (told.length > 0) {
      await this.#live.keys?.learn(told.flatMap(keysOfFirstMessage))
      await lidMapping.storeLIDPNMappings(told)
    }
    const others = untold.length === 0 ? [] : ((await lidMapping.getLIDsForPNs([...new Set(untold)])) ?? [])
    return [...told, ...others.map(({ pn, lid }) => ({ pn: bareJid(pn), lid: bareJid(lid) }))]
  }

  async findUsername(asked: AskedUsername): Promise<FoundUsername> {
    const request = usernameRequest(asked, this.#live.live().generateMessageTag())
    return readUsernameAnswer(await this.#live.query(request))
  }

  async picture(of: ChatAddress, isPreview: boolean): Promise<string | null> {
    const jid = of.group ?? of.lid ?? toChatId(of)
    const socket = this.#live.live()
    try {
      return (await this.#live.whileOpen(socket.profilePictureUrl(jid, isPreview ? 'preview' : 'image'))) ?? null
    } catch (error) {
      if (NO_PICTURE.has((error as Boom | undefined)?.data)) return null
      throw error
    }
  }

  async save(person: ChatAddress, names: ContactNames | null): Promise<void> {
    const contact =
      names === null
        ? null
        : { ...names, saveOnPrimaryAddressbook: true, ...(person.lid === undefined ? {} : { lidJid: person.lid }) }
    await this.#appState.write({ contact }, toChatId(person))
  }

  /** The library's own request needs the number of a person, and fails before it is sent when only the LID is known. */
  async block(person: ChatAddress, isBlocked: boolean, name: KnownName): Promise<void> {
    const request = blockRequest(person, isBlocked, name)
    await this.#live.query(request).catch(refusedAs('CHANGE_FAILED'))
  }

  async blocklist(): Promise<readonly ChatAddress[]> {
    return readBlocklist(await this.#live.query(listRequest())) ?? []
  }
}

/** Names the keys that the first message to a person needs, so that one statement reads them all: mappings, the session with the phone, and the privacy token. */
function keysOfFirstMessage({ pn, lid }: { readonly pn: Jid; readonly lid: Jid }): readonly KeyName[] {
  return [
    { kind: 'lid-mapping', id: readUser(pn) },
    { kind: 'lid-mapping', id: `${readUser(lid)}_reverse` },
    { kind: 'session', id: `${readUser(lid)}_1.0` },
    { kind: 'tctoken', id: lid },
    { kind: 'device-list', id: storedName(readUser(lid)) },
  ]
}

/**
 * Makes the request for the account of a username. The library builds one too, but without the addressing mode, and drops the answer of a
 * username that needs a key (`WAUSync` of 7.0.0-rc14). Form: `src/client/coordinators` of zapo, wppconnect-team/wa-js pull request 3550.
 */
function usernameRequest({ username, key }: AskedUsername, sid: string): BinaryNode {
  const contact = { tag: 'contact', attrs: { username, ...(key === '' ? {} : { pin: key }) } }
  const list: BinaryNode = { tag: 'list', attrs: {}, content: [{ tag: 'user', attrs: {}, content: [contact] }] }
  const query: BinaryNode = {
    tag: 'query',
    attrs: {},
    content: [{ tag: 'contact', attrs: { addressing_mode: 'lid' } }],
  }
  const attrs = { sid, mode: 'query', last: 'true', index: '0', context: 'interactive' }
  return {
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'usync' },
    content: [{ tag: 'usync', attrs, content: [query, list] }],
  }
}

/** Reads the answer. A user without a JID needs a key, one whose contact is `out` or has an error is nobody. */
function readUsernameAnswer(answer: BinaryNode): FoundUsername {
  const usync = findChild(answer, 'usync')
  const list = usync && findChild(usync, 'list')
  const user = list && findChild(list, 'user')
  if (user === undefined) return { kind: 'nobody' }
  const contact = findChild(user, 'contact')
  if (contact !== undefined && (contact.attrs.type === 'out' || findChild(contact, 'error') !== undefined))
    return { kind: 'nobody' }
  const { jid } = user.attrs
  if (jid === undefined) return { kind: 'keyNeeded' }
  return isLidJid(bareJid(jid)) ? { kind: 'found', lid: bareJid(jid) } : { kind: 'nobody' }
}
