/** Figures of the whole installation, as API and store share them. Types only. */

/** Messages of one minute. */
export interface MinuteFigures {
  readonly at: Date
  readonly sent: number
  readonly failed: number
  readonly received: number
}

/** An instance whose webhooks or sends need a hand. Null as id and name: the webhook of all instances. */
export interface TroubledOwner {
  readonly id: string | null
  readonly name: string | null
  readonly deadLetters: number
  /** Deliveries that wait for longer than a minute. */
  readonly waiting: number
  /** Sends that failed in the last hour. */
  readonly failed: number
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
  /** Instances with the most troubles first. */
  readonly troubled: readonly TroubledOwner[]
}

export interface FigureDirectory {
  /** Returns the figures, at most some seconds old. @throws GatewayError RATE_LIMITED if PostgreSQL takes too long to count */
  read(): Promise<Figures>
}
