/** A server as the supervisor sees it. */

/** A server that answers, started by us or found running. */
export interface RunningServer {
  readonly pid: number
  readonly adopted: boolean
  /** Resolves when the process has ended, however that came. */
  readonly ended: Promise<void>
  /** Ask it to end, then insist. Resolves when it is gone. */
  stop(): Promise<void>
}

export interface ServerStatus {
  readonly state: 'running' | 'waiting' | 'stopped'
  readonly pid: number | undefined
  readonly adopted: boolean
  /** How often it was started again since it first ran. */
  readonly restarts: number
}
