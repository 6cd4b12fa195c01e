import type { SettingReader } from './reader.js'

/** Limits of turns of agents. */
export interface AgentTurnsConfig {
  /** Maximum under way at once. */
  readonly perInstanceMax: number
  readonly perNodeMax: number
  readonly perDay: number
  readonly tokensPerDay: number
  readonly perChatHour: number
  /** Time after which an answer is too late. */
  readonly answerMaxMs: number
  readonly modelTimeoutMs: number
}

export function readAgentTurns(read: SettingReader): AgentTurnsConfig {
  return {
    perInstanceMax: read.number('AGENT_TURNS_PER_INSTANCE_MAX'),
    perNodeMax: read.number('AGENT_TURNS_PER_NODE_MAX'),
    perDay: read.number('AGENT_TURNS_PER_DAY'),
    tokensPerDay: read.number('AGENT_TOKENS_PER_DAY'),
    perChatHour: read.number('AGENT_TURNS_PER_CHAT_HOUR'),
    answerMaxMs: read.number('AGENT_ANSWER_MAX_MS'),
    modelTimeoutMs: read.number('AGENT_MODEL_TIMEOUT_MS'),
  }
}
