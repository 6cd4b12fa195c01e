import { createHash } from 'node:crypto'
import { randomHex } from '../../lib/random.js'
import { isSameChat } from '../../schemas/jid.js'
import { plainMessage, plainWord } from '../../schemas/opt-out.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { Change } from '../instance/ports.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { LiveAgentConfig } from './agents.js'
import type { TurnParts } from './turn-ports.js'

// Bound: 65,536, an answer, an argument or a text of a message.

export interface OpeningsParts extends Pick<TurnParts, 'agents'> {
  /** Age of a message from which none is answered. */
  readonly answerMs: number
  /** Called when a message that opens, joins or ends a turn is about to be written. */
  readonly onChange: () => void
}

/** Kinds of messages that want an answer. */
const ANSWERED: ReadonlySet<string> = new Set([
  ...['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contact', 'button', 'list'],
])
const NONE: readonly Change[] = []
const MINUTE_MS = 60_000
const TURN_ID_BYTES = 7

/**
 * Recognizes messages for agents. The change is written together with the message, so that no crash loses it; the store decides whether the
 * chat is paused. An instance without an active trigger pays for one comparison with null.
 */
export class Openings {
  readonly #context: Pick<SendsContext, 'account' | 'wakeDueIn'>
  readonly #parts: OpeningsParts

  constructor(context: Pick<SendsContext, 'account' | 'wakeDueIn'>, parts: OpeningsParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Returns the changes of a message of the network, to be written behind it. */
  listChanges(message: NewMessage): readonly Change[] {
    const config = this.#parts.agents.config()
    if (config === null) return NONE
    const { chat, messageid } = message
    if (!this.#isConversation(message)) return NONE
    const { stopWord, stopMinutes, ownMessageMinutes } = config.settings
    if (message.fromMe) {
      if (ownMessageMinutes === 0) return NONE
      this.#parts.onChange()
      return [halt(message, 'person_answered', ownMessageMinutes)]
    }
    if (message.isGroup && config.settings.ignoreGroups) return NONE
    if (stopWord !== '' && plainMessage(message.text) === plainWord(stopWord)) {
      this.#parts.onChange()
      return [halt(message, 'stop_word', stopMinutes)]
    }
    if (message.isGroup && !this.#isForUs(message)) return NONE
    if (Date.now() - message.messageTimestampMs > this.#parts.answerMs) return NONE
    const { isWanted, delayMs, stickyMs } = judgeMessage(config, message)
    this.#context.wakeDueIn(delayMs)
    this.#parts.onChange()
    return [{ type: 'agent.incoming', turn: newTurnId(), chat, messageid, isWanted, delayMs, stickyMs }]
  }

  /** Returns true for a message of a person that is worth an answer, or for one of ours to such a person. */
  #isConversation({ chat, isGroup, messageType }: NewMessage): boolean {
    if (!ANSWERED.has(messageType)) return false
    if (isGroup || chat.group !== undefined) return chat.group?.endsWith('@g.us') === true
    const { own } = this.#context.account
    return own === null || !isSameChat(own, chat)
  }

  /** Returns true if a message to a group mentions or quotes the account. */
  #isForUs({ content }: NewMessage): boolean {
    const { own } = this.#context.account
    const { contextInfo } = (content ?? {}) as { readonly contextInfo?: unknown }
    const { mentionedJid, participant } = (contextInfo ?? {}) as {
      readonly mentionedJid?: unknown
      readonly participant?: unknown
    }
    const named = [...(Array.isArray(mentionedJid) ? (mentionedJid as unknown[]) : []), participant]
    return named.some((jid) => typeof jid === 'string' && [own?.pn, own?.lid].includes(bare(jid) as never))
  }
}

/** Makes the id of a turn. */
export function newTurnId(): string {
  return `r${randomHex(TURN_ID_BYTES)}`
}

/**
 * Makes the id of the turn that follows another one: the same each time, since the ids of answers follow from it (`MessageIds.ofAnswer`), and the
 * store may have lost that the former turn ended.
 */
export function nextTurnId(turn: string): string {
  const digits = createHash('sha256').update(turn).digest('hex')
  return `r${digits.slice(0, 2 * TURN_ID_BYTES)}`
}

function halt(
  { chat, messageid }: NewMessage,
  reason: 'stop_word' | 'person_answered',
  minutes: number,
): Extract<Change, { type: 'agent.halt' }> {
  return { type: 'agent.halt', chat, messageid, reason, pauseMs: minutes * MINUTE_MS }
}

/** Returns the shortest delay of the triggers that may answer, which are chosen later, and whether the words of any fit. */
function judgeMessage(config: LiveAgentConfig, message: NewMessage) {
  const delays = config.matcher.findDelays(message.text || (message.vote ?? ''), message.isGroup)
  return { isWanted: delays.ofWords !== null, delayMs: delays.ofWords ?? delays.shortest, stickyMs: delays.stickyMs }
}

function bare(jid: string): string {
  return jid.replace(/:\d+@/, '@')
}
