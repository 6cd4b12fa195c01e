/** The things that turns of agents need from their node and from other parts of their instance. Types only. */
import type { AgentModels } from '../../schemas/agents/models.js'
import type { AgentDirectory } from '../../schemas/agents/records.js'
import type { AgentTools } from '../../schemas/agents/tools.js'
import type { AgentKnowledge, TurnFiles } from '../../schemas/ports/agents.js'
import type { GivenUpWork } from '../../schemas/work.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { Delivery } from '../instance/sends/delivery.js'
import type { Agents } from './agents.js'

/** Limits of the turns of one instance, unless they say otherwise. */
export interface TurnLimits {
  /** Turns of an instance that are under way at once. */
  readonly atOnceMax: number
  readonly turnsPerDay: number
  readonly tokensPerDay: number
  readonly turnsPerChatHour: number
  /** Time after which an answer is too late. Also the age of a message at its arrival from which none is given. */
  readonly answerMs: number
  /** Maximum time of a call of the model. */
  readonly callMs: number
}

/** Turns of a node that are under way at once. */
export interface TurnSlots {
  /** Returns false if there is no room now. */
  take(): boolean
  release(): void
}

/** What a node gives to the turns of its instances. */
export interface AgentServers {
  readonly models: AgentModels
  readonly directory: Pick<AgentDirectory, 'findAgent' | 'agentKey' | 'blockAgent'>
  /** Finds what the instance knows. */
  readonly knowledge: Pick<AgentKnowledge, 'find'>
  /** Functions of the instance, and the tools that every agent has. */
  readonly tools: AgentTools
  /** Files of messages, for models. */
  readonly files: TurnFiles
  readonly limits: TurnLimits
  readonly slots: TurnSlots
  /** Turns that have blocked nodes until they ended themselves. */
  readonly blocked: GivenUpWork
}

export interface TurnParts {
  readonly servers: AgentServers
  readonly agents: Pick<Agents, 'config' | 'ready' | 'reload'>
  readonly delivery: Pick<Delivery, 'deliver'>
}

export type TurnContext = SendsContext
