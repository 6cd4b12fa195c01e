/** How the processes of the nodes did in the last hour, as nodes tell each other, and as the API shows it. Types only. */

/** One minute of a process. Plain JSON: nodes send it to each other. */
export interface MinuteReading {
  /** Beginning of the minute. */
  readonly atMs: number
  /** Delay of the event loop that 99 of 100 measurements stay below. */
  readonly lagMs: number
  /** Resident memory at the end of the minute. */
  readonly memoryBytes: number
  /** Duration of a transaction of the journal that 99 of 100 stay below; 0 without any. */
  readonly commitMs: number
  /** Largest size of the writes that waited for a transaction. */
  readonly waitingBytes: number
  /** The longest stop of the event loop of at least 250 ms. Missing without one, and from nodes of former releases. */
  readonly stop?: StopReading
}

/** A stop of the event loop and the work that took most of it; empty texts if that is not known, or is not of one instance. */
export interface StopReading {
  readonly ms: number
  readonly kind: string
  readonly operation: string
  /** Missing from nodes of former releases. */
  readonly feature?: string
  readonly instance: string
}

export interface NodeReadings {
  /** NODE_ID. */
  readonly nodeId: string
  readonly incarnation: string
  /** Oldest first. Null if the node did not answer in time, or runs a release that does not tell. */
  readonly minutes: readonly MinuteReading[] | null
}

export interface ReadingDirectory {
  /** Returns the readings of the living nodes, by name, at most some seconds old. Never rejects. */
  read(): Promise<readonly NodeReadings[]>
}
