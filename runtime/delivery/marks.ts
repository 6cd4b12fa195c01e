import type { InstanceId } from '../../schemas/ids.js'
import type { DeliverySuccess } from '../store/journal/delivery-attempts.js'
import type { DeliveryOutcome } from '../store/journal/delivery-outcomes.js'
import type { Lane } from './lane-key.js'
import type { DeliveryStore } from './ports.js'

/**
 * Writes the outcomes of a lane's deliveries to the journal. A write begins at once, and outcomes that come while it is under way go
 * into the next, so that a fast receiver costs few writes and a slow one loses nothing to a crash.
 */
export function createMarks(lane: Lane, store: Pick<DeliveryStore, 'record'>) {
  let pending: { instance: InstanceId; outcome: DeliveryOutcome }[] = []
  let writing: Promise<void> | undefined
  let failure: unknown

  return {
    /** @param success what was sent and answered, if it is to be recorded */
    delivered(instance: InstanceId, position: number, success?: DeliverySuccess): void {
      const last = pending.at(-1)
      const successes = success === undefined ? [] : [success]
      if (last?.instance === instance && last.outcome.type === 'delivered') {
        const { outcome } = last
        last.outcome = {
          ...outcome,
          positions: [...outcome.positions, position],
          successes: [...(outcome.successes ?? []), ...successes],
        }
      } else add(instance, { type: 'delivered', ...lane, positions: [position], successes })
    },
    failed: add,
    /** Resolves when everything is durable. @throws what the journal said */
    async settled(): Promise<void> {
      while (writing !== undefined) await writing
      if (failure !== undefined) throw failure
    },
  }

  function add(instance: InstanceId, outcome: DeliveryOutcome): void {
    pending.push({ instance, outcome })
    // After a failure nothing is written: `write` would end before its promise is kept here, and that would never be forgotten.
    if (failure === undefined) writing ??= write()
  }

  async function write(): Promise<void> {
    while (pending.length > 0 && failure === undefined) {
      const marks = pending
      pending = []
      const byInstance = new Map<InstanceId, DeliveryOutcome[]>()
      for (const { instance, outcome } of marks)
        byInstance.set(instance, [...(byInstance.get(instance) ?? []), outcome])
      for (const [instance, outcomes] of byInstance) {
        await store.record(instance, outcomes).catch((error: unknown) => {
          failure = error
        })
      }
    }
    // In the step that found nothing pending: a mark that comes later begins a write of its own.
    writing = undefined
  }
}
