/**
 * Keeps the passes of an administrator for single instances beside the pass of the tab, so that a page that is loaded again does not open
 * another one each time, and the audit log says who looked, and not how often the page was loaded.
 */
const KEY = 'posthorn.access'
/** Time for which a pass is used again. One without a call ends after 30 minutes. */
const KEPT_MS = 20 * 60_000
/** Maximum of instances whose passes are kept. */
const KEPT_MAX = 20

interface Kept {
  readonly parent: string
  readonly token: string
  readonly at: number
}

/** Returns the pass for the instance that was made with this parent; undefined if there is none that can be used. */
export function findKeptAccess(id: string, parent: string): string | undefined {
  const found = readKept()[id]
  return found !== undefined && found.parent === parent && Date.now() - found.at < KEPT_MS ? found.token : undefined
}

export function keepAccess(id: string, parent: string, token: string): void {
  const { [id]: _, ...others } = readKept()
  const newest = Object.entries(others).slice(1 - KEPT_MAX)
  write({ ...Object.fromEntries(newest), [id]: { parent, token, at: Date.now() } })
}

/** Returns the instances whose passes are kept. */
export function listKeptInstances(): readonly string[] {
  return Object.keys(readKept())
}

/** Forgets a pass that was refused. */
export function forgetAccess(id: string): void {
  const { [id]: found, ...others } = readKept()
  if (found !== undefined) write(others)
}

function readKept(): Readonly<Record<string, Kept>> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, Kept>
  } catch {
    return {}
  }
}

function write(next: Readonly<Record<string, Kept>>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage each load of a page opens a pass.
  }
}
