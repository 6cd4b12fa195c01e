import type { SignalKeys } from './signal-keys.js'
import { nextSlice } from './time-slice.js'

/** What a plaintext means: what it says is written with the keys that have changed. */
export type Meaning = () => void

/** Signal operations of one account, one after the other, each on the newest records. */
export type InTurn = <T>(
  work: () => Promise<T>,
  /** Called with the result before the next operation begins. */
  finish?: (result: T) => Meaning | Promise<Meaning>,
) => Promise<T>

/** Writes changed keys together with what `meaning` adds. */
export type WriteKeys = (entries: ReturnType<SignalKeys['release']>, meaning: Meaning | undefined) => void

/** What an operation has changed is given to `write` in one piece when it ends, also when it fails. */
export function signalTurns(keys: Pick<SignalKeys, 'hold' | 'release'>, write: WriteKeys): InTurn {
  let tail: Promise<unknown> = Promise.resolve()
  return (work, finish) => {
    const run = async () => {
      // Before anything of this operation is held, so that a pause shows no half of it.
      // Asked again after each: the turns of many accounts that waited begin in the same turn of the event loop.
      for (let pause = nextSlice(); pause !== undefined; pause = nextSlice()) await pause
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
