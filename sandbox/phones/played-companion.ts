/** A companion of a simulated phone that is played here too: it reads what it is sent, and confirms it. It writes nothing. */
import { dispatch } from '../network/dispatch.js'
import { Device, type Session } from '../network/model.js'
import type { Network } from '../network/network.js'
import { bigEndian, bytes, children, type Node, node } from '../wire/nodes.js'
import type { Phone } from './phone.js'
import { PhoneSignal } from './signal.js'

/** WhatsApp links four. */
export const COMPANIONS_MAX = 4
const PRE_KEYS = 30

export class PlayedCompanion {
  readonly device: Device
  /** Ids of the messages that it has read. */
  readonly read = new Set<string>()
  readonly #phone: Phone
  readonly #network: Network
  readonly #signal: PhoneSignal
  #work: Promise<unknown> = Promise.resolve()

  constructor(phone: Phone) {
    const { account, network } = phone
    this.#phone = phone
    this.#network = network
    this.#signal = new PhoneSignal(network)
    const { identity, registrationId, signedPreKey } = this.#signal
    const key = {
      id: signedPreKey.keyId,
      publicKey: Buffer.from(signedPreKey.keyPair.public),
      signature: Buffer.from(signedPreKey.signature),
    }
    const [id, keyIndex] = [account.nextDeviceId++, account.nextKeyIndex++]
    const identityKey = Buffer.from(identity.public)
    this.device = new Device(account, id, keyIndex, identityKey, registrationId, key, undefined, 'desktop')
    account.devices.set(id, this.device)
    this.#makePreKeys()
    const session: Session = {
      device: this.device,
      login: 0,
      active: false,
      send: (stanza) => this.#queue(() => this.#receive(session, stanza)),
      end: () => this.close(),
    }
    this.device.session = session
    network.activate(session)
  }

  close(): void {
    this.device.session = undefined
    this.#signal.close()
  }

  #makePreKeys(): void {
    const keys = Array.from({ length: PRE_KEYS }, () => this.#signal.makePreKey())
    this.device.preKeys.add(keys.map(({ id, publicKey }) => ({ id: bigEndian(id, 3), publicKey })))
    this.device.preKeysAskedFor = false
  }

  /** One stanza at a time: Signal sessions must not be used twice at once. */
  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: Error) => {
      this.#phone.inbox.noteFailure('', this.device.label, error)
    })
  }

  async #receive(session: Session, stanza: Node): Promise<void> {
    if (this.device.session !== session) return
    const { id = '', from = '', participant, recipient, type } = stanza.attrs
    if (stanza.tag === 'notification' && type === 'encrypt') this.#makePreKeys()
    if (stanza.tag === 'message') await this.#message(session, stanza)
    else if (['receipt', 'notification', 'call'].includes(stanza.tag))
      this.#transmit(session, node('ack', { class: stanza.tag, id, to: from, type, participant, recipient }))
  }

  /** A message that it cannot read is noted as a failure of its phone, and confirmed as well: nobody sends it again. */
  async #message(session: Session, stanza: Node): Promise<void> {
    const { id = '', from = '', participant, recipient } = stanza.attrs
    const { directory } = this.#network
    const author = directory.device(participant ?? from)
    for (const encrypted of author === undefined ? [] : children(stanza, 'enc')) {
      try {
        const { type } = encrypted.attrs
        const message =
          type === 'skmsg'
            ? await this.#signal.decryptFromGroup(author as Device, from, bytes(encrypted))
            : await this.#signal.decrypt(author as Device, type === 'pkmsg' ? 'pkmsg' : 'msg', bytes(encrypted))
        const key = message.senderKeyDistributionMessage
        if (key) await this.#signal.learnSenderKey(author as Device, key)
        this.read.add(id)
      } catch (error) {
        this.#phone.inbox.noteFailure(id, this.device.label, error as Error)
      }
    }
    const isOwn = author?.account === this.device.account
    const sender = directory.resolve(from)
    const to = isOwn || sender === undefined ? from : sender.account.jid(sender.space)
    const receipt = node('receipt', { id, to, participant, ...(isOwn ? { type: 'sender', recipient } : {}) })
    if (isOwn) this.#transmit(session, receipt)
    else this.#phone.whenDelivered(() => this.#transmit(session, receipt))
  }

  #transmit(session: Session, stanza: Node): void {
    if (this.device.session === session) dispatch(this.#network, session, stanza)
  }
}
