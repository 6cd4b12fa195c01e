import { Counter, Histogram, type Registry } from 'prom-client'
import type { InstanceMetric } from '../../actors/instance/ports.js'
import type { EndedTurnState } from '../../schemas/agents/turns.js'

type AgentMetric = Extract<InstanceMetric, { what: 'agentTurn' | 'agentModel' }>

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
