/** A simulated phone: the primary device (0) of an account, attached to the network in this process. */
import { randomBytes } from 'node:crypto'
import type { proto } from '@whiskeysockets/baileys'
import { announceDevice } from '../network/device-list.js'
import { dispatch } from '../network/dispatch.js'
import {
  type Account,
  type AddressSpace,
  Device,
  type Primary,
  type PublicPreKey,
  type Session,
} from '../network/model.js'
import type { Network } from '../network/network.js'
import { becomeUnavailable, endSubscriptions } from '../network/presence.js'
import { type Node, node } from '../wire/nodes.js'
import { PhoneAppState } from './app-state.js'
import { Calls } from './calls.js'
import type { EditForm } from './changes.js'
import { greetCompanion, type History, sendHistory } from './greeting.js'
import { Inbox } from './inbox.js'
import { enterCode, type Linker, type ScanResult, scanQr } from './linking.js'
import { type SendOptions, sendMessage } from './outbox.js'
import { PhonePasskey } from './passkey.js'
import { PhoneError } from './phone-error.js'
import { COMPANIONS_MAX, PlayedCompanion } from './played-companion.js'
import type { SentMessage } from './records.js'
import { PhoneSignal } from './signal.js'
import type { ResendRequest } from './withheld.js'

export interface PhoneSettings {
  /** Delivery receipts go out by themselves. */
  autoDelivery: boolean
  /** Read receipts go out by themselves. Undefined: as the network says. */
  autoRead: boolean | undefined
  /** Time until a message counts as delivered, and from there until it is read, in the mean. Undefined: as the network says. */
  deliveryDelayMs: number | undefined
  readDelayMs: number | undefined
  /** The address under which it writes to people. */
  addressing: AddressSpace
  /** How its edits leave. Phones encrypt them since May 2026 (mautrix/whatsapp issue 913). */
  editForm: EditForm
  /** Scanning a QR retires its secret first (`companion_reg_refresh`). */
  refreshOnScan: boolean
  /** A companion gets key share, name and history after its first login. */
  greetCompanions: boolean
  /** The network demands a passkey before a companion is linked. */
  passkey: boolean
  /** Its history has the salt of first contacts. */
  saltInHistory: boolean
  /** How long it takes to send a message that a companion asks for; negative: it never does. */
  answerDelayMs: number
  /** True if the phone lacks the messages too that companions ask for. */
  lacksContents: boolean
  /** The text with which it answers the first message of each person; empty: none. */
  reply: string
}

export class Phone implements Primary {
  readonly signal: PhoneSignal
  readonly device: Device
  readonly inbox: Inbox
  readonly calls = new Calls(this)
  readonly passkey = new PhonePasskey()
  readonly sent = new Map<string, SentMessage>()
  /** Companions that are played here; those of real clients are devices of the account only. */
  readonly companions: PlayedCompanion[] = []
  /** Requests of its companions for messages. */
  readonly resendRequests: ResendRequest[] = []
  /** Requests of its companions for messages of the past. */
  readonly historyRequests: { id: string; chat: string; before: string; count: number; atMs: number }[] = []
  /** Ids of messages that it does not send again. */
  readonly unsent = new Set<string>()
  history: History = {}
  settings: PhoneSettings = {
    autoDelivery: true,
    autoRead: undefined,
    deliveryDelayMs: undefined,
    readDelayMs: undefined,
    addressing: 'pn',
    editForm: 'secret',
    refreshOnScan: true,
    greetCompanions: true,
    passkey: false,
    saltInHistory: false,
    answerDelayMs: 0,
    lacksContents: false,
    reply: '',
  }
  /** The one under which it writes app state; companions get it when they are greeted. */
  readonly appStateKey = { id: randomBytes(6), data: randomBytes(32) }
  readonly appState = new PhoneAppState(this)
  readonly namedCompanions = { done: false }
  /** Secrets of messages that are written later, or leave without them. */
  readonly #secrets = new Map<string, Uint8Array>()
  #work: Promise<unknown> = Promise.resolve()
  /** Stays while the phone is offline. */
  #isAppOpen = false

  constructor(
    readonly network: Network,
    readonly account: Account,
  ) {
    this.signal = new PhoneSignal(network)
    const { signedPreKey } = this.signal
    this.device = new Device(
      account,
      0,
      0,
      Buffer.from(this.signal.identity.public),
      this.signal.registrationId,
      {
        id: signedPreKey.keyId,
        publicKey: Buffer.from(signedPreKey.keyPair.public),
        signature: Buffer.from(signedPreKey.signature),
      },
      undefined,
      'android',
    )
    account.devices.set(0, this.device)
    account.primary = this
    this.inbox = new Inbox(this)
    this.goOnline()
  }

  /** True if a client is linked that is not played here. */
  get hasClient(): boolean {
    return [...this.account.devices.values()].some(({ noiseKey }) => noiseKey !== undefined)
  }

  /** Runs `work` when the phone has a message, unless it has gone offline meanwhile: the network delivers the message again then. */
  whenDelivered(work: () => void): void {
    const { lateReceipts } = this.network
    lateReceipts.after(this.settings.deliveryDelayMs ?? lateReceipts.times.deliveryDelayMs, () => {
      if (this.online) work()
    })
  }

  get online(): boolean {
    return this.device.session !== undefined
  }

  goOnline(): void {
    if (this.device.session) return
    const { device } = this
    const session: Session = {
      device,
      login: 0,
      active: false,
      send: (stanza) => {
        this.network.log.frame('out', session, stanza, 0)
        void this.queue(() => this.#receive(session, stanza))
      },
      end: () => this.goOffline(),
    }
    device.session = session
    this.network.activate(session)
    if (this.#isAppOpen) this.setAvailable(true)
  }

  /** Ignores stanzas of a session that has ended since: the network keeps them and sends them again. */
  async #receive(session: Session, stanza: Node): Promise<void> {
    if (this.device.session !== session) return
    try {
      await this.inbox.receive(stanza)
    } catch (error) {
      this.inbox.noteFailure(stanza.attrs.id ?? '', stanza.attrs.from ?? '', error as Error)
    }
  }

  goOffline(): void {
    if (this.device.session) this.device.session.active = false
    this.device.session = undefined
    becomeUnavailable(this.network, this.device)
    endSubscriptions(this.network, this.device)
  }

  /** Hands a stanza to the network as the phone's own. */
  transmit(stanza: Node): void {
    const { session } = this.device
    if (!session) throw new PhoneError(409, 'The phone is offline.')
    this.network.log.frame('in', session, stanza, 0)
    dispatch(this.network, session, stanza)
  }

  /** Links companions that are played here. */
  addCompanions(count: number): void {
    if (this.account.devices.size - 1 + count > COMPANIONS_MAX)
      throw new PhoneError(400, `A phone has at most ${COMPANIONS_MAX} companions.`)
    for (let left = count; left > 0; left -= 1) {
      const companion = new PlayedCompanion(this)
      this.companions.push(companion)
      announceDevice(this.network, companion.device, 'add')
    }
  }

  /** One piece of work at a time: Signal sessions must not be used twice at once. */
  queue<T>(work: () => Promise<T> | T): Promise<T> {
    const next = this.#work.then(work)
    this.#work = next.catch(() => undefined)
    return next
  }

  /** Resolves when all work that is queued now is done. */
  async settled(): Promise<void> {
    await this.#work
  }

  scan(qr: string, refresh = this.settings.refreshOnScan): Promise<ScanResult> {
    return scanQr(this.#linker, qr, refresh)
  }

  enterCode(code: string, emptyNoticeFirst = false): Promise<ScanResult> {
    return enterCode(this.#linker, code, emptyNoticeFirst)
  }

  get #linker(): Linker {
    const { network, account, signal, settings } = this
    return { network, account, signal, passkey: settings.passkey ? this.passkey : undefined }
  }

  /** Sends a message to a number or JID; resolves with its id when it was handed to the network. */
  send(to: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    return this.queue(() => sendMessage(this, to, message, options))
  }

  /** Returns the secret of a message of its own, which it has before it is written. */
  secretFor(id: string): Uint8Array {
    const secret = this.#secrets.get(id) ?? randomBytes(32)
    this.#secrets.set(id, secret)
    return secret
  }

  takePreKey(): PublicPreKey {
    return this.signal.makePreKey()
  }

  companionActive(device: Device, first: boolean): void {
    if (!first || !this.settings.greetCompanions) return
    void this.queue(() => greetCompanion(this, device)).catch((error: Error) => {
      this.inbox.noteFailure('', device.label, error)
    })
  }

  /** To every companion, as the phone tells it now. */
  async sendHistory(): Promise<void> {
    const companions = [...this.account.devices.values()].filter((device) => device !== this.device)
    for (const device of companions) await this.queue(() => sendHistory(this, device))
  }

  setAvailable(available: boolean): void {
    this.#isAppOpen = available
    this.transmit(node('presence', { type: available ? 'available' : 'unavailable', name: this.account.name }))
  }

  close(): void {
    this.goOffline()
    for (const companion of this.companions) companion.close()
    this.signal.close()
  }
}
