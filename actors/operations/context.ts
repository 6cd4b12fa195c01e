/** Types only. */
import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import type { MessageIds } from '../../schemas/message-id.js'
import type { ConnectRequest, LiveStatus } from '../../schemas/session.js'
import type { Agents } from '../agents/agents.js'
import type { AutomaticReading } from '../instance/automatic-reading.js'
import type { CallRejections } from '../instance/call-rejections.js'
import type { CampaignBrake } from '../instance/campaigns/braked-turns.js'
import type { CheckLimits } from '../instance/campaigns/check-budget.js'
import type { ChannelUpdates } from '../instance/channel-updates.js'
import type { Health } from '../instance/health.js'
import type { HistoryRequests } from '../instance/history-requests.js'
import type { InstanceReader } from '../instance/instance-reader.js'
import type { Limits } from '../instance/limits.js'
import type { OptOuts } from '../instance/opt-outs.js'
import type { OutgoingCalls } from '../instance/outgoing-calls.js'
import type { Pacer } from '../instance/pacer.js'
import type { PasskeySession } from '../instance/passkey-session.js'
import type { FilesToSend, InstanceJournal, InstanceMetric } from '../instance/ports.js'
import type { PresenceWatch } from '../instance/presence-watch.js'
import type { Presences } from '../instance/presences.js'
import type { Sends } from '../instance/sends/sends.js'
import type { Connection } from '../network/port/connection.js'
import type { Recordings } from '../network/port/recordings.js'

/** The parts of one instance that its operations use. One object lives as long as the actor of the instance. */
export interface InstanceContext extends SendsContext {
  readonly sends: Pick<
    Sends,
    | 'send'
    | 'revise'
    | 'setTimer'
    | 'queueStatus'
    | 'clearQueue'
    | 'reschedule'
    | 'cancelScheduled'
    | 'campaigns'
    | 'agentTurns'
  >
  readonly actor: ActorLife
  /** Name of the node. */
  readonly node: string
  readonly limits: Pick<Limits, 'check' | 'known' | 'explained'>
  readonly health: Pick<Health, 'report'>
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

/** The parts of one instance that its sends use. */
export interface SendsContext {
  readonly id: InstanceId
  /** Names the instance under its present epoch. Facts that were cached under a former epoch may be outdated. */
  readonly life: string
  readonly logger: Logger
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  readonly files: FilesToSend
  readonly resolvedChats: ResolvedChatCache
  readonly account: Account
  readonly timing: OperationTiming
  readonly session: Session
  /** Decides when sends that nobody waits for may leave. */
  readonly pacer: PacerOfSends
  /** Slows down the campaigns of all instances of the node together, so that it stays responsive. */
  readonly campaignBrake: CampaignBrake
  readonly presences: Pick<Presences, 'start' | 'pause' | 'cancel'>
  /** Returns a number between 0 and 1. */
  readonly random: () => number
  readonly messageIds: Pick<MessageIds, 'ofRecipient' | 'ofAnswer'>
  /** Counts something for metrics. */
  readonly count: (metric: InstanceMetric) => void
  /** Wakes the queue of the instance after a send was added to it. */
  readonly wakeQueue: () => void
  /** Runs `Sends.runDue` after that time. Of several times the earliest counts; the sweep finds those beyond half a minute. */
  readonly wakeDueIn: (inMs: number) => void
  /**
   * Resolves to the open connection. Waits up to `waitMs`, by default `parkTimeoutMs`, while the instance connects.
   * @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, NOT_LOGGED_IN, STORE_UNAVAILABLE
   */
  readonly connection: (waitMs?: number) => Promise<Connection>
}

export type PacerOfSends = Pick<
  Pacer,
  | 'decide'
  | 'asksForNewChats'
  | 'newChatsHold'
  | 'taken'
  | 'pauseMs'
  | 'meanIntervalMs'
  | 'direct'
  | 'refused'
  | 'accepted'
  | 'noteParked'
  | 'idle'
  | 'nowMs'
  | 'restedMs'
  | 'restChanges'
  | 'report'
  | 'outlook'
  | 'use'
>

/** The life of the connection. */
export interface Session {
  readonly isConnected: boolean
  /** True from the moment at which the actor begins nothing new. */
  readonly isFinishing: boolean
  /** @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING unless connected, or about to be without help */
  assertActive(): void
  live(): LiveStatus
  connect(request: ConnectRequest): Promise<LiveStatus>
  disconnect(): Promise<LiveStatus>
  start(waitMs: number): Promise<LiveStatus>
  stop(): Promise<LiveStatus>
  reset(): LiveStatus
  renewRoute(): LiveStatus
  readonly passkey: Pick<PasskeySession, 'show' | 'respond' | 'confirm'>
}

/** The life of the actor. */
export interface ActorLife {
  /** Begins nothing new, and gives messages that are on their way to the network a moment to be answered. */
  finish(withinMs: number): Promise<void>
  /** Ends the actor. Calls without an answer fail with `why`. */
  stop(why: Error): Promise<void>
}

/** The account that the instance is paired with, as far as this life of the actor knows it. */
export interface Account {
  own: ChatAddress | null
  profileName: string | null
}

/** Facts about a chat that are cached for the whole node. They are read again when the cache has dropped them. */
export interface ResolvedChat {
  readonly address: ChatAddress
  readonly expirationSeconds: number
}
export type ResolvedChatCache = LRUCache<string, ResolvedChat>

export interface OperationTiming {
  /** Maximum time that a call waits for a connection or a move of its instance. */
  readonly parkTimeoutMs: number
  /** Maximum time that a call waits for the network's acknowledgement. A send with a longer delay is answered as `queued`. */
  readonly ackTimeoutMs: number
  /** Maximum time for which typing or recording is shown. */
  readonly presenceMaxMs: number
  /** Messages that were not sent within this time are given up. */
  readonly sendMaxAgeMs: number
  /** Time between two queued sends: between these two, at random. */
  readonly pacingMinMs: number
  readonly pacingMaxMs: number
  /** True if reactions to messages of the account itself are taken. Default: false. */
  readonly reactsToOwn?: boolean
  /** Time between a scheduled send and the next queued one. */
  readonly scheduledPacingMinMs: number
  readonly scheduledPacingMaxMs: number
  /** Maximum of queued sends of one instance. Further ones are refused. */
  readonly queueMax: number
  /** Maximum of scheduled sends of an instance. */
  readonly scheduleMax: number
  /** Maximum of numbers that campaigns of an instance look up. */
  readonly numberChecks: CheckLimits
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
