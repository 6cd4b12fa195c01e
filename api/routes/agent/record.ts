import type { AgentRow } from '../../../schemas/agents/records.js'
import type { Agent } from '../../../schemas/generated.js'

const MILLION = 1_000_000

export function agentRecord(row: AgentRow, owner: string): Agent {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    model: row.model,
    apikey: row.keyMask,
    baseUrl: row.baseUrl,
    embeddingModel: row.embeddingModel,
    basePrompt: row.basePrompt,
    maxTokens: row.maxTokens,
    ...scalesOf(row),
    signMessages: row.signMessages,
    readMessages: row.readMessages,
    maxMessageLength: row.maxMessageLength,
    typingDelay_seconds: row.typingDelaySeconds,
    contextTimeWindow_hours: row.contextHours,
    contextMaxMessages: row.contextMessagesMax,
    contextMinMessages: row.contextMessagesMin,
    functions: row.functions === null ? null : [...row.functions],
    knowledge: row.knowledge === null ? null : [...row.knowledge],
    fallbackMessage: row.fallbackMessage,
    inputPrice: row.inputPrice === null ? null : row.inputPrice / MILLION,
    outputPrice: row.outputPrice === null ? null : row.outputPrice / MILLION,
    blockedReason: row.blockedReason,
    embeddingError: row.embeddingError,
    owner,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  }
}

/** Leaves out scales that were not chosen. */
function scalesOf({ temperature, diversityLevel, frequencyPenalty, presencePenalty }: AgentRow) {
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(diversityLevel === null ? {} : { diversityLevel }),
    ...(frequencyPenalty === null ? {} : { frequencyPenalty }),
    ...(presencePenalty === null ? {} : { presencePenalty }),
  }
}
