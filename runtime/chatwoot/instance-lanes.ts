import type { InstanceId } from '../../schemas/ids.js'

/** Bounds how many lanes of one instance run at once. Its further lanes wait here, without a slot of the scheduler. */
export interface InstanceLanes {
  /** Returns false when the lane has to wait. */
  enter(instance: InstanceId, lane: string): boolean
  /** Returns a lane that has waited and is to be woken. */
  leave(instance: InstanceId): string | undefined
}

interface Lanes {
  running: number
  readonly waiting: Set<string>
}

export function createInstanceLanes(max: number): InstanceLanes {
  const instances = new Map<InstanceId, Lanes>()
  return {
    enter(instance, lane) {
      const lanes = instances.get(instance) ?? { running: 0, waiting: new Set() }
      instances.set(instance, lanes)
      if (lanes.running >= max) {
        lanes.waiting.add(lane)
        return false
      }
      lanes.waiting.delete(lane)
      lanes.running += 1
      return true
    },
    leave(instance) {
      const lanes = instances.get(instance)
      if (lanes === undefined) return undefined
      lanes.running -= 1
      const [next] = lanes.waiting
      if (next !== undefined) lanes.waiting.delete(next)
      else if (lanes.running === 0) instances.delete(instance)
      return next
    },
  }
}
