import { nextLoopSlice } from '../../../lib/loop-slice.js'
import type { SignalKeys } from './signal-keys.js'

/** Meaning of a plaintext. Called inside of the write of the changed keys, so that both are one transaction. */
export type Meaning = () => void

/** Runs the Signal operations of one account one after the other, each on the newest records. */
export type InTurn = <T>(
  work: () => Promise<T>,
  /** Called with the result before the next operation begins. */
  finish?: (result: T) => Meaning | Promise<Meaning>,
) => Promise<T>

/** Writes changed keys together with what `meaning` adds. */
export type WriteKeys = (entries: ReturnType<SignalKeys['release']>, meaning: Meaning | undefined) => void

/** Makes the turns of an account. Gives the changes of each operation to `write` in one piece when it ends, also after a failure. */
export function signalTurns(keys: Pick<SignalKeys, 'hold' | 'release'>, write: WriteKeys): InTurn {
  let tail: Promise<unknown> = Promise.resolve()
  return (work, finish) => {
    const run = async () => {
      // Pauses before this operation holds anything, so that nobody sees half of it.
      // Checks again after each pause, because the turns of many accounts continue in the same turn of the event loop.
      for (let pause = nextLoopSlice(); pause !== undefined; pause = nextLoopSlice()) await pause
      keys.hold()
      let meaning: Meaning | undefined
      try {
        const result = await work()
        const found = finish?.(result)
        meaning = found instanceof Promise ? await found : found
        return result
      } finally {
        write(keys.release(), meaning)
      }
    }
    const mine = tail.then(run, run)
    tail = mine.catch(() => {})
    return mine
  }
}
