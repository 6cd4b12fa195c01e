import { Counter, type Registry } from 'prom-client'

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
