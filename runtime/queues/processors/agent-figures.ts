import type { AgentFigures } from '../../store/agents/agent-figures.js'
import type { Processor } from '../processor.js'

export const AGENT_FIGURES = 'agent-figures'

const EVERY_MS = 120_000

/** Counts for metrics. All nodes show the result. */
export function agentFiguresJob(read: () => Promise<AgentFigures>): Processor {
  return {
    name: AGENT_FIGURES,
    everyMs: EVERY_MS,
    async run() {
      return { result: await read() }
    },
  }
}
