import type { AnyActor } from 'xstate'
import type { ChatAddress } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import type { ConnectionInput, InstanceEvent } from './machine-events.js'

type ActorSystem = AnyActor['system']

/** The parts of an instance that its machine uses. */
export interface MachineParts {
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
const partsOf = new WeakMap<ActorSystem, MachineParts>()

/** Gives an actor its parts. Must be called before it starts. */
export function useParts(system: ActorSystem, parts: MachineParts): void {
  partsOf.set(system, parts)
}

/** Returns the parts of the instance whose actor runs in this system. @throws Error if it has none */
export function partsIn(system: ActorSystem): MachineParts {
  const parts = partsOf.get(system)
  if (parts === undefined) throw new Error('The actor of an instance was started without its parts.')
  return parts
}

export interface ShownPresence {
  readonly chat: ChatAddress
  readonly kind: PresenceKind
}
