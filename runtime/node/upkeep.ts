import { createSweep } from '../media/sweep.js'
import { createSealingMetrics } from '../metrics/sealing-metrics.js'
import { createKeyRotation, type KeyRotation } from '../store/key-rotation.js'
import { createRetention } from '../store/retention.js'
import type { NodeContext } from './context.js'
import type { Stores } from './stores.js'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Starts the work that keeps the stores small and sealed: retention, removal of files, rotation of encryption keys. */
export async function startUpkeep(node: NodeContext, stores: Stores): Promise<void> {
  const { config, life, registry } = node
  const { database, log, storage, files } = stores
  const retention = createRetention({
    pool: database.pool,
    log,
    messagesMs: keptMs(config.data.retentionDays),
    eventsMs: keptMs(config.data.retentionDays),
    auditMs: keptMs(config.data.auditRetentionDays),
  })
  await life.start(
    'retention',
    () => retention.start(),
    () => retention.close(),
  )
  const sweep = createSweep({ storage, files, receivedMs: config.media.retentionHours * HOUR_MS, log })
  await life.start(
    'sweep of files',
    () => sweep.start(),
    () => sweep.close(),
  )
  const rotation = stores.secrets.encryptionKeysOld.length > 0 ? await startRotation(node, stores) : undefined
  createSealingMetrics(registry, () => rotation?.progress)
}

async function startRotation({ life }: NodeContext, { database, encryption, log }: Stores): Promise<KeyRotation> {
  const rotation = createKeyRotation({ pool: database.pool, encryption, log })
  await life.start(
    'encryption key rotation',
    () => rotation.start(),
    () => rotation.close(),
  )
  return rotation
}

/** Returns `Infinity` for 0 days, which means for good. */
function keptMs(days: number): number {
  return days === 0 ? Number.POSITIVE_INFINITY : days * DAY_MS
}
