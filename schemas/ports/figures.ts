/** Figures of the whole installation, as API and store share them. Types only. */

/** Messages of one minute. */
export interface MinuteFigures {
  readonly at: Date
  readonly sent: number
  readonly failed: number
  readonly received: number
}

export interface Figures {
  readonly at: Date
  readonly instances: {
    readonly disconnected: number
    readonly connecting: number
    readonly connected: number
    /** Not connected although they should be. */
    readonly missing: number
  }
  /** The last 60 minutes, oldest first, the present one included. */
  readonly minutes: readonly MinuteFigures[]
  readonly webhooks: {
    readonly waiting: number
    readonly oldestWaitingMs: number
    readonly deadLetters: number
    readonly failedAttempts: number
  }
  readonly sends: { readonly waiting: number; readonly scheduled: number }
}

export interface FigureDirectory {
  /** Returns the figures, at most some seconds old. @throws GatewayError RATE_LIMITED if PostgreSQL takes too long to count */
  read(): Promise<Figures>
}
