/** Search parameters of the page of agents. */
import type { AgentTurn } from '../../../../schemas/generated.js'

export const agentViews = ['agents', 'triggers', 'settings', 'playground', 'turns'] as const
export type AgentView = (typeof agentViews)[number]

export const turnStates = [
  'waiting',
  'preparing',
  'asking',
  'calling',
  'replying',
  'done',
  'skipped',
  'cancelled',
  'failed',
] as const satisfies readonly AgentTurn['state'][]

export interface AgentSearch {
  readonly view?: AgentView
  /** State and chat of the turns. */
  readonly state?: AgentTurn['state']
  readonly chat?: string
}

const CHAT_MAX = 100

export function readAgentSearch({ view, state, chat }: Record<string, unknown>): AgentSearch {
  const known = agentViews.find((one) => one === view)
  const wanted = turnStates.find((one) => one === state)
  // A router reads digits in an address as a number.
  const id = (typeof chat === 'string' || typeof chat === 'number' ? String(chat) : '').slice(0, CHAT_MAX)
  return {
    ...(known === undefined ? {} : { view: known }),
    ...(known !== 'turns' || wanted === undefined ? {} : { state: wanted }),
    ...(known !== 'turns' || id === '' ? {} : { chat: id }),
  }
}
