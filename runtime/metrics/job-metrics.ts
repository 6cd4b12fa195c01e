import { Counter, Gauge, type Registry } from 'prom-client'
import type { ClusterJobs } from '../queues/cluster-jobs.js'
import type { KeyRotationProgress } from '../store/key-rotation.js'

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

/** Creates the metrics of the rotation of encryption keys. `progress` returns undefined where there are no former keys. */
export function createSealingMetrics(registry: Registry, progress: () => KeyRotationProgress | undefined): void {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_encryption_values_left',
    help: 'Stored values under another key than ENCRYPTION_KEY, as last counted here; told with ENCRYPTION_KEYS_OLD set, by the node that seals them again.',
    registers,
    collect() {
      this.reset()
      this.remove()
      const left = progress()?.left
      if (left !== undefined && left !== null) this.set(left)
    },
  })
  new Counter({
    name: 'posthorn_encryption_resealed_total',
    help: 'Stored values that were sealed again under ENCRYPTION_KEY.',
    registers,
    collect() {
      this.reset()
      this.inc(progress()?.resealed ?? 0)
    },
  })
}
