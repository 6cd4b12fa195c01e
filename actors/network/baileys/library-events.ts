import type { Boom } from '@hapi/boom'
import type { AuthenticationCreds, BaileysEventMap, WASocket } from '@whiskeysockets/baileys'
import { bareJid } from '../../../schemas/jid.js'
import { unpooled } from './credentials.js'
import type { EventRelease } from './event-release.js'
import { chatAddress, historyChatFields } from './history.js'
import type { Inbound } from './inbound.js'
import type { LiveSocket } from './live-socket.js'
import type { PairingOffer } from './pairing-offer.js'

// Bound: 65,536, a text or attribute of a stanza.

export interface LibraryEventOptions {
  readonly live: LiveSocket
  readonly inbound: Inbound
  readonly releases: EventRelease
  /** Set while the device is not paired. */
  readonly offer: PairingOffer | undefined
  /** Called before the event `opened` is emitted. */
  readonly onOpening: () => void
  /** Called after the event `opened` was emitted. */
  readonly onOpened: () => void
  readonly onClosed: (error: Boom | undefined) => void
}

/** Name that the library keeps while it does not know the real one. */
const NO_NAME = '~'

/** Translates the events of the library's socket. */
export class LibraryEvents {
  readonly #options: LibraryEventOptions
  /** The profile name that was emitted last. */
  #profileName: string | undefined

  constructor(options: LibraryEventOptions) {
    this.#options = options
  }

  listen({ ev }: WASocket): void {
    const { live, inbound } = this.#options
    ev.on('creds.update', (update) => this.#onCredentials(update))
    ev.on('connection.update', (update) => this.#onConnection(update))
    ev.on('contacts.update', (contacts) => inbound.contacts(contacts))
    ev.on('chats.upsert', (chats) => this.#onChats(chats))
    ev.on('chats.update', (chats) => this.#onChats(chats))
    ev.on('lid-mapping.update', ({ lid, pn }) =>
      live.emit({ type: 'mappings', mappings: [{ lid: bareJid(lid), pn: bareJid(pn) }] }),
    )
  }

  #onCredentials(update: Partial<AuthenticationCreds>): void {
    const { live } = this.#options
    const { credentials } = live
    if (credentials === undefined) return
    const name = update.me?.name
    // Compares with the emitted name, because the library's own listener has changed the credentials already.
    if (name !== undefined && name !== NO_NAME && name !== this.#profileName) {
      this.#profileName = name
      live.emit({ type: 'profileName', name })
    }
    Object.assign(credentials, update)
    if (update.routingInfo !== undefined) credentials.routingInfo = unpooled(update.routingInfo)
    live.writeCredentials(credentials)
  }

  #onConnection(update: BaileysEventMap['connection.update']): void {
    const { offer, releases, onClosed } = this.#options
    if (update.qr !== undefined) offer?.offer(update.qr)
    if (update.isNewLogin) this.#onPaired()
    if (update.connection === 'open') this.#onOpen()
    if (update.receivedPendingNotifications) releases.noteQueueRead()
    if (update.connection === 'close') onClosed(update.lastDisconnect?.error as Boom | undefined)
  }

  #onPaired(): void {
    const { live } = this.#options
    const { me, platform = '' } = live.credentials ?? {}
    if (me === undefined) return
    live.emit({
      type: 'paired',
      jid: bareJid(me.id),
      lid: me.lid ? bareJid(me.lid) : null,
      platform,
      isBusiness: /^smb/.test(platform),
    })
  }

  #onOpen(): void {
    const { live, onOpening, onOpened } = this.#options
    const me = live.credentials?.me
    if (me === undefined || live.isClosed) return
    onOpening()
    this.#profileName = me.name
    live.emit({
      type: 'opened',
      jid: me.id,
      lid: me.lid ? bareJid(me.lid) : null,
      profileName: me.name && me.name !== NO_NAME ? me.name : null,
    })
    onOpened()
  }

  #onChats(chats: readonly Parameters<typeof historyChatFields>[0][]): void {
    const changed = chats.flatMap((chat) => {
      const set = historyChatFields(chat)
      return chat.id && Object.keys(set).length > 0 ? [{ chat: chatAddress(chat), set }] : []
    })
    if (changed.length > 0) this.#options.live.emit({ type: 'chats', chats: changed })
  }
}
