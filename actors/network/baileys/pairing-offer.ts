import { Boom } from '@hapi/boom'
import type { AuthenticationCreds, BinaryNode, WASocket } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import type { Pairing } from '../port/connection.js'
import type { NetworkEvent } from '../port/events.js'
import { isPaired } from './credentials.js'
import {
  acknowledgeNotification,
  companionHello,
  isExhausted,
  newPairingCode,
  newSecret,
  withSecret,
} from './pairing.js'

export interface PairingOfferOptions {
  readonly socket: WASocket
  readonly credentials: AuthenticationCreds
  readonly pairing: Pairing
  readonly logger: Logger
  readonly emit: (event: NetworkEvent) => void
  /** Writes the credentials, which were changed in place. */
  readonly write: () => void
  /** Returns true once the network asks for a passkey, and reads no QR. */
  readonly isPastQr: () => boolean
  /** Time for which the library shows each QR. 0: its own times. */
  readonly qrCodeMs: number
  readonly onRefused: (status: number, sentence: string) => void
}

/** Time for which the library shows the first QR of a connection, and each later one (Baileys 7, `src/Socket/socket.ts`, `genPairQR`). */
const FIRST_QR_MS = 60_000
const NEXT_QR_MS = 20_000

/** Offers a pairing to the phone: a QR that changes, or one code. */
export class PairingOffer {
  readonly #options: PairingOfferOptions
  #code: string | undefined
  #qr: string | undefined
  /** Time at which the library offers the next reference. */
  #qrEndsMs = 0

  constructor(options: PairingOfferOptions) {
    this.#options = options
  }

  /** Emits a QR with the network's next reference, or the pairing code. */
  offer(qr: string): void {
    const { socket, credentials, pairing, emit, write, onRefused, isPastQr, qrCodeMs } = this.#options
    if (isPastQr()) return
    if (isExhausted(qr)) {
      // As the library does after the last reference.
      void socket.end(new Boom('QR refs attempts ended', { statusCode: 408 }))
      return
    }
    if (pairing.by === 'qr') {
      const lastsMs = qrCodeMs || (this.#qr === undefined ? FIRST_QR_MS : NEXT_QR_MS)
      this.#qr = qr
      this.#qrEndsMs = performance.now() + lastsMs
      emit({ type: 'qr', text: withSecret(qr, credentials.advSecretKey), lastsMs })
      return
    }
    if (this.#code !== undefined) return
    const code = newPairingCode()
    this.#code = code
    const jid = `${pairing.phone}@s.whatsapp.net`
    credentials.pairingCode = code
    credentials.me = { id: jid, name: '~' }
    write()
    companionHello(credentials, code, jid)
      .then(async (stanza) => {
        await socket.query(stanza)
        emit({ type: 'code', code })
      })
      .catch((error: unknown) => {
        // If the connection has ended, its end has the reason.
        if (!socket.ws.isOpen) return
        const status = (error as Boom).output?.statusCode ?? 500
        onRefused(status, `WhatsApp refused the pairing code (${status}).`)
      })
  }

  /** Replaces the retired secret in the QR, and keeps the reference (whatsmeow 9ec8f76; Baileys PR 2765). */
  refreshSecret(node: BinaryNode): void {
    const { socket, credentials, pairing, emit, logger, isPastQr } = this.#options
    if (isPaired(credentials)) return
    acknowledgeNotification(socket, credentials, node, logger)
    if (isPastQr()) return
    if (pairing.by !== 'qr') return
    credentials.advSecretKey = newSecret()
    socket.ev.emit('creds.update', { advSecretKey: credentials.advSecretKey })
    if (this.#qr === undefined) return
    const lastsMs = Math.max(0, Math.round(this.#qrEndsMs - performance.now()))
    emit({ type: 'qr', text: withSecret(this.#qr, credentials.advSecretKey), lastsMs })
  }
}
