/**
 * Random bytes from a supply of the system's: as good for keys and secrets as those of `randomBytes`. A call of the generator costs ten
 * times what a few bytes of it are worth, and a send needs some in many places, so one call fills the supply for many.
 */
import { randomFillSync } from 'node:crypto'

const SUPPLY_BYTES = 8 * 1024
/** More at once is no use of a supply. */
export const RANDOM_BYTES_MAX = 256

const supply = Buffer.alloc(SUPPLY_BYTES)
let taken = SUPPLY_BYTES

/** @throws RangeError for more than `TAKEN_BYTES_MAX` */
export function randomBuffer(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes)
  fillRandom(buffer)
  return buffer
}

/** Two digits for each byte, in lower case. @throws RangeError for more than `TAKEN_BYTES_MAX` */
export function randomHex(bytes: number): string {
  return take(bytes, (from, to) => supply.toString('hex', from, to))
}

/** @throws RangeError for more than `TAKEN_BYTES_MAX` */
export function fillRandom(target: Uint8Array): void {
  take(target.length, (from, to) => supply.copy(target, 0, from, to))
}

/** Takes random bytes and wipes them in the supply, because they may become a key. */
function take<T>(bytes: number, use: (from: number, to: number) => T): T {
  if (bytes > RANDOM_BYTES_MAX) throw new RangeError(`${bytes} random bytes at once: ask the system for them.`)
  if (taken + bytes > SUPPLY_BYTES) {
    randomFillSync(supply)
    taken = 0
  }
  const from = taken
  taken += bytes
  const result = use(from, taken)
  supply.fill(0, from, taken)
  return result
}
