import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../../lib/back-off.js'
import { GatewayError } from '../../schemas/errors.js'
import type { ConnectionStatus, PasskeyStatus, ProgressRecord } from '../../schemas/session.js'
import { passkeyRecord } from '../../schemas/session.js'
import type { Change, InstanceJournal } from './ports.js'

/** The status of an instance, as its row and its events show it. */
export interface ShownStatus {
  readonly status: ConnectionStatus
  readonly qr: string | null
  readonly code: string | null
  readonly reason: string | null
  readonly passkey: PasskeyStatus
  readonly wasLoggedOut: boolean
  /** Goes into the event of a change; a change of it alone makes none. */
  readonly progress: ProgressRecord
}

const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 10_000

/** Writes each change of the status, with its event, in order. */
export class StatusWriter {
  readonly #journal: InstanceJournal
  /** Draws a QR as a data URL, for events. */
  readonly #drawQr: (text: string) => Promise<string>
  #newest: ShownStatus | null = null
  #writes: Promise<void> = Promise.resolve()
  readonly #isStopped: () => boolean

  /** @param isStopped returns true once no write is to be retried */
  constructor(journal: InstanceJournal, drawQr: (text: string) => Promise<string>, isStopped: () => boolean) {
    this.#journal = journal
    this.#drawQr = drawQr
    this.#isStopped = isStopped
  }

  /** Writes the status, unless it is the same as before. */
  note(now: ShownStatus): void {
    const before = this.#newest
    if (before === null && now.status === 'disconnected') return
    if (before !== null && isSame(before, now)) return
    this.#newest = now
    this.#writes = this.#writes.then(() => this.#write(now))
  }

  /** Resolves when all writes have ended. */
  settled(): Promise<void> {
    return this.#writes
  }

  /** The stored status must become true even if the store is away for a while: the write is retried until it is done or outdated. */
  async #write(now: ShownStatus): Promise<void> {
    const qrcode = now.qr === null ? null : await this.#drawQr(now.qr)
    for (let attempt = 0; this.#newest === now && !(this.#isStopped() && attempt > 0); attempt += 1) {
      try {
        await this.#journal.write(composeStatusChanges(now, qrcode))
        return
      } catch (error) {
        if (isOver(error)) return
        await pause(backOffMs(attempt, RETRY_MIN_MS, RETRY_MAX_MS), undefined, { ref: false })
      }
    }
  }
}

function isSame(before: ShownStatus, now: ShownStatus): boolean {
  return (
    before.status === now.status &&
    before.qr === now.qr &&
    before.code === now.code &&
    before.reason === now.reason &&
    before.passkey.state === now.passkey.state &&
    before.passkey.publicKey === now.passkey.publicKey &&
    before.passkey.code === now.passkey.code
  )
}

function composeStatusChanges(
  { status, qr, code, reason, passkey, wasLoggedOut, progress }: ShownStatus,
  qrcode: string | null,
): readonly Change[] {
  const instance = {
    status,
    ...progress,
    ...(qr === null ? {} : { qrcode, qrcodeText: qr }),
    ...(code === null ? {} : { paircode: code }),
    ...(passkey.state === 'none' ? {} : { passkey: passkeyRecord(passkey) }),
    ...(status === 'disconnected' || reason !== null ? { lastDisconnectReason: reason ?? '' } : {}),
  }
  const type = status === 'disconnected' && wasLoggedOut ? { type: 'LoggedOut' } : {}
  return [
    { type: 'instance', set: { status } },
    { type: 'event', kind: 'connection', body: { instance, ...type } },
  ]
}

/** Returns true if this node must not write for the instance. */
function isOver(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'NOT_OWNER' || error.code === 'INSTANCE_EXPORTED')
}
