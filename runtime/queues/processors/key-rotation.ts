import type { KeyRotation } from '../../store/key-rotation.js'
import type { Processor } from '../processor.js'

export const KEY_ROTATION = 'key-rotation'

const HOUR_MS = 60 * 60_000
const AGAIN_MS = 60_000

/** Result of the last pass of any node. */
export interface KeyRotationReport {
  /** Key under which all values are to be. The count of a former rotation says nothing about this one. */
  readonly keyId: string
  readonly left: number
}

/**
 * Seals values again under the present encryption key. Passes are rare once none was left, since a node that was started with the former
 * key may still write under it.
 */
export function keyRotationJob(rotation: KeyRotation, keyId: string): Processor {
  return {
    name: KEY_ROTATION,
    everyMs: HOUR_MS,
    retryMs: AGAIN_MS,
    async run(signal) {
      const left = await rotation.pass(signal)
      const result: KeyRotationReport = { keyId, left }
      return { result, ...(left === 0 ? {} : { nextMs: AGAIN_MS }) }
    },
  }
}
