/** What the cluster knows of revisions, and which of them a login uses. Pure. */

/** `candidate`: of the source, not yet used by a login. `good`: a login was taken. `refused`: a login was refused for it. */
export type RevisionState = 'candidate' | 'good' | 'refused'

export interface KnownRevision {
  readonly revision: number
  readonly state: RevisionState
}

export interface UsableRevisions {
  /** Revision that logins use. */
  readonly usual: number
  /** Newer revision that one login shall try. */
  readonly toTry: number | undefined
  /** True if the network has refused the usual one and nothing better is known. */
  readonly isRefused: boolean
}

/**
 * Distance to a known revision beyond which a number is no revision. The real ones grow by about 20 million a year. A source that names a huge
 * number must not make the true ones look old.
 */
const STEP_MAX = 200_000_000

/** @param builtIn the revision of the library, which counts as good until it is refused */
export function usableRevisions(known: readonly KnownRevision[], builtIn: number): UsableRevisions {
  const stateByRevision = new Map<number, RevisionState>([[builtIn, 'good']])
  for (const { revision, state } of known)
    if (state !== 'candidate' || revision > builtIn) stateByRevision.set(revision, state)
  const newest = (wanted: RevisionState) => findNewest(stateByRevision, (state) => state === wanted)
  const good = newest('good')
  const candidate = newest('candidate')
  if (good !== undefined)
    return { usual: good, toTry: candidate !== undefined && candidate > good ? candidate : undefined, isRefused: false }
  if (candidate !== undefined) return { usual: candidate, toTry: undefined, isRefused: false }
  return { usual: findNewest(stateByRevision, () => true) ?? builtIn, toTry: undefined, isRefused: true }
}

/** Returns a sentence that says why this number of the source is not taken; undefined if it is. */
export function refuseRevision(revision: number, { usual }: UsableRevisions): string | undefined {
  if (!Number.isSafeInteger(revision) || revision <= 0) return `${revision} is not a revision.`
  if (revision > usual + STEP_MAX) return `Revision ${revision} is too far from ${usual}, which is in use.`
  if (revision < usual - STEP_MAX) return `Revision ${revision} is far older than ${usual}, which is in use.`
  return undefined
}

function findNewest(states: ReadonlyMap<number, RevisionState>, isWanted: (state: RevisionState) => boolean) {
  let newest: number | undefined
  for (const [revision, state] of states)
    if (isWanted(state) && (newest === undefined || revision > newest)) newest = revision
  return newest
}
