import type { RoutedCall } from './routed-call.js'

export interface ParkingOptions {
  /** Maximum of calls that are parked at once on this node, and of one instance. */
  readonly parkedMax: number
  readonly parkedOfInstanceMax: number
  /** Called when the time of a parked call is up. */
  readonly onTimeUp: (call: RoutedCall) => void
  readonly observe: ((how: 'went on' | 'timed out', parkedMs: number) => void) | undefined
}

/** Calls that wait until their instance has an owner that takes them. */
export class Parking {
  readonly #options: ParkingOptions
  #parked = 0

  constructor(options: ParkingOptions) {
    this.#options = options
  }

  get parked(): number {
    return this.#parked
  }

  hasRoomFor({ line }: RoutedCall): boolean {
    const { parkedMax, parkedOfInstanceMax } = this.#options
    return this.#parked < parkedMax && line.parked < parkedOfInstanceMax
  }

  park(call: RoutedCall): void {
    this.#parked += 1
    call.line.parked += 1
    call.parkedSinceMs = performance.now()
    call.parkTimer = setTimeout(() => this.#options.onTimeUp(call), call.parkLeftMs)
  }

  /** Returns true when the call was parked. */
  unpark(call: RoutedCall): boolean {
    if (call.parkTimer === undefined) return false
    clearTimeout(call.parkTimer)
    call.parkTimer = undefined
    this.#parked -= 1
    call.line.parked -= 1
    const parkedMs = performance.now() - call.parkedSinceMs
    call.parkLeftMs = Math.max(0, call.parkLeftMs - parkedMs)
    this.#options.observe?.(call.parkLeftMs > 0 ? 'went on' : 'timed out', parkedMs)
    return true
  }
}
