/** A cluster over a PostgreSQL whose standby takes over without the last commits. */
import type { Cleanup } from '../support/cleanup.js'
import { lastFirst } from '../support/cleanup.js'
import { type Cluster, startCluster } from '../support/cluster.js'
import { startReplicatedPostgres } from '../support/replicated-postgres.js'

/** The promise: all is well within this time after the promotion. */
export const WELL_MS = 30_000

/** The tests write to many who never wrote. */
const UNPACED = {
  NEW_CHATS_PER_DAY: '0',
  NEW_CHATS_WARM_UP: 'none',
  SEND_RATE_PER_MINUTE: '0',
  NUMBER_CHECKS_PER_MINUTE: '0',
  SCHEDULED_DELAY_MIN_MS: '0',
  SCHEDULED_DELAY_MAX_MS: '0',
  RECONNECT_DELAY_MAX_MS: '1000',
}

export interface LossyCluster extends Cluster {
  /** From now on the standby gets no commit: the promotion loses them. */
  beginLosing(): Promise<void>
  /** Kills the primary. */
  killPrimary(): Promise<void>
  /** The standby takes over, without what was committed since `beginLosing`. */
  failOver(): Promise<void>
}

export async function startLossyCluster(test: Cleanup, nodes: number): Promise<LossyCluster> {
  const t = lastFirst(test)
  const postgres = await startReplicatedPostgres(t)
  const { connectionString } = postgres
  const cluster = await startCluster(t, {
    nodes,
    env: UNPACED,
    database: { connectionString, at: () => postgres.at() },
  })
  return {
    ...cluster,
    async beginLosing() {
      await postgres.follow()
      postgres.holdBack()
    },
    killPrimary: () => postgres.first.kill(),
    failOver: () => postgres.promote({ ways: cluster.nodes.map(({ links }) => links.database) }),
  }
}
