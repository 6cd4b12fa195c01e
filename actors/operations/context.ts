/** Types only. */
import type { Agents } from '../agents/agents.js'
import type { AgentTurns } from '../agents/turns.js'
import type { Campaigns } from '../campaigns/campaigns.js'
import type { AutomaticReading } from '../instance/automatic-reading.js'
import type { CallRejections } from '../instance/call-rejections.js'
import type { ChannelUpdates } from '../instance/channel-updates.js'
import type { InstanceHealth } from '../instance/health.js'
import type { HistoryRequests } from '../instance/history-requests.js'
import type { Limits } from '../instance/limits.js'
import type { OptOuts } from '../instance/opt-outs.js'
import type { OutgoingCalls } from '../instance/outgoing-calls.js'
import type { PresenceWatch } from '../instance/presence-watch.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { Sends } from '../instance/sends/sends.js'
import type { Recordings } from '../network/port/recordings.js'

/** The parts of one instance that its operations use. One object lives as long as the actor of the instance. */
export interface InstanceContext extends SendsContext {
  readonly sends: Pick<
    Sends,
    'send' | 'revise' | 'setTimer' | 'queueStatus' | 'clearQueue' | 'reschedule' | 'cancelScheduled'
  >
  readonly campaigns: Pick<Campaigns, 'begin' | 'pause' | 'resume' | 'remove' | 'cap' | 'clear'>
  /** Null: the node has no servers for agents. */
  readonly agentTurns: Pick<AgentTurns, 'retry' | 'tellBudget'> | null
  readonly actor: ActorLife
  /** Name of the node. */
  readonly node: string
  readonly limits: Pick<Limits, 'check' | 'known' | 'explained'>
  readonly health: Pick<InstanceHealth, 'report'>
  readonly historyRequests: Pick<HistoryRequests, 'begin' | 'answer' | 'failed'>
  readonly outgoingCalls: Pick<OutgoingCalls, 'ring' | 'hangUp'>
  readonly callRejections: Pick<CallRejections, 'settings' | 'use'>
  readonly automaticReading: Pick<AutomaticReading, 'settings' | 'use'>
  readonly optOuts: Pick<OptOuts, 'words' | 'use'>
  readonly agents: Pick<Agents, 'config' | 'reload'>
  readonly recordings: Recordings
  readonly presenceWatch: Pick<PresenceWatch, 'known' | 'use' | 'show' | 'look'>
  readonly channelUpdates: Pick<ChannelUpdates, 'want' | 'drop'>
}

/** The life of the actor. */
export interface ActorLife {
  /** Begins nothing new, and gives messages that are on their way to the network a moment to be answered. */
  finish(withinMs: number): Promise<void>
  /** Ends the actor. Calls without an answer fail with `why`. */
  stop(why: Error): Promise<void>
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
