import type { Boom } from '@hapi/boom'
import { type AuthenticationCreds, type BinaryNode, DEFAULT_CONNECTION_CONFIG } from '@whiskeysockets/baileys'
import { errorText } from '../../../lib/error-text.js'
import type { ProxySettings } from '../../../schemas/proxy.js'
import type { ConnectionHealth, RouteView } from '../../../schemas/session.js'
import { causeOfFailure, findDisconnectCause, reactions } from '../disconnects.js'
import type { Connection, OpenOptions } from '../port/connection.js'
import type { DisconnectCause } from '../port/events.js'
import { type ProxyFailure, proxyFailureIn } from '../route/proxy-failure.js'
import type { NodeCaches } from './caches.js'
import { type ConnectionParts, createConnectionParts } from './connection-parts.js'
import { decodeCredentials, isPaired, newCredentials } from './credentials.js'
import { makeFirstPreKeys } from './first-pre-keys.js'
import { LiveSocket } from './live-socket.js'
import { openSocket } from './open-socket.js'
import type { BaileysNetworkOptions, NodeParts } from './options.js'
import { temporaryBan } from './temporary-ban.js'
import type { ConnectionTraffic, WatchedConnection } from './watchdog.js'

const LOGOUT_WAIT_MS = 3_000
/** Maximum lengths of the kind and the id of a stanza in the log. */
const STANZA_KIND_MAX = 50
const STANZA_ID_MAX = 200

/** The life of one connection: its start, its end, and the reasons for the end. */
export class BaileysConnection implements Connection, WatchedConnection {
  readonly messages: Connection['messages']
  readonly contacts: Connection['contacts']
  readonly settings: Connection['settings']
  readonly media: Connection['media']
  readonly calls: Connection['calls']
  readonly business: Connection['business']
  readonly channels: Connection['channels']
  readonly groups: Connection['groups']
  readonly passkey: Connection['passkey']
  readonly limits: Connection['limits']
  readonly presence: Connection['presence']
  readonly #options: BaileysNetworkOptions
  readonly #open: OpenOptions
  readonly #node: NodeParts
  readonly #caches: ReturnType<NodeCaches['forInstance']>
  readonly #live: LiveSocket
  readonly #parts: ConnectionParts
  readonly #closed: Promise<void>
  #resolveClosed: () => void = () => {}

  constructor(options: BaileysNetworkOptions, open: OpenOptions, node: NodeParts) {
    this.#options = options
    this.#open = open
    this.#node = node
    this.#caches = node.caches.forInstance(open.instance, open.epoch)
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
    const logger = options.logger.child({ instanceId: open.instance })
    const { queries } = options
    this.#live = new LiveSocket({ open, logger, queries, onFailure: (error) => this.#fail(error) })
    this.#parts = createConnectionParts({
      options,
      open,
      node,
      live: this.#live,
      caches: this.#caches,
      endPairing: (cause, code, detail) => {
        this.#finish(cause, code, detail ?? reactions[cause].sentence, detail === undefined ? {} : { detail })
        this.destroy()
      },
    })
    const { messages, contacts, settings, media, calls, business, channels } = this.#parts
    const { groups, passkey, limits, presence } = this.#parts
    this.messages = messages
    this.contacts = contacts
    this.settings = settings
    this.media = media
    this.calls = calls
    this.business = business
    this.channels = channels
    this.groups = groups
    this.passkey = passkey
    this.limits = limits
    this.presence = presence
    this.#start().catch((error: unknown) => this.#fail(error))
  }

  destroy(cause: DisconnectCause = 'asked'): void {
    this.#live.websocket?.cut()
    this.#finish(cause, 0, reactions[cause].sentence)
    this.#live.socket?.end(undefined)
  }

  closed(): Promise<void> {
    return this.#closed
  }

  async logout(): Promise<void> {
    const { socket, credentials, isOpen, isClosed, logger } = this.#live
    if (socket === undefined || !isOpen || isClosed) {
      this.destroy()
      return
    }
    const timer = setTimeout(() => this.destroy(), LOGOUT_WAIT_MS)
    timer.unref()
    try {
      const me = credentials?.me?.id
      if (me !== undefined) await socket.query(deviceRemoval(me), LOGOUT_WAIT_MS)
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'WhatsApp did not confirm the log-out.')
    } finally {
      clearTimeout(timer)
      this.destroy()
    }
  }

  health(): ConnectionHealth {
    return this.#parts.traffic.health(this.#live.websocket?.held ?? 0)
  }

  async flushed(): Promise<void> {
    await this.#live.websocket?.flushed()
  }

  route(): RouteView {
    return this.#live.hasRoute ? this.#live.route.view() : { via: null, failure: null, sinceMs: null }
  }

  traffic(): ConnectionTraffic {
    const { traffic, inbound } = this.#parts
    return {
      lastFrameAtMs: traffic.lastFrameAtMs,
      unacknowledged: traffic.unacknowledged.stuck,
      unhandled: inbound.unhandled,
    }
  }

  onDead(why: string): void {
    if (!this.#wasReached) {
      this.#unreachable(`no connection within ${Math.ceil(this.#options.silenceMaxMs / 1_000)} s`)
      return
    }
    this.#live.logger.warn({ why }, 'A connection was open but dead; the instance reconnects.')
    this.destroy('dead')
  }

  async #start(): Promise<void> {
    const { instance, reader, pairing, prepare } = this.#open
    const [stored, proxy] = await Promise.all([
      pairing === null ? reader.credentials(instance) : null,
      reader.proxy(instance),
      prepare(),
    ])
    if (pairing === null && stored === null) {
      this.#finish('pairingExpired', 401, 'There are no credentials; pair the instance.')
      return
    }
    const credentials = stored === null ? newCredentials() : decodeCredentials(stored)
    // If a node ended in the middle of a pairing, its credentials are stored and nobody has signed them.
    if (pairing === null && !isPaired(credentials)) {
      this.#finish('pairingExpired', 401, 'The pairing was not finished; pair the instance.')
      return
    }
    if (pairing === null) await makeFirstPreKeys(credentials, this.#live.journal)
    if (!this.#live.isClosed) this.#openSocket(credentials, proxy)
  }

  #openSocket(credentials: AuthenticationCreds, proxy: ProxySettings | null): void {
    this.#live.route = this.#options.routes.open(this.#open.instance, proxy)
    openSocket(
      {
        options: this.#options,
        open: this.#open,
        node: this.#node,
        caches: this.#caches,
        live: this.#live,
        parts: this.#parts,
        watched: this,
        onUpgradeRefused: (status) => this.#unreachable(`HTTP ${status}`),
        onPairingRefused: (status, sentence) => {
          this.#finish('pairingRefused', status, sentence)
          this.destroy()
        },
        onNotAdmitted: () => this.destroy('instanceLimit'),
        onClosed: (error) => this.#onClosed(error),
      },
      credentials,
    )
  }

  get #wasReached(): boolean {
    return this.#live.websocket?.wasReached === true
  }

  #onClosed(error: Boom | undefined): void {
    const proxyFailure = proxyFailureIn(error?.data)
    if (proxyFailure !== null) {
      this.#proxyFailed(proxyFailure)
      return
    }
    const { credentials } = this.#live
    const code = error?.output?.statusCode ?? 500
    const message = error?.message ?? 'closed'
    const wasPaired = credentials !== undefined && isPaired(credentials)
    const failure = failureOfSocket(error)
    // The code of a socket failure is the library's own. The code of an HTTP answer says nothing about the account.
    if (failure === null) {
      const cause = findDisconnectCause(code, message, wasPaired)
      this.#finish(
        cause,
        code,
        message,
        cause === 'temporarilyBanned' ? temporaryBan(error, Date.now()) : this.#owed(error),
      )
    } else if (this.#wasReached) this.#finish('lost', 0, message, { detail: this.#atHost(failure) })
    else this.#unreachable(failure)
  }

  /** Returns a detail if the network ended the connection because an acknowledgement is missing. It delivers that stanza again. */
  #owed(error: Boom | undefined): { readonly detail?: string } {
    const stanza = owedStanza(error)
    if (stanza === null) return {}
    this.#live.logger.warn({ stanza }, 'WhatsApp ended the connection because a stanza was not acknowledged.')
    return { detail: `it waits for the acknowledgement of a ${stanza.kind}` }
  }

  /** `failure`: the code of the error, or a description of the answer in place of the network's server. */
  #unreachable(failure: string): void {
    this.#finish('unreachable', 0, failure, { detail: this.#atHost(failure) })
    this.destroy()
  }

  #proxyFailed({ message }: ProxyFailure): void {
    this.#finish('proxyFailed', 0, message, { detail: message })
    this.destroy()
  }

  #atHost(failure: string): string {
    const at = failureAtHost(this.#options.websocketUrl, failure)
    const proxy = this.route().via === 'proxy' ? this.#live.route.proxy : null
    return proxy === null ? at : `${at} through the proxy ${proxy}`
  }

  /** Ends the connection, because memory is ahead of the store. Nothing more leaves, and the next connection starts from the store. */
  #fail(error: unknown): void {
    const { isClosed, logger } = this.#live
    if (isClosed) return
    const proxyFailure = proxyFailureIn(error)
    if (proxyFailure !== null) {
      this.#proxyFailed(proxyFailure)
      return
    }
    const cause = causeOfFailure(error)
    if (cause === 'programError') logger.error({ err: error }, 'A connection ends because of an internal error.')
    else
      logger.warn(
        { error: errorText(error) },
        'A connection ends because the store refused a write or could not be read.',
      )
    this.#finish(cause, 0, errorText(error), { error })
    this.destroy()
  }

  #finish(
    cause: DisconnectCause,
    code: number,
    message: string,
    more: { readonly error?: unknown; readonly detail?: string; readonly waitMs?: number } = {},
  ): void {
    if (this.#live.isClosed) return
    if (cause === 'versionRefused') this.#live.version?.refused()
    // Closed before the listener is called: it may destroy this connection at once, and must not get a second end.
    this.#live.close()
    this.#open.on({ type: 'closed', cause, code, message, ...more })
    this.#resolveClosed()
    this.#live.rejectWaiting()
    this.#live.keys?.forget()
  }
}

function deviceRemoval(jid: string): BinaryNode {
  return {
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'set', xmlns: 'md' },
    content: [{ tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } }],
  }
}

/**
 * Returns the stanza whose acknowledgement the network waits for, if it ended the connection for that (`<stream:error><ack/></stream:error>`,
 * oxidezap/whatsapp-rust pull request 633). The library makes a 500 of it, and keeps the child of the error.
 */
function owedStanza(error: Boom | undefined): { readonly kind: string; readonly id: string } | null {
  const node = error?.data as Partial<BinaryNode> | null | undefined
  if (node?.tag !== 'ack') return null
  const { class: kind = 'stanza', id = '' } = node.attrs ?? {}
  return { kind: kind.slice(0, STANZA_KIND_MAX), id: id.slice(0, STANZA_ID_MAX) }
}

/**
 * Returns the code of the system, of TLS or of the websocket for an error of the socket. Returns null when the connection ended otherwise
 * (Baileys `mapWebSocketError`).
 */
function failureOfSocket(error: Boom | undefined): string | null {
  const failure: unknown = error?.data
  if (!(failure instanceof Error) || !error?.message.startsWith('WebSocket Error')) return null
  const { code, message } = failure as NodeJS.ErrnoException
  return code ?? message
}

/** Names the host with which the failure was met. Without an URL it is the real network. */
function failureAtHost(websocketUrl: string | undefined, failure: string): string {
  const url = websocketUrl ?? String(DEFAULT_CONNECTION_CONFIG.waWebSocketUrl)
  return `${new URL(url).host}: ${failure}`
}
