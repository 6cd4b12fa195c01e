/** Types only. */
import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { MessageIds } from '../../../schemas/message-id.js'
import type { ConnectRequest, LiveStatus } from '../../../schemas/session.js'
import type { Connection } from '../../network/port/connection.js'
import type { InstanceReader } from '../instance-reader.js'
import type { OperationTiming } from '../operation-timing.js'
import type { Pacer } from '../pacer.js'
import type { PasskeySession } from '../passkey-session.js'
import type { FilesToSend, InstanceJournal, InstanceMetric } from '../ports.js'
import type { Presences } from '../presences.js'

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
