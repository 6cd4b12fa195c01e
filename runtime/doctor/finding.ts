/** `warning`: the gateway runs, and somebody should look. `skipped`: there is nothing to check, or it could not be checked. */
export type FindingState = 'ok' | 'warning' | 'failed' | 'skipped'

/** One line of the report. Holds no secret. */
export interface Finding {
  /** Subject of the check, such as `PostgreSQL`. */
  readonly check: string
  readonly state: FindingState
  readonly text: string
  /** Next step of the operator; absent when there is nothing to do. */
  readonly remedy?: string
}

/** Findings without their subject, as a check returns them. */
export type Result = Omit<Finding, 'check'>

export interface Check {
  readonly name: string
  /** Changes nothing, anywhere. May throw. */
  run(): Promise<readonly Result[]>
}

export const ok = (text: string): Result => ({ state: 'ok', text })
export const skipped = (text: string): Result => ({ state: 'skipped', text })
export const warning = (text: string, remedy: string): Result => ({ state: 'warning', text, remedy })
export const failed = (text: string, remedy: string): Result => ({ state: 'failed', text, remedy })
