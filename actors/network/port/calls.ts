/** Voice and video calls. Types only. */

import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'

export interface CallNetwork {
  /**
   * Rejects a ringing call. Resolves when the network has accepted the rejection.
   * @throws GatewayError CALL_REJECT_FAILED
   */
  reject(call: RejectedCall, timeoutMs: number): Promise<void>
  /**
   * Rings all devices of a person. Resolves when the network has accepted the call. The other side hears nothing, whoever answers.
   * @throws GatewayError NOT_ON_NETWORK, NETWORK_REFUSED, OUTCOME_UNKNOWN
   */
  ring(call: MadeCall, timeoutMs: number): Promise<void>
  /**
   * Ends a call that this device has made. `timeout`: it rang long enough.
   * @throws GatewayError NETWORK_REFUSED, OUTCOME_UNKNOWN
   */
  hangUp(call: MadeCall, reason: 'timeout' | null, timeoutMs: number): Promise<void>
  /**
   * Makes a link by which people join a call. Returns its URL.
   * @throws GatewayError NETWORK_REFUSED, OUTCOME_UNKNOWN
   */
  createLink(link: CallLink): Promise<string>
}

/** A call that this device makes. */
export interface MadeCall {
  readonly id: string
  /** A person. */
  readonly to: ChatAddress
  readonly isVideo: boolean
}

export interface CallLink {
  readonly isVideo: boolean
  /** When the call is to begin, Unix milliseconds; null if that is open. */
  readonly startMs: number | null
}

/** A ringing call, or a later state of it. */
export interface CallEvent {
  readonly type: 'call'
  readonly kind: 'CallOffer' | 'CallOfferNotice' | 'CallAccept' | 'CallReject' | 'CallTerminate'
  readonly state: CallState
  readonly id: string
  /** The account whose device caused the event, according to the server. It has the number of a LID only if the store knows it. */
  readonly from: ChatAddress
  /** The address of `from` that the server used. */
  readonly fromJid: Jid
  /** The caller, according to the client that caused the event. The server does not check it: in an offer it may differ from `from`. */
  readonly creator: Jid
  /** The other address of the caller, from the same source. */
  readonly creatorAlternative?: Jid
  /** Set for a call to a group. */
  readonly group?: Jid
  /** Known from offers only; null otherwise. */
  readonly isVideo: boolean | null
  /** The network's reason for the end of the call; null when it gave none. */
  readonly reason: string | null
  readonly platform: string
  readonly version: string
  readonly timestampMs: number
  /** Set for a call that this account makes: the person who is called. */
  readonly callee?: ChatAddress
  /** True for a stanza that waited at the network while the account was not connected. */
  readonly wasQueued?: boolean
  /** Content of the stanza, bounded. */
  readonly data: { readonly tag: string; readonly attributes: Readonly<Record<string, string>> }
}

export interface RejectedCall {
  readonly id: string
  /** The address from the server. */
  readonly to: Jid
  /** The caller, according to the caller's client. */
  readonly creator: Jid
}

/** `…Elsewhere`: by another device of this account. `ended`: the caller gave up, or an accepted call is over. */
export type CallState =
  | 'ringing'
  | 'accepted'
  | 'rejected'
  | 'timeout'
  | 'acceptedElsewhere'
  | 'rejectedElsewhere'
  | 'ended'
