/** The turns of agents, as their store, the actor of an instance and the API share them. Types only. */
import type { MessageId } from '../ids.js'
import type { ChatAddress } from '../jid.js'
import type { ModelAnswer, ModelCall, ModelUsage } from './models.js'

/** States of a turn that is open. */
export type OpenTurnState = 'waiting' | 'preparing' | 'asking' | 'calling' | 'replying'
/** States in which a turn ends. */
export type EndedTurnState = 'done' | 'skipped' | 'cancelled' | 'failed'
export type TurnState = OpenTurnState | EndedTurnState

/** Why a turn ended otherwise than `done`. */
export type TurnReason =
  /** The chatbot is off, or has no trigger that is active. */
  | 'chatbot_off'
  /** No trigger is for this chat. */
  | 'no_trigger'
  /** Outside the hours of its trigger. */
  | 'hours'
  /** `chatbot_disableUntil` of the chat lies ahead. */
  | 'paused'
  /** The person sent the word that stops the chatbot. */
  | 'stop_word'
  /** A person answered from the phone. */
  | 'person_answered'
  | 'blocked_contact'
  /** The agent was removed, or is blocked until it is edited. */
  | 'agent_gone'
  | 'agent_blocked'
  /** The answer would come too late. */
  | 'too_old'
  /** The messages were deleted. */
  | 'no_messages'
  | 'budget_turns'
  | 'budget_tokens'
  | 'budget_money'
  | 'chat_limit'
  | 'loop'
  /** Two chats became one, and the other one's turn answers. */
  | 'merged'
  /** The provider: see `ModelErrorKind`. */
  | 'provider_away'
  | 'provider_refused'
  | 'provider_key'
  | 'provider_quota'
  | 'provider_blocked'
  | 'provider_address'
  /** The model gave no text. */
  | 'empty_answer'
  /** The answer hands the chat to a person. Its turn is done. */
  | 'transferred'
  | 'send_failed'
  | 'internal'

/** An open turn, as the owner of its instance reads it. */
export interface OpenTurn {
  readonly id: string
  readonly chat: ChatAddress
  readonly state: OpenTurnState
  readonly triggerId: string
  readonly agentId: string
  readonly firstPosition: number
  readonly lastPosition: number
  readonly attempt: number
  readonly generation: number
  readonly hasEffects: boolean
  /** Why it will end so, once its answer stands; empty for an answer of the model. */
  readonly reason: TurnReason | ''
  /** Milliseconds until it is due; 0 or less: now. */
  readonly dueInMs: number
  /** Time since its first message arrived, and since its last one. */
  readonly ageMs: number
  readonly quietMs: number
  /** Milliseconds until its answer is too late; null if it has not begun. */
  readonly leftMs: number | null
}

/** A part of an answer. */
export interface TurnReply {
  readonly part: number
  readonly text: string
  readonly messageid: MessageId
  readonly state: 'planned' | 'sent' | 'failed' | 'skipped'
}

/** A message of a chat as an agent sees it. */
export interface HistoryMessage {
  readonly position: number
  /** Internal id. */
  readonly id: string
  readonly messageid: MessageId
  readonly fromMe: boolean
  readonly atMs: number
  readonly senderName: string
  readonly messageType: string
  readonly mediaType: string
  /** Its text or caption as it is after the last edit. */
  readonly text: string
  /** Text of the message that it answers; empty if it answers none. */
  readonly quotedText: string
  readonly isDeleted: boolean
  /** Transcription or extracted text; null if there is none. */
  readonly extracted: string | null
  /** Name of its file for a model that does not see it, such as `voice note, 14 min`. Without it, that of its type. */
  readonly note?: string
}

/** The facts about a chat that decide whether an agent answers there. */
export interface TurnChat {
  /** Name of the instance, and the digits of its account's number; empty if there is none. */
  readonly instanceName: string
  readonly owner: string
  /** The chat record. */
  readonly record: Readonly<Record<string, unknown>>
  readonly isBlocked: boolean
  /** PostgreSQL's time when it was read, in Unix milliseconds. */
  readonly nowMs: number
  /** Turns of the last hour that asked the model, and answers of the last ten minutes. */
  readonly turnsOfHour: number
  readonly repliesOfTenMinutes: number
  /** True if a fallback text was sent within the last hour. */
  readonly hadFallback: boolean
  /** Time at which a message about closed hours was sent last, in Unix milliseconds; null if there was none. */
  readonly closedAtMs: number | null
}

/** The work of an instance's agents on a UTC day. */
export interface DayUsage {
  readonly turns: number
  readonly reserved: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costMicros: number
  readonly told: number
  /** Percentage that other calls than those of turns have reached; 0, 80 or 100. */
  readonly toTell: number
}

/** An answer of the model that is stored. */
export interface StepRecord {
  readonly number: number
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly raw: unknown
  readonly finish: ModelAnswer['finish']
  readonly usage: ModelUsage
  readonly warnings: readonly string[]
  readonly ms: number
  /** Names the call that has a reservation; empty: it has been counted. */
  readonly call: string
  readonly costMicros: number
}

/** Changes of turns that the actor of an instance writes. All but the first two drop themselves if the turn has ended or begun again. */
export type AgentTurnChange =
  /**
   * The message before it in the same write is for an agent, if it is new: opens a turn of its chat, or joins the open one.
   * If no trigger is for its words, it opens one only if a trigger has answered in the chat within `stickyMs`.
   */
  | {
      readonly type: 'agent.incoming'
      readonly turn: string
      readonly chat: ChatAddress
      readonly messageid: MessageId
      readonly isWanted: boolean
      readonly delayMs: number
      readonly stickyMs: number
    }
  /** The message before it in the same write, if it is new, ends the open turn of its chat, and pauses agents there for so long. */
  | {
      readonly type: 'agent.halt'
      readonly chat: ChatAddress
      readonly messageid: MessageId
      readonly reason: 'stop_word' | 'person_answered'
      readonly pauseMs: number
    }
  /** The network has refused a part: the turn has failed, and what is left of it is not sent. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'refused'
      readonly turn: string
      readonly part: number
      readonly error: string
      readonly nextTurn: string
    }
  /** Opens a turn for the messages of one that was not answered, unless one is open in the chat. */
  | { readonly type: 'agent.turn'; readonly kind: 'retry'; readonly turn: string; readonly nextTurn: string }
  /** Agents pause in a chat for at least so long. `forgets`: they do not see its present messages. */
  | {
      readonly type: 'agent.pause'
      readonly chat: ChatAddress
      readonly pauseMs: number
      readonly forgets?: boolean
    }
  /** A call of the model has failed. None of its tokens stay reserved, and those that it may have cost count. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'lost'
      readonly turn: string
      readonly call: string
      readonly reserved: number
      readonly tokensIn: number
      readonly costMicros: number
    }
  /** The calls of a former owner, of which nobody knows the end, count by their estimates, and nothing stays reserved for them. */
  | { readonly type: 'agent.turn'; readonly kind: 'abandoned' }
  /** A function that changes something is about to be called, or was: messages that come do not make the turn begin again. */
  | { readonly type: 'agent.turn'; readonly kind: 'effect'; readonly turn: string; readonly generation: number }
  | {
      readonly type: 'agent.turn'
      readonly kind: 'begin'
      readonly turn: string
      readonly generation: number
      readonly triggerId: string
      readonly agentId: string
      /** Time for which an answer is worth sending. */
      readonly answerMs: number
      /** The last message that was looked at. If another one has joined the turn, it does not begin. */
      readonly lastPosition: number
    }
  /** It is looked at again after that time. `failed`: a call of the model failed. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'wait'
      readonly turn: string
      readonly generation: number
      readonly forMs: number
      readonly failed: string | null
    }
  /** The model is about to be asked. `estimate`: what the call counts if its answer is lost. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'ask'
      readonly turn: string
      readonly generation: number
      readonly call: string
      readonly reserved: number
      readonly estimate: { readonly tokens: number; readonly costMicros: number }
      readonly isFirst: boolean
    }
  /** The model wants functions called. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'step'
      readonly turn: string
      readonly generation: number
      readonly step: StepRecord
      readonly hasEffects: boolean
    }
  /** The answer stands: its last step, and the messages that it is sent as. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'reply'
      readonly turn: string
      readonly generation: number
      readonly step: StepRecord | null
      readonly parts: readonly { readonly text: string; readonly messageid: MessageId }[]
      readonly metadata: string | null
      readonly outcome: 'done' | 'failed'
      readonly reason: TurnReason | ''
      readonly error: string
      readonly isFallback: boolean
    }
  /** A part has become a message, whose row is in the same write. If it is not planned, nothing of the write becomes durable. */
  | {
      readonly type: 'agent.turn'
      readonly kind: 'sent'
      readonly turn: string
      readonly generation: number
      readonly part: number
      readonly messageid: MessageId
      readonly nextTurn: string
    }
  | {
      readonly type: 'agent.turn'
      readonly kind: 'end'
      readonly turn: string
      readonly generation: number
      readonly state: EndedTurnState
      readonly reason: TurnReason | ''
      readonly error: string
      readonly nextTurn: string
      /** The last message that was looked at. If another one has joined the turn, which has not begun, it does not end. */
      readonly lastPosition?: number
    }
  /** An event of this percentage of the daily budget was emitted. */
  | { readonly type: 'agent.told'; readonly percent: number }
