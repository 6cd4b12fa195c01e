/**
 * Chooses the version that each login reports. The versions and their outcomes are shared by the cluster in PostgreSQL. A new one is tried by one
 * account first, and used by all once a login with it was taken. If the network refuses the version in use, the source is asked at once.
 */
import type { Logger } from 'pino'
import type { ClientVersion, ClientVersions, VersionChoice } from '../../actors/network/port/client-version.js'
import { type KnownRevision, type RevisionState, type UsableRevisions, usableRevisions } from './known-versions.js'

export interface ClientVersionRows {
  read(): Promise<readonly KnownRevision[]>
  /** Notes an outcome. */
  note(revision: number, state: RevisionState): Promise<void>
}

export interface ClientVersionKeeperOptions {
  /** The version of the library. Its first two numbers are those of all versions. */
  readonly builtIn: ClientVersion
  /** Version of the settings. The others are not used then. */
  readonly pinned: ClientVersion | undefined
  readonly rows: ClientVersionRows
  readonly logger: Logger
}

export interface ClientVersionKeeper extends ClientVersions {
  readonly usable: UsableRevisions
  /** Revision that logins use. */
  readonly revision: number
  /** Number of logins on this node that were refused for their version. */
  readonly refusals: number
  /** Reads what the cluster knows. Never rejects. */
  refresh(): Promise<void>
  /** Calls the listeners when instances that were refused may connect with another version. */
  onChanged(listener: () => void): void
  /** Calls the listeners when a login was refused for a version that is not pinned. */
  onRefused(listener: () => void): void
  close(): void
}

/** Time for which a read of the versions counts as new. */
const FRESH_MS = 60_000
/** Time between two reads while the version in use is refused. */
const REFUSED_READ_EVERY_MS = 5_000
/** Time in which the end of a refused login has reached its instance. */
const ANNOUNCED_AGAIN_MS = 1_000
/** Time after which another login may try a version, if nothing is known of the one that tries it. */
const TRIAL_MAX_MS = 2 * 60_000

export function createClientVersionKeeper(options: ClientVersionKeeperOptions): ClientVersionKeeper {
  return new Keeper(options)
}

class Keeper implements ClientVersionKeeper {
  readonly #options: ClientVersionKeeperOptions
  readonly #builtInRevision: number
  readonly #changed: (() => void)[] = []
  readonly #refusedListeners: (() => void)[] = []
  #usable: UsableRevisions
  #known = new Map<number, RevisionState>()
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  #trialSinceMs = Number.NEGATIVE_INFINITY
  #refusals = 0
  /** Outcomes that this node has noted, and the end of their writes. */
  #notes = 0
  #noting: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ClientVersionKeeperOptions) {
    this.#options = options
    this.#builtInRevision = options.builtIn[2]
    this.#usable = usableRevisions([], this.#builtInRevision)
  }

  get usable(): UsableRevisions {
    return this.#usable
  }

  get revision(): number {
    return this.#options.pinned?.[2] ?? this.#usable.usual
  }

  get refusals(): number {
    return this.#refusals
  }

  choose(isPairing: boolean): VersionChoice {
    const { builtIn, pinned } = this.#options
    if (pinned !== undefined) return this.#pinnedChoice(pinned)
    if (performance.now() - this.#readAtMs > FRESH_MS) void this.refresh()
    const { usual, toTry } = this.#usable
    const isTrial = toTry !== undefined && !isPairing && performance.now() - this.#trialSinceMs > TRIAL_MAX_MS
    if (isTrial) this.#trialSinceMs = performance.now()
    const revision = isTrial ? toTry : usual
    return this.#choice([builtIn[0], builtIn[1], revision], isTrial)
  }

  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  onChanged(listener: () => void): void {
    this.#changed.push(listener)
  }

  onRefused(listener: () => void): void {
    this.#refusedListeners.push(listener)
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }

  #pinnedChoice(version: ClientVersion): VersionChoice {
    return {
      version,
      accepted() {},
      refused: () => {
        this.#refusals += 1
        this.#options.logger.error({ version: version.join('.') }, 'WhatsApp refuses the version of WA_VERSION.')
      },
      ended() {},
    }
  }

  #choice(version: ClientVersion, isTrial: boolean): VersionChoice {
    let isOver = false
    const once = (work: () => void) => () => {
      if (isOver) return
      isOver = true
      work()
    }
    const [, , revision] = version
    return {
      version,
      accepted: once(() => this.#accepted(revision)),
      refused: once(() => this.#refused(revision)),
      // Nothing was learnt. The next login tries it.
      ended: once(() => {
        if (isTrial) this.#trialSinceMs = Number.NEGATIVE_INFINITY
      }),
    }
  }

  #accepted(revision: number): void {
    const state = this.#known.get(revision) ?? (revision === this.#builtInRevision ? 'good' : 'candidate')
    if (state === 'good') return
    this.#options.logger.info({ revision }, 'A login with this version was taken; all logins use it now.')
    this.#note(revision, 'good')
  }

  #refused(revision: number): void {
    this.#refusals += 1
    if (this.#known.get(revision) !== 'refused')
      this.#options.logger.warn({ revision }, 'WhatsApp refuses this version; a newer one is looked for.')
    this.#note(revision, 'refused')
    // The login reported another version than the next one will, so it need not wait.
    if (!this.#usable.isRefused) setTimeout(() => this.#announce(), ANNOUNCED_AGAIN_MS).unref()
    // Until the usual version is another one. Other nodes may find it.
    else this.#timer ??= setInterval(() => void this.refresh(), REFUSED_READ_EVERY_MS)
    for (const listener of this.#refusedListeners) listener()
  }

  #note(revision: number, state: RevisionState): void {
    if (this.#known.get(revision) === state || this.#isClosed) return
    this.#take(new Map(this.#known).set(revision, state))
    this.#notes += 1
    const noted = this.#options.rows.note(revision, state).catch((error: unknown) => {
      // The next login learns the same.
      this.#known.delete(revision)
      this.#options.logger.warn({ err: error, revision }, 'What became of a version could not be stored.')
    })
    this.#noting = this.#noting.then(() => noted)
  }

  async #read(): Promise<void> {
    try {
      this.#readAtMs = performance.now()
      const rows = await this.#readAfterNotes()
      if (!this.#isClosed) this.#take(new Map(rows.map(({ revision, state }) => [revision, state])))
    } catch (error) {
      if (!this.#isClosed) this.#options.logger.warn({ err: error }, 'The versions could not be read.')
    }
  }

  /** Reads the table, with all that this node has noted meanwhile. */
  async #readAfterNotes(): Promise<readonly KnownRevision[]> {
    for (;;) {
      await this.#noting
      const notes = this.#notes
      const rows = await this.#options.rows.read()
      if (notes === this.#notes) return rows
    }
  }

  #take(known: Map<number, RevisionState>): void {
    const { usual, toTry } = this.#usable
    this.#known = known
    const rows = [...known].map(([revision, state]) => ({ revision, state }))
    this.#usable = usableRevisions(rows, this.#builtInRevision)
    if (!this.#usable.isRefused) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    if (this.#usable.toTry !== toTry) this.#trialSinceMs = Number.NEGATIVE_INFINITY
    if (this.#usable.usual === usual) return
    this.#options.logger.info({ from: usual, to: this.#usable.usual }, 'Logins use another version from now on.')
    this.#announce()
  }

  #announce(): void {
    if (!this.#isClosed) for (const listener of this.#changed) listener()
  }
}
