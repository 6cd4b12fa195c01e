import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { InstanceMetric } from '../../actors/instance/ports.js'
import type { EndedTurnState } from '../../schemas/agents/turns.js'
import type { OnModelCall } from '../agents/models/agent-models.js'
import type { AgentFigures } from '../store/agents/agent-figures.js'

type AgentMetric = Extract<InstanceMetric, { what: 'agentTurn' | 'agentModel' }>

const BUDGETS = ['budget_turns', 'budget_tokens', 'budget_money'] as const
const STATUSES = ['pending', 'processing', 'indexed', 'vectorized', 'error'] as const
const STATES: readonly EndedTurnState[] = ['done', 'skipped', 'cancelled', 'failed']

/** Creates the metrics of agents. Returns a function that counts. */
export function createAgentCounters(registers: Registry[]): (metric: AgentMetric) => void {
  const turns = new Counter({
    name: 'posthorn_agent_turns_total',
    help: 'Turns of agents that ended, by state, and by reason unless they are done. Those that a message ended are not counted.',
    labelNames: ['state', 'reason'],
    registers,
  })
  const calls = new Counter({
    name: 'posthorn_agent_model_calls_total',
    help: 'Calls of language models by turns, by outcome: answered, temporary, refused, key, quota, too_long, blocked, address.',
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'posthorn_agent_model_seconds',
    help: 'Duration of calls of language models.',
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  })
  const tokens = new Counter({
    name: 'posthorn_agent_tokens_total',
    help: 'Tokens of language models that turns used, by direction: in, out.',
    labelNames: ['direction'],
    registers,
  })
  for (const state of STATES) turns.inc({ state, reason: '' }, 0)
  for (const reason of BUDGETS) turns.inc({ state: 'skipped', reason }, 0)
  for (const outcome of ['answered', 'temporary', 'key', 'quota']) calls.inc({ outcome }, 0)
  for (const direction of ['in', 'out']) tokens.inc({ direction }, 0)
  return (metric) => {
    if (metric.what === 'agentTurn') return turns.inc({ state: metric.state, reason: metric.reason })
    calls.inc({ outcome: metric.outcome })
    seconds.observe(metric.ms / 1_000)
    tokens.inc({ direction: 'in' }, metric.tokensIn)
    tokens.inc({ direction: 'out' }, metric.tokensOut)
  }
}

/** Creates the metric of all calls of providers by this node. Returns a function that counts. */
export function createModelCallCounter(registry: Registry): OnModelCall {
  const calls = new Counter({
    name: 'posthorn_model_requests_total',
    help: 'Calls of language models by this node, by kind (answer, vectors, transcription, check) and outcome: answered, temporary, refused, key, quota, too_long, blocked, address.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  for (const kind of ['answer', 'vectors', 'transcription', 'check']) calls.inc({ kind, outcome: 'answered' }, 0)
  return (kind, outcome) => calls.inc({ kind, outcome })
}

/** Creates the metrics of figures that one node counts for all. `figures` returns null before the first count. */
export function createAgentGauges(registry: Registry, figures: () => AgentFigures | null): void {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_knowledge_entries',
    help: 'Active entries of knowledge of all instances, by status: pending, processing, indexed, vectorized, error. As last counted; the same on all nodes.',
    labelNames: ['status'],
    registers,
    collect() {
      const knowledge = figures()?.knowledge ?? {}
      for (const status of STATUSES) this.set({ status }, knowledge[status] ?? 0)
    },
  })
  new Gauge({
    name: 'posthorn_agent_turn_oldest_seconds',
    help: 'Time for which the oldest agent turn of a connected instance has been due, as last counted; 0 when none is. The same on all nodes.',
    registers,
    collect() {
      this.set((figures()?.oldestTurnMs ?? 0) / 1_000)
    },
  })
}
