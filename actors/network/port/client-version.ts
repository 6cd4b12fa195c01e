/** Version of the web client that a login reports. */
export type ClientVersion = readonly [primary: number, secondary: number, revision: number]

/** The version of one login. The one who logs in reports what became of it, once. */
export interface VersionChoice {
  readonly version: ClientVersion
  /** The network took the login. */
  accepted(): void
  /** The network refused the login for its version. */
  refused(): void
  /** The connection ended for another reason before it was taken. */
  ended(): void
}

export interface ClientVersions {
  /** Chooses the version of the next login. A pairing never tries a version that no account has used. */
  choose(isPairing: boolean): VersionChoice
}
