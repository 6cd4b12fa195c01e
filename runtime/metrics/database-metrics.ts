import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Database } from '../store/database.js'
import type { LaneName } from '../store/shared-pool.js'

export interface DatabaseMetrics {
  /** For `openDatabase`. */
  readonly waited: (lane: LaneName, ms: number) => void
}

/** Creates the metrics of the connections that all parts share. */
export function createDatabaseMetrics(
  registry: Registry,
  figures: () => ReturnType<Database['figures']>,
): DatabaseMetrics {
  const registers = [registry]
  const labelNames = ['lane'] as const
  new Gauge({
    name: 'posthorn_database_connections',
    help: 'Shared connections to PostgreSQL that are in use, by lane: api, writes, searches, long, actors, deliveries, jobs.',
    labelNames,
    registers,
    collect() {
      for (const { lane, held } of figures()) this.set({ lane }, held)
    },
  })
  new Gauge({
    name: 'posthorn_database_waiting',
    help: 'Work that waits for a shared connection to PostgreSQL, by lane.',
    labelNames,
    registers,
    collect() {
      for (const { lane, waiting } of figures()) this.set({ lane }, waiting)
    },
  })
  new Counter({
    name: 'posthorn_database_refused_total',
    help: 'Work that was refused because it waited too long for a shared connection to PostgreSQL, or too much waited already, by lane.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { lane, refused } of figures()) this.inc({ lane }, refused)
    },
  })
  const waits = new Histogram({
    name: 'posthorn_database_wait_seconds',
    help: 'How long work waited for a shared connection to PostgreSQL, of that which had to wait, by lane.',
    labelNames,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  })
  return { waited: (lane, ms) => waits.observe({ lane }, ms / 1000) }
}

/** Creates the metric of the lock that keeps nodes with files on their own disk apart. */
export function createStorageMetrics(registry: Registry, isTaken: () => boolean): void {
  new Gauge({
    name: 'posthorn_file_storage_taken',
    help: 'Whether another node, which stores files where this one cannot read them, runs beside it (1): it started while this node was without PostgreSQL. This node accepts no files meanwhile, and keeps its instances.',
    registers: [registry],
    collect() {
      this.set(isTaken() ? 1 : 0)
    },
  })
}

/** Creates the metrics of reads from a replica. `lagMs` returns null while the replica must not be read. */
export function createReplicaMetrics(registry: Registry, lagMs: () => number | null) {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_replica_lag_seconds',
    help: 'Maximum age of what is read from DATABASE_READ_URL; -1 while it is away or further behind than DATABASE_READ_LAG_MAX_MS.',
    registers,
    collect() {
      const lag = lagMs()
      this.set(lag === null ? -1 : lag / 1_000)
    },
  })
  const reads = new Counter({
    name: 'posthorn_replica_reads_total',
    help: 'Searches and lists that a replica may answer, by what answered: replica, primary.',
    labelNames: ['from'],
    registers,
  })
  return { read: (from: 'replica' | 'primary') => reads.inc({ from }) }
}
