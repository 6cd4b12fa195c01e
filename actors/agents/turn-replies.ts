import { errorText } from '../../lib/error-text.js'
import type { OpenTurn, TurnReply } from '../../schemas/agents/turns.js'
import { type ErrorCode, GatewayError } from '../../schemas/errors.js'
import { toChatId } from '../../schemas/jid.js'
import type { SendCommand } from '../../schemas/send-request.js'
import type { Change } from '../instance/ports.js'
import { markMessagesRead } from '../instance/reading.js'
import type { ResolvedChat } from '../instance/sends/context.js'
import { resolveChat } from '../instance/sends/resolve.js'
import { nextTurnId } from './openings.js'
import { findHalt, handoverMs } from './turn-checks.js'
import type { TurnContext, TurnParts } from './turn-ports.js'
import { handover, type TurnEnd, type TurnWriter } from './turn-writer.js'

/** Errors for which an answer cannot be sent. A later attempt cannot help. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  ...(['NOT_ON_NETWORK', 'GROUP_NOT_FOUND', 'INVALID_NUMBER', 'INVALID_REQUEST', 'SEND_REFUSED'] as const),
])
/** Number of messages that are marked as read. */
const READ_MAX = 20

/** Time that the rest of an answer has longer than its first part. */
const REST_MS = 300_000

class Halted extends Error {}

/** Sends the parts of a stored answer, each under its stored id, in the write that stores its message. */
export class TurnReplies {
  readonly #context: TurnContext
  readonly #parts: TurnParts
  readonly #writer: TurnWriter

  constructor(context: TurnContext, parts: TurnParts, writer: TurnWriter) {
    this.#context = context
    this.#parts = parts
    this.#writer = writer
  }

  /** @throws the reason of the signal, GatewayError without a connection or the store */
  async run(turn: OpenTurn, signal: AbortSignal): Promise<void> {
    const { id, reader } = this.#context
    const replies = await reader.turnReplies(id, turn.id)
    for (const reply of replies) {
      if (reply.state !== 'planned') continue
      const isFirst = reply.part === 0
      if (!(await this.#maySend(turn, isFirst))) return
      signal.throwIfAborted()
      if (isFirst) await this.#markRead(turn)
      const isLast = reply.part === replies.length - 1
      if (!(await this.#send(turn, reply, isLast, signal))) return
    }
    const state = await reader.turnState(id, turn.id)
    if (state === 'done' || state === 'failed') this.#context.count({ what: 'agentTurn', state, reason: '' })
  }

  /** Returns true if the part may still be sent. Otherwise the turn has ended. */
  async #maySend(turn: OpenTurn, isFirst: boolean): Promise<boolean> {
    const { id, reader, journal } = this.#context
    await journal.settled()?.catch(() => {})
    const now = await reader.openTurn(id, turn.id)
    if (now === null || now.generation !== turn.generation || now.state !== 'replying') return false
    const chat = await reader.turnChat(id, turn.chat)
    const halt = chat === null ? null : findHalt(this.#parts.agents.config(), chat)
    if (halt !== null) await this.#end(now, halt)
    else if ((now.leftMs ?? 0) <= (isFirst ? 0 : -REST_MS))
      await this.#end(now, { state: 'failed', reason: 'too_old', error: 'The answer was too late.' })
    else return true
    return false
  }

  /** Ends a turn whose answer is not sent. If the answer calls a person, the chat is theirs all the same: its owner knows of it by an event. */
  async #end(turn: OpenTurn, end: TurnEnd): Promise<void> {
    const isHandover = turn.reason === 'transferred'
    await this.#writer.end(turn, isHandover ? { ...end, handoverMs: this.#handoverMs() } : end)
  }

  /** Sends a part. Returns false if the turn has ended before or with it. */
  async #send(turn: OpenTurn, reply: TurnReply, isLast: boolean, signal: AbortSignal): Promise<boolean> {
    const { part, messageid } = reply
    const { id: turnId, generation, reason } = turn
    const isHandover = reason === 'transferred'
    const alongside = (): readonly Change[] => {
      // The last step before the write.
      if (signal.aborted) throw new Halted()
      const sent = { kind: 'sent', turn: turnId, generation, part, messageid, nextTurn: nextTurnId(turnId) } as const
      const pause = isLast && isHandover ? [handover(turn.chat, this.#handoverMs())] : []
      return [{ type: 'agent.turn', ...sent }, ...pause]
    }
    try {
      const chat = await this.#resolve(turn)
      this.#context.pacer.direct()
      await this.#parts.delivery.deliver(this.#makeCommand(turn, reply), chat, { alongside })
      return true
    } catch (error) {
      if (error instanceof Halted) return false
      if (!(error instanceof GatewayError) || !FINAL.has(error.code)) throw error
      await this.#writer.refused(turn, part, errorText(error))
      if (isHandover) await this.#writer.pause(turn, this.#handoverMs())
      return false
    }
  }

  #handoverMs(): number {
    return handoverMs(this.#parts.agents.config())
  }

  async #resolve({ chat }: OpenTurn): Promise<ResolvedChat> {
    return await resolveChat(this.#context, chat, Date.now() + this.#context.timing.parkTimeoutMs)
  }

  #makeCommand({ chat, agentId }: OpenTurn, { text, messageid }: TurnReply): SendCommand {
    const agent = this.#parts.agents.config()?.agents.get(agentId)
    return {
      type: 'send',
      messageid,
      number: toChatId(chat),
      content: { kind: 'text', text },
      options: { delayMs: (agent?.typingDelaySeconds ?? 0) * 1_000 },
      isLiteral: true,
    }
  }

  /** Marks the messages of the contact as read, if the agent wants it. A failure there fails nothing. */
  async #markRead({ chat, agentId }: OpenTurn): Promise<void> {
    const agent = this.#parts.agents.config()?.agents.get(agentId)
    if (agent?.readMessages !== true) return
    const { id, reader, logger } = this.#context
    try {
      const received = await reader.lastReceived(id, chat, READ_MAX, READ_MAX)
      if (received.length > 0) await markMessagesRead(this.#context, received, 'unread')
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'Messages were not marked as read before an answer.')
    }
  }
}
