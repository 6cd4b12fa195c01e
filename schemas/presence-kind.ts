export type PresenceKind = 'composing' | 'recording' | 'paused'

/** Presence that an account shows to its contacts. */
export type AccountPresence = 'available' | 'unavailable'

/** Knowledge about the presence of a person. */
export interface PresenceView {
  readonly presence: AccountPresence | 'unknown'
  /** Last sign of typing or recording in the chat with this account; null if there was none. */
  readonly activity: PresenceKind | null
  /** Unix milliseconds; null if it is unknown. */
  readonly lastSeenMs: number | null
  /** True if the person hides it. */
  readonly isLastSeenHidden: boolean
  /** Time of the network's last word about the person, Unix milliseconds; null if there was none. */
  readonly knownAtMs: number | null
}
