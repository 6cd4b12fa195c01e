import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Limit, limits } from '../../schemas/errors.js'
import type { SharedWorkKind, WorkCountsOfKind } from '../work/work.js'

export interface WorkMetrics {
  /** For `createWork`. */
  readonly begun: (kind: SharedWorkKind, waitedMs: number) => void
}

/** Creates the metrics of the work that instances share. */
export function createWorkMetrics(registry: Registry, counts: () => readonly WorkCountsOfKind[]): WorkMetrics {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_work',
    help: 'Work that instances share on this node, by kind and state: running, silent (waits for a far side and uses no place), waiting (has not begun).',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const { kind, running, silent, waiting } of counts())
        for (const [state, count] of Object.entries({ running, silent, waiting })) this.set({ kind, state }, count)
    },
  })
  new Counter({
    name: 'posthorn_work_refused_total',
    help: 'Work that instances share and that was refused because too much of its instance waited, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset()
      for (const { kind, refused } of counts()) this.inc({ kind }, refused)
    },
  })
  const waits = new Histogram({
    name: 'posthorn_work_wait_seconds',
    help: 'How long work that instances share waited until it began, by kind.',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers,
  })
  return { begun: (kind, waitedMs) => waits.observe({ kind }, waitedMs / 1000) }
}

/** @param group Returns the number of times that each process of the machine was started again, the first one first. */
export function createProcessMetrics(registry: Registry, group: { restarts(): readonly number[] }): void {
  new Counter({
    name: 'posthorn_process_restarts_total',
    help: 'Processes of this machine that ended and were started again, by the number of the process; 0 without NODE_PROCESSES. The same from all of them.',
    labelNames: ['number'],
    registers: [registry],
    collect() {
      // The supervisor counts; this process may be a later one.
      this.reset()
      for (const [before, times] of group.restarts().entries()) this.inc({ number: String(before + 1) }, times)
    },
  })
}

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
