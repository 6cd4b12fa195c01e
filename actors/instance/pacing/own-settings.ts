/** Settings of the owner of an instance. Null: as the installation has it. */
export interface OwnSettings {
  delayMinMs: number | null
  delayMaxMs: number | null
  inUseSinceMs: number | null
  /** `inUseSinceMs` of the account that is being paired. */
  offeredSinceMs: number | null
  pairedAtMs: number | null
  readonly createdAtMs: number
}

/** Returns the time since which the number is in use. */
export function sinceOf({ inUseSinceMs, pairedAtMs, createdAtMs }: OwnSettings): number {
  return inUseSinceMs ?? pairedAtMs ?? createdAtMs
}
