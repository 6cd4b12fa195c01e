/** The life of a connection, as API and actors share it. Types only. */
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
export interface RouteView {
  /** What the present connection uses; null when there is none. */
  readonly via: 'proxy' | 'fallback' | 'none' | null
  /** Why the proxy could not be used; null when it could. */
  readonly failure: string | null
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
