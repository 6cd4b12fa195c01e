/** Types only. */
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { ConnectRequest, LiveStatus } from '../../schemas/session.js'
import type { InstanceJournal, InstanceReader } from '../instance/ports.js'
import type { Presences } from '../instance/presences.js'
import type { Sends } from '../instance/sends.js'
import type { Connection } from '../network/port/connection.js'

/** The parts of one instance that its operations use. One object lives as long as the actor of the instance. */
export interface InstanceContext {
  readonly id: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly account: Account
  readonly timing: OperationTiming
  readonly session: Session
  readonly sends: Pick<Sends, 'send' | 'revise' | 'queueStatus' | 'clearQueue'>
  readonly presences: Pick<Presences, 'start' | 'pause'>
  /**
   * Resolves to the open connection. Waits up to `parkTimeoutMs` while the instance connects.
   * @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING
   */
  connection(): Promise<Connection>
}

/** The life of the actor and of its connection. */
export interface Session {
  live(): LiveStatus
  connect(request: ConnectRequest): Promise<LiveStatus>
  disconnect(): Promise<LiveStatus>
  reset(): LiveStatus
  /** Begins nothing new, and gives what is on its way to the network a moment to be answered. */
  finish(withinMs: number): Promise<void>
  /** Ends the actor. Calls without an answer fail with `why`. */
  stop(why: Error): Promise<void>
}

/** The account that the instance is paired with, as far as this life of the actor knows it. */
export interface Account {
  own: ChatAddress | null
  profileName: string | null
}

export interface OperationTiming {
  /** How long a call waits for a connection or a move of its instance. */
  readonly parkTimeoutMs: number
  /** How long a call waits for the network's acknowledgement. */
  readonly ackTimeoutMs: number
}

/** Makes a state that each instance has once, for as long as its actor lives. */
export function perInstance<T>(make: () => T): (context: InstanceContext) => T {
  const states = new WeakMap<InstanceContext, T>()
  return (context) => {
    let state = states.get(context)
    if (state === undefined) {
      state = make()
      states.set(context, state)
    }
    return state
  }
}
