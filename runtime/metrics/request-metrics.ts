import { Counter, Histogram, type Registry } from 'prom-client'
import { type Limit, limits } from '../../schemas/errors.js'

export interface RequestMetrics {
  readonly answered: (operation: string, status: number, durationMs: number) => void
  readonly refused: (limit: Limit) => void
  /** Counts a use of a tool by an agent. */
  readonly toolUsed: (tool: string, outcome: string) => void
}

/** Creates the metrics of calls of the API and of the limits of callers. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry]
  const requests = new Histogram({
    name: 'posthorn_http_request_seconds',
    help: 'Calls of the API, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  })
  const refusals = new Counter({
    name: 'posthorn_refused_total',
    help: 'What was refused because a caller had reached a limit (docs/operations/runbook.md), by limit.',
    labelNames: ['limit'],
    registers,
  })
  const tools = new Counter({
    name: 'posthorn_mcp_calls_total',
    help: 'Uses of tools and resources over MCP, by tool and outcome: done, asked (a person has to agree first), refused, failed (an error of ours or of WhatsApp).',
    labelNames: ['tool', 'outcome'],
    registers,
  })
  // Shows each series from the start, so that its first change is seen too.
  for (const limit of limits) refusals.inc({ limit }, 0)
  return {
    answered: (operation, status, durationMs) =>
      requests.observe({ operation, status: String(status) }, durationMs / 1000),
    refused: (limit) => refusals.inc({ limit }),
    toolUsed: (tool, outcome) => tools.inc({ tool, outcome }),
  }
}
