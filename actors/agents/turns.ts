import { errorText } from '../../lib/error-text.js'
import type { OpenTurn } from '../../schemas/agents/turns.js'
import { GatewayError } from '../../schemas/errors.js'
import { isProgramError } from '../../schemas/program-error.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import { asWork } from '../../schemas/work.js'
import type { Feature } from '../instance/feature.js'
import type { Change } from '../instance/ports.js'
import { newTurnId, Openings } from './openings.js'
import { TurnCourse } from './turn.js'
import type { TurnContext, TurnParts } from './turn-ports.js'
import { TurnReplies } from './turn-replies.js'
import { TurnWriter } from './turn-writer.js'

/** Turns that are read at once. */
const PAGE = 50
/** Time until another look while the node has no room for a turn. */
const FULL_MS = 500
/** Time until another look after a turn failed by a loss of the connection or the store. */
const FAILED_MS = 5_000

const BLOCKED_TWICE = 'The turn blocked the gateway until it ended itself, twice. The log of the gateway describes it.'

/** Time for which the owner trusts that no turn is open. */
const FRESH_MS = 20_000

interface Running {
  readonly generation: number
  readonly abort: AbortController
}

/**
 * The turns of the agents of one instance. PostgreSQL says which are due; those that run are known here, and nowhere else. A turn that was
 * under way when its owner ended is open and runs nowhere, so the next owner goes on with it.
 */
export class AgentTurns implements Feature {
  readonly #context: TurnContext
  readonly #parts: TurnParts
  readonly #writer: TurnWriter
  readonly #course: TurnCourse
  readonly #replies: TurnReplies
  readonly #openings: Openings
  readonly #running = new Map<string, Running>()
  /** False: no turn was open at the last look. Null: not known. */
  #hasOpen: boolean | null = null
  #lookedAtMs = Number.NEGATIVE_INFINITY
  /** A turn is due, and waits for a connection. */
  #waitsForConnection = false
  #isLooking = false
  #hasEndedAbandoned = false
  #isLookWanted = false
  #isStopped = false

  constructor(context: TurnContext, parts: TurnParts) {
    this.#context = context
    this.#parts = parts
    const writer = new TurnWriter(context)
    this.#writer = writer
    this.#course = new TurnCourse(context, parts, writer)
    this.#replies = new TurnReplies(context, parts, writer)
    const { agents, servers } = parts
    const { answerMs } = servers.limits
    this.#openings = new Openings(context, { agents, answerMs, onChange: () => this.#noteChange() })
  }

  /** Returns the changes of a message of the network, to be written behind it. */
  listChanges(message: NewMessage): readonly Change[] {
    return this.#openings.listChanges(message)
  }

  /** Handles a new connection: turns that waited for it go on. */
  opened(): void {
    if (!this.#waitsForConnection) return
    this.#waitsForConnection = false
    void this.run()
  }

  agentsPaused(): void {
    void this.run()
  }

  runDue(): void {
    void this.run()
  }

  /** Ends what is under way. The next owner goes on with it. */
  stop(): void {
    this.#isStopped = true
    for (const { abort } of this.#running.values()) abort.abort(new Error('The owner of the instance has changed.'))
  }

  /**
   * Opens a turn for the messages of one that gave no answer, and returns its id.
   * @throws GatewayError TURN_NOT_FOUND, TURN_NOT_RETRYABLE
   */
  async retry(id: string): Promise<string> {
    const { id: instance, journal, reader } = this.#context
    const state = await reader.turnState(instance, id)
    if (state === null) throw new GatewayError('TURN_NOT_FOUND')
    const nextTurn = newTurnId()
    await journal.write([{ type: 'agent.turn', kind: 'retry', turn: id, nextTurn }])
    if ((await reader.openTurn(instance, nextTurn)) === null) throw new GatewayError('TURN_NOT_RETRYABLE')
    this.#hasOpen = true
    void this.run()
    return nextTurn
  }

  /** Emits the event about the budget of the day that is due, if there is one. */
  tellBudget(): Promise<void> {
    return this.#course.tellBudget()
  }

  /** Begins the turns that are due, and ends those under way that have begun again or ended. Never waits for a turn, and never rejects. */
  async run(): Promise<void> {
    const isFresh = performance.now() - this.#lookedAtMs < FRESH_MS
    if (this.#hasOpen === false && this.#running.size === 0 && isFresh) return
    this.#isLookWanted = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#isLookWanted && !this.#isStopped) {
        this.#isLookWanted = false
        await this.#look()
      }
    } catch (error) {
      this.#hasOpen = null
      this.#context.logger.debug({ error: errorText(error) }, 'The turns of agents of an instance wait.')
    } finally {
      this.#isLooking = false
    }
  }

  async #look(): Promise<void> {
    const { id, reader, journal, session, wakeDueIn } = this.#context
    // A message that opens a turn meanwhile sets this again.
    this.#hasOpen = false
    this.#lookedAtMs = performance.now()
    await journal.settled()?.catch(() => {})
    await this.#endAbandoned()
    const turns = await reader.openTurns(id, PAGE)
    if (turns.length > 0) this.#hasOpen = true
    await this.#endOutdated(turns)
    const [first] = turns.filter((turn) => !this.#running.has(turn.id))
    if (first === undefined) return
    if (!session.isConnected) {
      this.#waitsForConnection = true
      return
    }
    for (const turn of turns) {
      if (this.#running.has(turn.id)) continue
      if (turn.dueInMs > 0) return wakeDueIn(turn.dueInMs)
      if (this.#running.size >= this.#parts.servers.limits.atOnceMax) return
      if (!this.#parts.servers.slots.take()) return wakeDueIn(FULL_MS)
      this.#start(turn)
    }
  }

  /** Ends the reservations of calls that were under way when the former owner ended. No turn of this one has begun. */
  async #endAbandoned(): Promise<void> {
    if (this.#hasEndedAbandoned) return
    if (await this.#context.reader.hasLostCalls(this.#context.id)) await this.#writer.abandoned()
    this.#hasEndedAbandoned = true
  }

  /** Ends the turns under way that began again or ended meanwhile. */
  async #endOutdated(turns: readonly OpenTurn[]): Promise<void> {
    const { id, reader } = this.#context
    for (const [turnId, running] of [...this.#running]) {
      const now = turns.find((turn) => turn.id === turnId) ?? (await reader.openTurn(id, turnId))
      if (now?.generation === running.generation) continue
      running.abort.abort(new Error('The turn has begun again, or ended.'))
    }
  }

  #start(turn: OpenTurn): void {
    const abort = new AbortController()
    this.#running.set(turn.id, { generation: turn.generation, abort })
    void this.#serve(turn, abort.signal)
      .then(
        () => true,
        (error: unknown) => {
          if (abort.signal.aborted) return true
          this.#context.logger.warn(
            { turn: turn.id, err: error },
            'A turn of an agent was interrupted. It continues later.',
          )
          return false
        },
      )
      .then((isDone) => {
        this.#running.delete(turn.id)
        this.#parts.servers.slots.release()
        if (this.#isStopped) return
        if (isDone) void this.run()
        else this.#context.wakeDueIn(FAILED_MS)
      })
  }

  async #serve(turn: OpenTurn, signal: AbortSignal): Promise<void> {
    const { blocked } = this.#parts.servers
    const facts = { kind: 'turn', operation: 'turn', feature: 'agent' } as const
    const work = { ...facts, instance: this.#context.id, id: turn.id }
    try {
      if (await blocked.isGivenUp(work)) {
        this.#context.logger.error({ turn: turn.id }, 'A turn of an agent blocked its node twice and is given up.')
        await this.#writer.end(turn, { state: 'failed', reason: 'internal', error: BLOCKED_TWICE })
        blocked.forget(work)
      } else await asWork(work, () => this.#carryOn(turn, signal))
    } catch (error) {
      // A repetition would meet the same error.
      if (signal.aborted || !isProgramError(error)) throw error
      this.#context.logger.error(
        { turn: turn.id, err: error },
        'A turn of an agent failed because of a bug in the gateway.',
      )
      const why = 'An error of the gateway, which its log describes.'
      await this.#writer.end(turn, { state: 'failed', reason: 'internal', error: why })
    }
  }

  async #carryOn(turn: OpenTurn, signal: AbortSignal): Promise<void> {
    if (turn.state === 'replying') return await this.#replies.run(turn, signal)
    await this.#course.run(turn, signal)
    const { id, reader } = this.#context
    const now = await reader.openTurn(id, turn.id)
    if (now?.state === 'replying' && now.generation === turn.generation) await this.#replies.run(now, signal)
  }

  /** Handles a message that opens, joins or ends a turn, and that is about to be written. */
  #noteChange(): void {
    this.#hasOpen = true
    if (this.#running.size === 0) return
    void Promise.resolve()
      .then(() => this.#context.journal.settled())
      .catch(() => {})
      .then(() => this.run())
  }
}
