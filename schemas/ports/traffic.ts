/** Messages and deliveries of the last days, as API and store share them. Types only. */

/** Messages and deliveries of a time, or of a node. */
export interface TrafficCounts {
  readonly sent: number
  readonly received: number
  readonly failed: number
  readonly delivered: number
  /** Duration that half of the deliveries stay below; null without deliveries. */
  readonly p50Ms: number | null
  /** Duration that 99 of 100 deliveries stay below. */
  readonly p99Ms: number | null
}

export interface TrafficRow extends TrafficCounts {
  readonly at: Date
}

export interface NodeTraffic extends TrafficCounts {
  /** NODE_ID. */
  readonly id: string
}

/** How many instances had which status from a time on, until the next row. */
export interface AccountStates {
  readonly at: Date
  readonly connected: number
  readonly connecting: number
  readonly disconnected: number
}

/** The work of all agents on a UTC day. */
export interface AgentDay {
  readonly day: string
  readonly turns: number
  readonly tokens: number
  readonly costMicros: number
}

export interface TrafficQuery {
  readonly hours: number
  readonly stepMinutes: number
  /** Null: all nodes together. */
  readonly node: string | null
}

export interface TrafficReport {
  readonly at: Date
  /** The oldest first. Times without traffic are missing. */
  readonly rows: readonly TrafficRow[]
  /** Those with most traffic first. */
  readonly nodes: readonly NodeTraffic[]
  readonly agents: readonly AgentDay[]
  /** The oldest first; the first one holds when the hours begin. */
  readonly accounts: readonly AccountStates[]
}

export interface TrafficDirectory {
  /** @throws GatewayError RATE_LIMITED if PostgreSQL takes too long to add up */
  read(query: TrafficQuery): Promise<TrafficReport>
}
