import type { ModelAddress, ModelStep } from '../../schemas/agents/models.js'
import type { AgentRow } from '../../schemas/agents/records.js'
import type { InstanceId } from '../../schemas/ids.js'

/** Returns the settings of an agent in the scales of a model, without those that are not set. */
export function modelSettings(agent: AgentRow): Omit<ModelStep, 'messages' | 'tools' | 'toolChoice'> {
  const scales = {
    temperature: agent.temperature,
    // 0 would leave a model no choice at all; callers send it for "not set".
    topP: agent.diversityLevel === 0 ? null : agent.diversityLevel,
    frequencyPenalty: agent.frequencyPenalty,
    presencePenalty: agent.presencePenalty,
  }
  const given = Object.entries(scales).flatMap(([name, value]) => (value === null ? [] : [[name, value / 100]]))
  return { maxTokens: agent.maxTokens, ...Object.fromEntries(given) }
}

export function modelAddress(instance: InstanceId, agent: AgentRow, apiKey: string | null): ModelAddress {
  const { provider, model, baseUrl } = agent
  return { instance, provider, model, baseUrl: baseUrl === '' ? null : baseUrl, apiKey: apiKey ?? '' }
}
