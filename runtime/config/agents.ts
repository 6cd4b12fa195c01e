import type { SettingReader } from './reader.js'

// Ours: settings of the operator.

export interface AgentsConfig {
  /** `privateHosts` of `GuardOptions`, for calls of models only. */
  readonly privateHosts: readonly string[]
  /** Maximum under way on this node. */
  readonly modelCallsPerInstanceMax: number
  /** Keys, models and base URLs are checked with their provider when they are set. */
  readonly areKeysChecked: boolean
  readonly turns: AgentTurnsConfig
}

export function readAgents(read: SettingReader): AgentsConfig {
  return {
    privateHosts: read.list('AGENT_PRIVATE_HOSTS'),
    modelCallsPerInstanceMax: read.number('AGENT_MODEL_CALLS_PER_INSTANCE_MAX'),
    areKeysChecked: read.flag('AGENT_KEY_CHECK'),
    turns: readAgentTurns(read),
  }
}

/** Checks hosts such as `ollama.internal:11434` or `[fd00::5]`. Returns a sentence for each that no URL has. */
export function privateHostMistakes(name: string, hosts: readonly string[]): string[] {
  return hosts
    .filter((host) => !isHost(host))
    .map((host) => `${name}: ${host} is not a host or host:port; write it as in a URL, an IPv6 address in brackets.`)
}

function isHost(text: string): boolean {
  const port = /:(\d+)$/.exec(text)?.[1]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  const host = port === undefined ? text : text.slice(0, -port.length - 1)
  return URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host.toLowerCase()
}

/** Limits of turns of agents. */
interface AgentTurnsConfig {
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

function readAgentTurns(read: SettingReader): AgentTurnsConfig {
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
