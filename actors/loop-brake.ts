import type { BrakedSteps, CampaignBrake } from './campaigns/brake.js'
import { LoopPace, type LoopTimes } from './loop-pace.js'

export interface LoopBrakeOptions {
  /** Share of the time of the event loop, above 0 and up to 1, above which no turn begins. 1: turns never wait. */
  readonly shareMax: number
  /** Default: those of this process. */
  readonly loopTimes?: () => LoopTimes
}

/**
 * Lets turns of many instances begin one after the other, only as fast as the event loop stays responsive. Instances that wait have their turns in
 * the order of their waiting, one each. No timer runs while none waits.
 */
export class LoopBrake implements CampaignBrake {
  readonly #pace: LoopPace | null
  readonly #loopTimes: () => LoopTimes
  readonly #waiting = new Set<Lane>()
  #timer: NodeJS.Timeout | undefined
  #dueAtMs = 0

  constructor({ shareMax, loopTimes = ofThisProcess }: LoopBrakeOptions) {
    this.#pace = shareMax >= 1 ? null : new LoopPace(shareMax)
    this.#loopTimes = loopTimes
  }

  /** Number of instances that wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  createSteps(go: () => void): BrakedSteps {
    return new Lane(this, go)
  }

  /** Returns true if a turn begins now, and false if the lane waits from now on. */
  begin(lane: Lane): boolean {
    if (this.#pace === null) return true
    const now = this.#loopTimes()
    if (this.#waiting.size === 0 && this.#pace.waitMs(now) === 0) {
      this.#pace.begins(now)
      return true
    }
    this.#waiting.add(lane)
    this.#setTimer()
    return false
  }

  leave(lane: Lane): void {
    this.#waiting.delete(lane)
  }

  #setTimer(): void {
    if (this.#timer !== undefined || this.#pace === null || this.#waiting.size === 0) return
    const now = this.#loopTimes()
    const inMs = Math.max(1, Math.ceil(this.#pace.waitMs(now)))
    this.#dueAtMs = now.atMs + inMs
    this.#timer = setTimeout(() => this.#serve(this.#pace as LoopPace), inMs)
    this.#timer.unref()
  }

  #serve(pace: LoopPace): void {
    this.#timer = undefined
    const now = this.#loopTimes()
    pace.timerWasLate(now.atMs - this.#dueAtMs)
    const [first] = this.#waiting
    if (first !== undefined && pace.waitMs(now) === 0) {
      pace.begins(now)
      this.#waiting.delete(first)
      first.grant()
    }
    this.#setTimer()
  }
}

class Lane implements BrakedSteps {
  waitedMs = 0
  readonly #brake: LoopBrake
  readonly #go: () => void
  #state: 'out' | 'waiting' | 'granted' = 'out'
  #sinceMs = 0

  constructor(brake: LoopBrake, go: () => void) {
    this.#brake = brake
    this.#go = go
  }

  takes(): boolean {
    if (this.#state === 'waiting') return false
    if (this.#state === 'out') {
      this.waitedMs = 0
      this.#sinceMs = performance.now()
      this.#state = this.#brake.begin(this) ? 'granted' : 'waiting'
    }
    if (this.#state === 'waiting') return false
    this.#state = 'out'
    return true
  }

  leave(): void {
    this.#state = 'out'
    this.#brake.leave(this)
  }

  grant(): void {
    this.#state = 'granted'
    this.waitedMs = performance.now() - this.#sinceMs
    this.#go()
  }
}

function ofThisProcess(): LoopTimes {
  const { active, idle } = performance.eventLoopUtilization()
  return { atMs: performance.now(), activeMs: active, idleMs: idle }
}
