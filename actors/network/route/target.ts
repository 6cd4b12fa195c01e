/** A place to which a connection is wanted. */
export interface Target {
  /** Name or address, without brackets. */
  readonly host: string
  readonly port: number
}

/** Maximum time for each step: the connection to the proxy, TLS with it, its answer, and TLS with the target. */
export const STEP_TIMEOUT_MS = 10_000
