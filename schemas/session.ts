/** The life of a connection, as API and actors share it. */

import { GatewayError } from './errors.js'
import type { Passkey } from './generated.js'
import type { AccountPresence } from './presence-kind.js'

export type BrowserName = 'auto' | 'safari' | 'firefox' | 'edge' | 'chrome'

export interface ConnectRequest {
  readonly phone?: string
  readonly browser?: BrowserName
  /** The number is in use since then, Unix milliseconds. Absent: since its pairing. */
  readonly inUseSinceMs?: number
  readonly waitMs: number
}

/** The live side of an instance; the stored side is its row. */
export interface LiveStatus {
  readonly status: ConnectionStatus
  /** The machine's state, finer than the status: `pairing`, `waiting`, … */
  readonly state: string
  readonly connected: boolean
  readonly loggedIn: boolean
  /** With device part, when logged in. */
  readonly jid: string | null
  /** The text behind the QR, to be drawn; null when no pairing by QR is under way. */
  readonly qrcodeText: string | null
  readonly paircode: string | null
  /** Absent from a node of release 0.1.0, which pairs without passkeys. */
  readonly passkey?: PasskeyStatus
  /** Why it is not connected, for people; null when connected. */
  readonly reason: string | null
  /** Absent from a node of release 0.2.0. */
  readonly progress?: ConnectionProgress
  /** The name that others see; null when it is not known here, absent from a node of release 0.1.0: then the stored one counts. */
  readonly profileName?: string | null
  /** Presence that the account is to show; absent while the node has not read it. */
  readonly presence?: AccountPresence
  /** Traffic of the connection; null when not connected. */
  readonly health: ConnectionHealth | null
  /** Absent from a node of release 0.1.0, which knows no proxies. */
  readonly route?: RouteView
}

/** How far a connection has come. Times are Unix milliseconds, by the clock of the owner. */
export interface ConnectionProgress {
  /** Cause of the last end, one word; null when connected, or when none has ended. */
  readonly cause: string | null
  /** Number of attempts since the last connection that lasted; 0 when there was none. */
  readonly attempt: number
  /** Time of the next attempt; null unless the instance waits for it. */
  readonly nextAttemptAtMs: number | null
  /** Time at which another QR replaces this one. */
  readonly qrEndsAtMs: number | null
  /** Time at which the pairing ends, or its present step with a passkey. */
  readonly pairingEndsAtMs: number | null
}

/** How the traffic of an instance reaches the network. */
/** The step at which a proxy failed. */
export type ProxyStage = 'dns' | 'address' | 'connect' | 'tls' | 'auth' | 'refused' | 'answer' | 'timeout' | 'settings'

export interface RouteView {
  /** What the present connection uses; null when there is none. */
  readonly via: 'proxy' | 'fallback' | 'none' | null
  /** Why the proxy could not be used; null when it could. */
  readonly failure: string | null
  /** The step at which it failed. Missing when it did not, and from nodes of the former release. */
  readonly stage?: ProxyStage
  /** Unix milliseconds. */
  readonly sinceMs: number | null
}

/** Step of a pairing with a passkey. */
export type PasskeyState = 'needs_passkey' | 'passkey_sent' | 'passkey_code' | 'confirming'

/** Options of a WebAuthn request as JSON, for `navigator.credentials.get({ publicKey })` on a page of whatsapp.com. */
export interface PasskeyOptions {
  readonly challenge: string
  readonly rpId: string
  readonly [field: string]: unknown
}

/** The answer of an authenticator with every field that `PublicKeyCredential.toJSON()` gives, since the network gets it as a whole. */
export interface PasskeyAssertion {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly [field: string]: unknown
  }
  readonly [field: string]: unknown
}

/** The pairing with a passkey that is under way; `none` without one. */
export interface PasskeyStatus {
  readonly state: PasskeyState | 'none'
  /** Null unless a signature is awaited. */
  readonly publicKey: PasskeyOptions | null
  /** End of the present step, Unix milliseconds. */
  readonly untilMs: number | null
  /** Code to compare with the one on the phone. */
  readonly code: string | null
}

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected'

/** Traffic of one connection: its state follows from what passed, and not from a flag. */
export interface ConnectionHealth {
  /** A frame of any kind, keep-alives included; Unix milliseconds. */
  readonly lastReceivedAtMs: number
  /** A message of others; null when none came yet. */
  readonly lastMessageAtMs: number | null
  /** The network took a message of ours. */
  readonly lastAckAtMs: number | null
  /** Messages of ours that the network did not answer yet. */
  readonly unacknowledged: number
  /** Frames that wait until what caused them is durable. */
  readonly held: number
}

/** Returns the error for a part of a session that is missing or wrong. `why` completes the sentence that the part's name begins: `is missing`. */
export function invalidSession(part: string, why: string): GatewayError {
  return new GatewayError('INVALID_SESSION', {
    message: `The session cannot be taken over: ${part} ${why}. Nothing was changed.`,
    details: [{ field: part, why }],
  })
}

const ADVICE: Readonly<Record<PasskeyStatus['state'], string>> = {
  none: 'No pairing of this instance asks for a passkey. Connect the instance and scan the QR or type the code first.',
  needs_passkey:
    'Sign the challenge with the passkey of the account: on https://web.whatsapp.com, by a browser extension or the developer console, since no other page may use that passkey. Send the result to POST /instance/passkey/response.',
  passkey_sent: 'Keep WhatsApp open on the phone; nothing else is to be done.',
  passkey_code:
    'Compare the code with the one that the phone shows. If they are the same, accept on the phone and call POST /instance/passkey/confirm; if not, call POST /instance/disconnect.',
  confirming: 'Keep WhatsApp open on the phone; nothing else is to be done.',
}

/** Returns the record of a pairing with a passkey for callers and events. */
export function passkeyRecord({ state, publicKey, untilMs, code }: PasskeyStatus): Passkey {
  return {
    state,
    publicKey: publicKey === null ? null : { ...publicKey },
    expires: untilMs === null ? null : new Date(untilMs).toISOString(),
    code,
    advice: ADVICE[state],
  }
}

/** How far a connection has come, as the status and the event `connection` show it. */

export interface ProgressRecord {
  readonly state: string
  readonly cause: string | null
  readonly attempt: number
  readonly nextAttemptAt: string | null
  readonly qrEndsAt: string | null
  readonly pairingEndsAt: string | null
}

/** Returns the record of a progress. Undefined: the owner is a node of an older release, which does not tell it. */
export function progressRecord(state: string, progress: ConnectionProgress | undefined): ProgressRecord {
  return {
    state,
    cause: progress?.cause ?? null,
    attempt: progress?.attempt ?? 0,
    nextAttemptAt: toIsoTime(progress?.nextAttemptAtMs),
    qrEndsAt: toIsoTime(progress?.qrEndsAtMs),
    pairingEndsAt: toIsoTime(progress?.pairingEndsAtMs),
  }
}

function toIsoTime(timeMs: number | null | undefined): string | null {
  return timeMs === null || timeMs === undefined ? null : new Date(timeMs).toISOString()
}
