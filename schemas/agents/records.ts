/** Agents, their triggers and the settings of the chatbot, and the port that stores them. */
import type { InstanceId } from '../ids.js'
import type { SendWindow } from '../send-window.js'
import type { ModelAddress } from './models.js'

export const PROVIDERS = ['openai', 'anthropic', 'gemini', 'deepseek', 'custom'] as const
export type AgentProvider = (typeof PROVIDERS)[number]

/** Settings of the chatbot of an instance. */
export interface ChatbotSettings {
  readonly isEnabled: boolean
  readonly ignoreGroups: boolean
  /** Word by which a contact stops the chatbot; empty: none. */
  readonly stopWord: string
  /** Pause after that word; 0: none. */
  readonly stopMinutes: number
  /** Pause after a message that was sent outside the API; 0: none. */
  readonly ownMessageMinutes: number
  /** Maximum that its agents spend on a UTC day, in millionths of the currency of their prices; 0: any. */
  readonly costPerDayMicros: number
  /** Prices of a million tokens of vectors and of transcriptions, in millionths; 0: they have none. */
  readonly embeddingPriceMicros: number
  readonly transcriptionPriceMicros: number
  /** Shows how the OpenAI key begins and ends; empty: there is none. */
  readonly openaiKeyMask: string
}

export const NO_CHATBOT: ChatbotSettings = {
  isEnabled: false,
  ignoreGroups: false,
  stopWord: '',
  stopMinutes: 0,
  ownMessageMinutes: 0,
  costPerDayMicros: 0,
  embeddingPriceMicros: 0,
  transcriptionPriceMicros: 0,
  openaiKeyMask: '',
}

/** The fields of an agent that callers choose, without its key. */
export interface AgentFields {
  readonly name: string
  readonly provider: AgentProvider
  readonly model: string
  /** Empty: the provider's own. */
  readonly baseUrl: string
  /** Model of vectors at `baseUrl`; empty: the usual one of the provider. */
  readonly embeddingModel: string
  readonly basePrompt: string
  /** Maximum of an answer. */
  readonly maxTokens: number
  /** Scales from 0 to 100; null: left out. `diversityLevel` is the provider's topP. */
  readonly temperature: number | null
  readonly diversityLevel: number | null
  readonly frequencyPenalty: number | null
  readonly presencePenalty: number | null
  readonly signMessages: boolean
  readonly readMessages: boolean
  /** Maximum of characters of a message; 0: the network's. */
  readonly maxMessageLength: number
  readonly typingDelaySeconds: number
  /** Age of the messages that the model sees; 0: any. */
  readonly contextHours: number
  readonly contextMessagesMax: number
  /** So many of the newest messages are seen, whatever their age. */
  readonly contextMessagesMin: number
  /** Ids of functions and knowledge that it may use; null: all of the instance. */
  readonly functions: readonly string[] | null
  readonly knowledge: readonly string[] | null
  /** Sent when the provider fails for long; empty: nothing. */
  readonly fallbackMessage: string
  /** Price of a million tokens, in millionths of the caller's currency; null: not counted. */
  readonly inputPrice: number | null
  readonly outputPrice: number | null
}

/** What stops an agent until it is edited: its key is not accepted, or the account at the provider has no credit. */
export type BlockedCode = 'provider_key' | 'provider_quota'

/** Why the server of an agent makes no vectors. */
export type EmbeddingCode = 'provider_refused' | 'provider_key' | 'provider_address'

export interface AgentRow extends AgentFields {
  readonly id: string
  /** Shows how the key begins and ends; empty: there is none. */
  readonly keyMask: string
  /** Why it does not answer until it is edited; empty: it answers. */
  readonly blockedReason: string
  /** What blocked it; empty: nothing, or a node of the former release. */
  readonly blockedCode: BlockedCode | ''
  /** Length of the vectors of the server at `baseUrl`; 0: not asked yet. */
  readonly embeddingDimensions: number
  /** Why that server makes no vectors; empty: it makes some, or was not asked yet. */
  readonly embeddingError: string
  /** Empty: nothing, or a node of the former release wrote the error. */
  readonly embeddingCode: EmbeddingCode | ''
  readonly created: Date
  readonly updated: Date
}

/** An agent in the memory of its owner. The prompt is read when a turn runs. */
export type AgentInMemory = Omit<AgentRow, 'basePrompt' | 'created' | 'updated'>

/** Hours in which a trigger answers. */
export interface TriggerSchedule {
  /** One at least; their zone is the same. */
  readonly windows: readonly SendWindow[]
  /** Sent once in each closed period; empty: nothing. */
  readonly closedMessage: string
}

export const LEAD_OPERATORS = [
  ...(['equals', 'not_equals', 'contains', 'not_contains', 'greater', 'less', 'empty', 'not_empty'] as const),
] as const
export type LeadOperator = (typeof LEAD_OPERATORS)[number]

export interface TriggerFields {
  readonly agentId: string
  readonly active: boolean
  readonly ignoreGroups: boolean
  /** Field of the chat record; empty: no condition. */
  readonly leadField: string
  readonly leadOperator: LeadOperator
  readonly leadValue: string
  readonly priority: number
  /** Phrases between pipes; empty: every message. */
  readonly wordsToStart: string
  readonly responseDelaySeconds: number
  readonly schedule: TriggerSchedule | null
}

export interface TriggerRow extends TriggerFields {
  readonly id: string
  readonly created: Date
  readonly updated: Date
}

/** What decides which messages agents answer. The owner of an instance has it in memory. */
export interface AgentConfig {
  readonly settings: ChatbotSettings
  /** Agents of the triggers, by id. */
  readonly agents: ReadonlyMap<string, AgentInMemory>
  /** Active ones, the highest priority first. */
  readonly triggers: readonly TriggerRow[]
}

/** A new key replaces the stored one; null removes it; undefined keeps it. */
export type KeyChange = string | null | undefined

/** Stores agents, triggers and settings. The functions `change` get the stored record, and run while it is locked. */
export interface AgentDirectory {
  /** Returns null if the chatbot is off, or no trigger is active. */
  read(instance: InstanceId): Promise<AgentConfig | null>
  settings(instance: InstanceId): Promise<ChatbotSettings>
  /** @throws GatewayError INSTANCE_NOT_FOUND */
  saveSettings(
    instance: InstanceId,
    change: (former: ChatbotSettings) => Omit<ChatbotSettings, 'openaiKeyMask'> & { readonly key: KeyChange },
  ): Promise<ChatbotSettings>
  /** The oldest first. */
  agents(instance: InstanceId): Promise<readonly AgentRow[]>
  findAgent(instance: InstanceId, id: string): Promise<AgentRow | null>
  /** An edit ends the block of an agent. @throws GatewayError RECORD_LIMIT, INVALID_REQUEST, INSTANCE_NOT_FOUND, and errors of `change` */
  saveAgent(
    instance: InstanceId,
    id: string | null,
    change: (former: AgentRow | null) => AgentFields & { readonly key: KeyChange },
  ): Promise<AgentRow>
  /** Returns false if there is none. @throws GatewayError AGENT_IN_USE */
  deleteAgent(instance: InstanceId, id: string): Promise<boolean>
  /** Stops an agent until it is edited. */
  blockAgent(instance: InstanceId, id: string, reason: string, code: BlockedCode): Promise<void>
  /** Returns the key of an agent. One of OpenAI without a key uses that of the instance. Null: there is none. */
  agentKey(instance: InstanceId, id: string): Promise<string | null>
  openaiKey(instance: InstanceId): Promise<string | null>
  /** Notes what the server at the `baseUrl` of an agent said of vectors, unless the agent was edited meanwhile. */
  noteEmbeddings(
    instance: InstanceId,
    agent: Pick<AgentRow, 'id' | 'updated'>,
    found: { readonly dimensions: number } | { readonly error: string; readonly code: EmbeddingCode },
  ): Promise<void>
  /** The highest priority first. */
  triggers(instance: InstanceId): Promise<readonly TriggerRow[]>
  findTrigger(instance: InstanceId, id: string): Promise<TriggerRow | null>
  /** @throws GatewayError AGENT_NOT_FOUND, RECORD_LIMIT, INSTANCE_NOT_FOUND, and errors of `change` */
  saveTrigger(
    instance: InstanceId,
    id: string | null,
    change: (former: TriggerRow | null) => TriggerFields,
  ): Promise<TriggerRow>
  deleteTrigger(instance: InstanceId, id: string): Promise<boolean>
}

/** Checks of an agent before it is stored. */
export interface AgentChecks {
  /** @throws GatewayError URL_NOT_ALLOWED */
  address(instance: InstanceId, baseUrl: string): Promise<void>
  /**
   * Asks the model a question of a few tokens, if the operator allows it. Returns a warning if the provider could not tell, else null.
   * @throws GatewayError INVALID_REQUEST for the field that the provider refuses, RATE_LIMITED
   */
  model(address: ModelAddress): Promise<string | null>
  /** As `model`, for the OpenAI key of an instance. A key that is only restricted gives a warning. */
  openaiKey(instance: InstanceId, apiKey: string): Promise<string | null>
}
