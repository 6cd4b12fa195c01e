import type { Logger } from 'pino'
import { type Actor, createActor, waitFor } from 'xstate'
import { errorText } from '../../lib/error-text.js'
import { withTimeLimit } from '../../lib/time-limit.js'
import type { LimitKind } from '../../schemas/account-limits.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { MessageIds } from '../../schemas/message-id.js'
import type { PacingHold, PacingSettings, ParkReason } from '../../schemas/pacing.js'
import type { ConnectionStatus } from '../../schemas/session.js'
import { progressRecord } from '../../schemas/session.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import { Agents } from '../agents/agents.js'
import type { AgentServers } from '../agents/turn-ports.js'
import { AgentTurns } from '../agents/turns.js'
import type { CampaignBrake } from '../campaigns/brake.js'
import { Campaigns } from '../campaigns/campaigns.js'
import { ChangeUnanswered } from '../network/port/change-unanswered.js'
import type { DisconnectCause } from '../network/port/events.js'
import type { ActorLife, InstanceContext } from '../operations/context.js'
import { type Command, findOperation, type ReplyOf } from '../operations/index.js'
import type { AnyOperation } from '../operations/operation.js'
import { AutomaticReading } from './automatic-reading.js'
import { CallRejections } from './call-rejections.js'
import { ChannelUpdates } from './channel-updates.js'
import type { Feature } from './feature.js'
import { InstanceHealth } from './health.js'
import { HistoryRequests } from './history-requests.js'
import { Inbox } from './inbox.js'
import { Limits } from './limits.js'
import { type ConnectionDependencies, LiveConnection } from './live-connection.js'
import { instanceMachine } from './machine.js'
import type { InstanceTiming } from './machine-events.js'
import { useParts } from './machine-events.js'
import type { OperationTiming } from './operation-timing.js'
import { OptOuts } from './opt-outs.js'
import { OutgoingCalls } from './outgoing-calls.js'
import { Pacer } from './pacer.js'
import type { Change, FilesToSend, InstanceMetric } from './ports.js'
import { PresenceWatch } from './presence-watch.js'
import { Presences } from './presences.js'
import type { Account, ResolvedChatCache, SendsContext } from './sends/context.js'
import { Sends } from './sends/sends.js'
import { InstanceSession } from './session.js'
import { StatusWriter } from './status-writer.js'

export interface InstanceDependencies extends ConnectionDependencies {
  readonly files: FilesToSend
  readonly logger: Logger
  readonly timing: InstanceTiming &
    OperationTiming & {
      /** Time between two looks at the network's restrictions of an account. 0: none without a cause. */
      readonly limitsCheckMs: number
      readonly pacing: PacingSettings
    }
  /** Name of the node. */
  readonly nodeId: string
  readonly resolvedChats: ResolvedChatCache
  /** Slows down the campaigns of all instances of the node together. */
  readonly campaignBrake: CampaignBrake
  /** Wakes the queue of the instance after a send was added to it. */
  readonly wakeQueue: () => void
  /** Runs `Sends.runDue` after that time. Of several times the earliest counts; the sweep finds those beyond half a minute. */
  readonly wakeDueIn: (inMs: number) => void
  /** Draws a QR as a data URL, for events. */
  readonly drawQr: (text: string) => Promise<string>
  /** Returns a number between 0 and 1. */
  readonly random: () => number
  readonly messageIds: MessageIds
  readonly count: (metric: InstanceMetric) => void
  /** Absent: no agent answers. */
  readonly agentServers?: AgentServers
}

/** The actor of one instance on the node that owns it: its machine and its parts, and the calls that it has not answered. */
export class Instance implements ActorLife {
  readonly id: InstanceId
  readonly #deps: InstanceDependencies
  readonly #logger: Logger
  readonly #machine: Actor<typeof instanceMachine>
  readonly #connection: LiveConnection
  readonly #session: InstanceSession
  readonly #statusWriter: StatusWriter
  readonly #sends: Sends
  readonly #campaigns: Campaigns
  readonly #inbox: Inbox
  readonly #limits: Limits
  readonly #pacer: Pacer
  readonly #agents: Agents
  readonly #health = new InstanceHealth()
  readonly #history: ConnectionHistory
  readonly #historyRequests: HistoryRequests
  readonly #outgoingCalls: OutgoingCalls
  readonly #channelUpdates: ChannelUpdates
  readonly #context: InstanceContext
  /** Rejects each call that is not answered yet. */
  readonly #unanswered = new Set<(why: Error) => void>()

  constructor(id: InstanceId, deps: InstanceDependencies) {
    this.id = id
    this.#deps = deps
    this.#logger = deps.logger.child({ instanceId: id })
    this.#agents = new Agents({ id, reader: deps.reader })
    this.#connection = new LiveConnection(id, deps, this.#logger, () => this.#agents.ready())
    this.#machine = this.#createMachine()
    const account: Account = { own: null, profileName: null }
    this.#session = new InstanceSession({
      id,
      network: deps.network,
      journal: deps.journal,
      reader: deps.reader,
      machine: this.#machine,
      connection: this.#connection,
      account,
    })
    this.#statusWriter = new StatusWriter(deps.journal, deps.drawQr, () => this.#session.isStopped)
    const base = this.#baseContext(account)
    this.#pacer = this.#createPacer(base)
    const parts: SendsContext = { ...base, pacer: this.#pacer }
    this.#sends = new Sends(parts)
    const featured = this.#createFeatures(parts)
    this.#campaigns = featured.campaigns
    const features = Object.values(featured).filter((feature) => feature !== null)
    this.#sends.tell(features)
    const callRejections = new CallRejections(parts, this.#sends, () => this.restrictions.length > 0)
    const automaticReading = new AutomaticReading(parts)
    this.#historyRequests = new HistoryRequests(deps.journal)
    this.#outgoingCalls = new OutgoingCalls(parts)
    const outgoingCalls = this.#outgoingCalls
    this.#history = new ConnectionHistory(parts, deps.nodeId)
    this.#limits = new Limits({
      context: parts,
      write: (changes) => this.#connection.write(changes),
      checkMs: deps.timing.limitsCheckMs,
      onChange: (known) => this.#pacer.limitsChanged(known),
      rateRestMs: () => this.#pacer.rateRestMs(),
    })
    const presenceWatch = new PresenceWatch(parts, (changes) => this.#connection.write(changes))
    this.#channelUpdates = new ChannelUpdates(parts)
    const channelUpdates = this.#channelUpdates
    const { nodeId: node, network } = deps
    const [limits, health, recordings] = [this.#limits, this.#health, network.recordings]
    const abilities = {
      callRejections,
      automaticReading,
      presenceWatch,
      channelUpdates,
      limits,
      health,
      node,
      recordings,
      agents: this.#agents,
    }
    const historyRequests = this.#historyRequests
    const own = { sends: this.#sends, ...featured, actor: this, historyRequests, outgoingCalls }
    this.#context = { ...parts, ...own, ...abilities }
    const inbound = {
      connection: this.#connection,
      sends: this.#sends,
      features,
      callRejections,
      automaticReading,
      presenceWatch,
      channelUpdates,
      historyRequests,
      outgoingCalls,
      limits,
      pacer: this.#pacer,
    }
    this.#inbox = new Inbox({ context: parts, ...inbound, count: (metric) => this.#count(metric) })
    this.#startMachine()
  }

  get status(): ConnectionStatus {
    return this.#session.status
  }

  /** The network's restrictions that hold now, as far as they are known. */
  get restrictions(): readonly LimitKind[] {
    return this.#limits.active()
  }

  /** The reasons for which its sends wait. */
  get holds(): readonly PacingHold[] {
    return this.#pacer.holds
  }

  /** Returns the number of its parked sends, by reason. */
  parked(): Readonly<Record<ParkReason, number>> {
    return this.#pacer.parked()
  }

  /** See `InstanceSession.resume`. */
  resume(): void {
    this.#session.resume()
  }

  /** See `InstanceSession.versionChanged`. */
  versionChanged(): void {
    this.#session.versionChanged()
  }

  /** Sends what is queued; see `Sends.runQueue`. */
  async runQueue(): Promise<void> {
    await this.#sends.runQueue()
  }

  /** Does what is due now; see `Sends.runDue`. */
  async runDue(): Promise<void> {
    await this.#sends.runDue()
  }

  /** @throws ShardMoved if the actor is stopped before the answer, GatewayError */
  ask<C extends Command>(command: C): Promise<ReplyOf[C['type']]>
  ask(command: Command): Promise<unknown> {
    const operation = findOperation(command.type)
    // In a roll-out a newer node asks. Its call is answered once the instance has moved to a new one.
    if (operation === undefined) return Promise.reject(new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 }))
    return new Promise((resolve, reject) => {
      if (operation.endsActor !== true) this.#unanswered.add(reject)
      const run = async (): Promise<unknown> => operation.run(this.#context, command)
      run()
        .then(resolve, (error: unknown) =>
          reject(this.#session.isFinishing ? asMoved(error) : asUnknown(error, operation, command)),
        )
        .finally(() => void this.#unanswered.delete(reject))
    })
  }

  /** Begins nothing new, and gives messages that are on their way to the network a moment to be answered. `stop` follows. */
  async finish(withinMs: number): Promise<void> {
    const callEnded = this.#outgoingCalls.finish()
    this.#machine.send({ type: 'command.finish', withinMs })
    this.#sends.stop()
    // Rejects if the actor is stopped meanwhile.
    await waitFor(this.#machine, (snapshot) => snapshot.matches({ life: 'quiet' })).catch(() => {})
    await withTimeLimit(callEnded, withinMs, () => {})
  }

  /** Ends the socket and every timer. Earlier writes become durable first. Calls without an answer then fail with `why`. */
  async stop(why: Error = new ShardMoved({ wasBegun: true })): Promise<void> {
    if (this.#session.isStopped) return
    this.#sends.stop()
    this.#limits.closed()
    this.#channelUpdates.closed()
    this.#pacer.stop()
    this.#historyRequests.stop()
    this.#outgoingCalls.stop()
    const connection = this.#connection.current
    this.#machine.stop()
    await connection?.closed()
    await Promise.allSettled([this.#deps.journal.settled(), this.#statusWriter.settled(), this.#inbox.settled()])
    for (const fail of this.#unanswered) fail(why)
  }

  /** Resolves when no frame and no answer of a message is on its way. */
  async #answered(): Promise<void> {
    do {
      await this.#sends.answered()
      // Receipts and others do not wait for company.
      await this.#deps.journal.settled()?.catch(() => {})
      // A frame whose caller waits no more may be held still.
      await this.#connection.current?.flushed()
    } while (this.#sends.isWaiting)
  }

  /** In the order in which they add to the changes of a received message. */
  #createFeatures(context: SendsContext) {
    const { agentServers: servers, campaignBrake: brake } = this.#deps
    const { forFeatures: sends } = this.#sends
    const agents = this.#agents
    const agentTurns =
      servers === undefined ? null : new AgentTurns(context, { servers, agents, delivery: sends.delivery })
    return {
      campaigns: new Campaigns(context, { sends, brake }),
      optOuts: new OptOuts(context),
      agentTurns,
    } satisfies Readonly<Record<string, Feature | null>>
  }

  #createPacer(context: Omit<SendsContext, 'pacer'>): Pacer {
    const { wakeQueue, wakeDueIn } = context
    // A rest that ends concerns the queue and the campaigns.
    const wake = (): void => {
      wakeQueue()
      wakeDueIn(0)
    }
    return new Pacer({
      context: { ...context, wakeQueue: wake },
      settings: this.#deps.timing.pacing,
      write: (changes) => this.#connection.write(changes),
      limits: { known: () => this.#limits.known(), renewed: () => this.#limits.renewed() },
    })
  }

  #baseContext(account: Account): Omit<SendsContext, 'pacer'> {
    const { journal, reader, files, resolvedChats, timing, random, messageIds, wakeQueue, wakeDueIn, epoch } =
      this.#deps
    return {
      id: this.id,
      life: `${this.id}@${epoch()}`,
      logger: this.#logger,
      journal,
      reader,
      files,
      resolvedChats,
      account,
      timing,
      session: this.#session,
      presences: new Presences(this.#machine),
      random,
      messageIds,
      wakeQueue,
      wakeDueIn,
      count: (metric) => this.#count(metric),
      connection: (waitMs = timing.parkTimeoutMs) => this.#session.connection(waitMs),
    }
  }

  #createMachine(): Actor<typeof instanceMachine> {
    const { timing, random } = this.#deps
    const machine = createActor(instanceMachine, { input: { instanceId: this.id, timing } })
    useParts(machine.system, {
      hold: (input, sendBack) => this.#connection.hold(input, (event) => this.#inbox.take(event, sendBack)),
      answered: () => this.#answered(),
      show: ({ chat, kind }) => void this.#connection.showPresence(chat, kind),
      random,
    })
    return machine
  }

  #startMachine(): void {
    this.#machine.subscribe({
      next: () => this.#noteStatus(),
      error: (error) => this.#logger.error({ error: errorText(error) }, 'The machine of an instance failed.'),
    })
    this.#machine.on('stopped', (notice) => {
      this.#logger.info({ cause: notice.cause }, 'An instance stopped; only a command connects it again.')
      this.#deps.journal.together(() => {
        this.#session.ended(notice)
        this.#campaigns.accountEnded(notice.cause)
      })
    })
    this.#machine.on('lost', (notice) => this.#session.lost(notice))
    this.#machine.start()
  }

  #count(metric: InstanceMetric): void {
    this.#health.note(metric)
    this.#deps.count(metric)
  }

  #noteStatus(): void {
    const { value, context } = this.#machine.getSnapshot()
    const { qrcodeText, paircode, reason, cause, code } = context
    const { status, state, progress } = this.#session.live()
    this.#history.note({ status, state, cause, code, reason })
    this.#health.noteState(JSON.stringify(value.session), this.status === 'connected' ? null : cause)
    const wasLoggedOut = cause === 'loggedOut'
    const passkey = this.#session.passkey.show()
    const shown = { status: this.status, qr: qrcodeText, code: paircode, reason, passkey, wasLoggedOut }
    this.#statusWriter.note({ ...shown, progress: progressRecord(state, progress) })
  }
}

/** Maps the errors that a stopped actor causes to `ShardMoved`. They tell nothing about the instance. */
function asMoved(error: unknown): unknown {
  const isOfStop =
    error instanceof GatewayError &&
    ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NOT_LOGGED_IN', 'NOT_OWNER'].includes(error.code)
  return isOfStop ? new ShardMoved({ wasBegun: true }) : error
}

/** Maps an unanswered change of the network to OUTCOME_UNKNOWN, unless its command may be repeated: then it is safe to ask again. */
function asUnknown(error: unknown, { repeat }: AnyOperation, command: Command): unknown {
  if (!(error instanceof GatewayError) || !(error.cause instanceof ChangeUnanswered)) return error
  const isRepeatable = typeof repeat === 'function' ? repeat(command) !== null : repeat
  return isRepeatable ? error : new GatewayError('OUTCOME_UNKNOWN', { cause: error })
}

export interface ConnectionState {
  readonly status: ConnectionStatus
  /** The machine's state, finer than the status. */
  readonly state: string
  readonly cause: DisconnectCause | null
  /** The network's code; 0 if it gave none. */
  readonly code: number
  readonly reason: string | null
}

type Entry = ConnectionState & { readonly atMs: number }

/** Maximum of entries that wait for the store. Older ones are dropped. */
const WAITING_MAX = 20

/** Writes each change of the connection's status, and each new cause, with its time. Entries that the store did not take wait for the next. */
export class ConnectionHistory {
  readonly #context: Pick<SendsContext, 'journal' | 'logger'>
  readonly #node: string
  #last = ''
  #waiting: readonly Entry[] = []

  constructor(context: Pick<SendsContext, 'journal' | 'logger'>, node: string) {
    this.#context = context
    this.#node = node
  }

  note(now: ConnectionState): void {
    const { status, cause, code, reason } = now
    const name = JSON.stringify([status, status === 'connected' ? null : [cause, code, reason]])
    // An actor begins as disconnected. That is no change.
    if (name === this.#last || (this.#last === '' && status === 'disconnected')) return
    this.#last = name
    this.#write([...this.#waiting, { ...now, atMs: Date.now() }].slice(-WAITING_MAX))
  }

  #write(entries: readonly Entry[]): void {
    this.#waiting = []
    this.#context.journal.write(entries.map((entry) => this.#createChange(entry))).catch((error: unknown) => {
      const isOver = error instanceof GatewayError && ['NOT_OWNER', 'INSTANCE_EXPORTED'].includes(error.code)
      if (!isOver) this.#waiting = [...entries, ...this.#waiting].slice(-WAITING_MAX)
      this.#context.logger.debug({ error: errorText(error) }, 'The history of a connection was not stored.')
    })
  }

  #createChange({ status, state, cause, code, reason, atMs }: Entry): Change {
    const why =
      status === 'connected' ? { cause: '', code: 0, reason: '' } : { cause: cause ?? '', code, reason: reason ?? '' }
    return { type: 'connection', ageMs: Date.now() - atMs, status, state, ...why, node: this.#node }
  }
}
