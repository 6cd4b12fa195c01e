/** Events, context and notices of the machine of an instance. */

import type { AnyActor } from 'xstate'
import type { ChatAddress } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import type { PasskeyOptions } from '../../schemas/session.js'
import type { Pairing } from '../network/port/connection.js'
import type { DisconnectCause } from '../network/port/events.js'

export interface InstanceTiming {
  readonly qrWindowMs: number
  readonly pairingCodeWindowMs: number
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
  /** Time after which a connection counts as a good one. Without it, one that opens and dies at once would be retried at full speed. */
  readonly stableMs: number
  /** Time before a reconnect after another program connected as this device, so that the two do not fight. */
  readonly replacedDelayMs: number
  /** Time for each step of a pairing with a passkey after the signature. */
  readonly passkeyStepMs: number
  /** Time after which an indicator is shown again, because the network forgets it. */
  readonly presenceRefreshMs: number
  /** Maximum time for which typing or recording is shown. */
  readonly presenceMaxMs: number
}

export interface InstanceInput {
  readonly instanceId: string
  readonly timing: InstanceTiming
}

export interface InstanceState {
  readonly instanceId: string
  readonly timing: InstanceTiming
  readonly delayMs: number
  /** Time for which the network refuses another connection; 0 if it gave none. */
  readonly waitMs: number
  readonly attempt: number
  /** Time of the next attempt, Unix milliseconds; of use only in `waiting`. */
  readonly nextAttemptAtMs: number
  readonly pairing: Pairing | null
  readonly qrcodeText: string | null
  /** Time at which another QR replaces this one, Unix milliseconds. */
  readonly qrEndsAtMs: number | null
  readonly paircode: string | null
  /** Time at which the window of the pairing ends, Unix milliseconds. */
  readonly pairingEndsAtMs: number | null
  /** The pairing with a passkey that is under way. */
  readonly passkey: PasskeyChallenge | null
  readonly jid: string | null
  readonly cause: DisconnectCause | null
  /** The network's code for the last end; 0 if it gave none. */
  readonly code: number
  /** A sentence for people; null while connected. */
  readonly reason: string | null
  /** Maximum time for messages that are on their way when the actor finishes. */
  readonly finishMs: number
}

export interface PasskeyChallenge {
  readonly publicKey: PasskeyOptions
  readonly lastsMs: number
  /** Code to compare with the one on the phone; null before it is known, and if there is nothing to compare. */
  readonly code: string | null
  /** End of the present step, Unix milliseconds. */
  readonly untilMs: number
}

/** How the connection of a state is opened. */
export interface ConnectionInput {
  readonly pairing: Pairing | null
  /** True if a caller, or the network, waits for the login. Reconnects that nobody waits for stand behind it. */
  readonly isAwaited: boolean
}

export type InstanceEvent =
  | { type: 'command.connect'; pairing: Pairing | null }
  /** Connects with the stored credentials; no caller waits. */
  | { type: 'command.resume' }
  | { type: 'command.disconnect' }
  /** Ends the connection and keeps the pairing. */
  | { type: 'command.stop' }
  | { type: 'command.reset' }
  | { type: 'command.finish'; withinMs: number }
  | { type: 'network.qr'; text: string; lastsMs: number }
  | { type: 'network.code'; code: string }
  | { type: 'network.passkey'; publicKey: PasskeyOptions; lastsMs: number }
  | { type: 'network.passkeyCode'; code: string | null }
  /** The signed challenge is on its way to the network. */
  | { type: 'command.passkey' }
  | { type: 'command.confirmPasskey' }
  | { type: 'network.opened'; jid: string }
  /** Logins report another version from now on. */
  | { type: 'version.changed' }
  | { type: 'network.closed'; cause: DisconnectCause; code: number; message: string; detail?: string; waitMs?: number }
  | { type: 'presence.start'; chat: ChatAddress; kind: Exclude<PresenceKind, 'paused'>; durationMs: number }
  | { type: 'presence.pause'; chat: ChatAddress }
  | { type: 'presence.cancel'; chat: ChatAddress }

/** Facts that the machine emits for its instance, which writes them. */
export type InstanceNotice =
  | { type: 'stopped'; cause: DisconnectCause; reason: string; forgetCredentials: boolean }
  | { type: 'lost'; cause: DisconnectCause; reason: string }

type ActorSystem = AnyActor['system']

/** The parts of an instance that its machine uses. */
interface MachineParts {
  /** Opens a connection. Returns a function that ends it. */
  hold(input: ConnectionInput, sendBack: (event: InstanceEvent) => void): () => void
  /** Resolves when the network has answered all messages that were handed to it. */
  answered(): Promise<void>
  /** Shows a presence over the present connection. Must not throw. */
  show(shown: ShownPresence): void
  /** Returns a number between 0 and 1. */
  random(): number
}

/**
 * The parts of each instance, by the system of its actor. All instances run one machine: one that is made with the parts of its instance
 * (`provide`) is copied with all its states, which takes 45 KiB.
 */
const partsBySystem = new WeakMap<ActorSystem, MachineParts>()

/** Gives an actor its parts. Must be called before it starts. */
export function useParts(system: ActorSystem, parts: MachineParts): void {
  partsBySystem.set(system, parts)
}

/** Returns the parts of the instance whose actor runs in this system. @throws Error if it has none */
export function partsIn(system: ActorSystem): MachineParts {
  const parts = partsBySystem.get(system)
  if (parts === undefined) throw new Error('The actor of an instance was started without its parts.')
  return parts
}

export interface ShownPresence {
  readonly chat: ChatAddress
  readonly kind: PresenceKind
}
