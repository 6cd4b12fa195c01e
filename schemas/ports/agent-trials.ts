/** Trials of agents, as the API asks for them. Types only. */
import type { TestAgentReply } from '../generated.js'
import type { InstanceRow } from './instances.js'

export interface TrialRequest {
  readonly agentId: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** False: no function is called. */
  readonly runFunctions: boolean
  /** Values of reserved placeholders of the chat. */
  readonly placeholders: Readonly<Record<string, string>>
}

export interface AgentTrials {
  /**
   * Runs a turn without sending or storing anything. A failure of the provider is a part of the reply.
   * @throws GatewayError AGENT_NOT_FOUND, RATE_LIMITED
   */
  run(instance: Pick<InstanceRow, 'id' | 'name' | 'owner'>, request: TrialRequest): Promise<TestAgentReply>
}
