import { Counter, Gauge, type Registry } from 'prom-client'
import type { ClusterJobs } from '../queues/cluster-jobs.js'

/** Creates the metrics of the work that the cluster shares. */
export function createJobMetrics(registry: Registry, jobs: Pick<ClusterJobs, 'states' | 'counts'>): void {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_job_overdue_seconds',
    help: 'Time for which a job of the cluster has been due, as of the last look. It is the same on all nodes.',
    labelNames: ['name'],
    registers,
    collect() {
      this.reset()
      for (const { name, overdueMs } of jobs.states()) this.set({ name }, overdueMs / 1000)
    },
  })
  new Counter({
    name: 'posthorn_job_runs_total',
    help: 'Runs of jobs of the cluster on this node, by their outcome.',
    labelNames: ['name', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { name, outcome, count } of jobs.counts()) this.inc({ name, outcome }, count)
    },
  })
}
