import { Counter, Gauge, type Registry } from 'prom-client'
import type { KeyRotationProgress } from '../store/key-rotation.js'

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
