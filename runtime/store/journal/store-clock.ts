/** The clock of PostgreSQL, as the node last saw it, for what is decided before PostgreSQL has said the time. */
export class StoreClock {
  #offsetMs = 0

  /** Call it with a time that PostgreSQL has said just now. */
  note(now: Date): void {
    this.#offsetMs = now.getTime() - Date.now()
  }

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }
}
