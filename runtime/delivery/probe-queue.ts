/** A receiver that stands in the line while its probe is due. */
export interface ProbedReceiver {
  /** Grows with each probe of any receiver. 0 puts the receiver before all others. */
  lastProbe: number
}

/** Receivers whose probe is due, the least recently probed first. They get a limited number of probes a second. */
export class ProbeQueue<Receiver extends ProbedReceiver> {
  readonly #probe: (receiver: Receiver) => void
  readonly #intervalMs: number
  readonly #due: Receiver[] = []
  #timer: NodeJS.Timeout | undefined
  #lastProbe = 0

  constructor(probesPerSecond: number, probe: (receiver: Receiver) => void) {
    this.#probe = probe
    this.#intervalMs = 1000 / probesPerSecond
  }

  /** Returns the number of a probe that happens now. */
  nextProbe(): number {
    this.#lastProbe += 1
    return this.#lastProbe
  }

  enter(receiver: Receiver): void {
    const due = this.#due
    // Few are due at once, unless very many receivers are away: then each is moved past those that wait longer.
    let at = due.length
    while (at > 0 && (due[at - 1]?.lastProbe ?? 0) > receiver.lastProbe) at -= 1
    due.splice(at, 0, receiver)
    if (this.#timer === undefined) this.#probeFirst()
  }

  leave(receiver: Receiver): void {
    const at = this.#due.indexOf(receiver)
    if (at >= 0) this.#due.splice(at, 1)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#due.length = 0
  }

  #probeFirst(): void {
    this.#timer = undefined
    const receiver = this.#due.shift()
    if (receiver === undefined) return
    this.#timer = setTimeout(() => this.#probeFirst(), this.#intervalMs)
    receiver.lastProbe = this.nextProbe()
    this.#probe(receiver)
  }
}
