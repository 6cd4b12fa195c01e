/** Loads files of the dashboard that come later than the page: after a new build on the gateway, those of this one may be gone. */
import { gatewayUrl } from './places.js'
import { Problem } from './problem.js'

/** The page loads itself anew once in this time. */
const RELOAD_GAP_MS = 30_000
const RELOADED = 'posthorn.reloaded'

/**
 * Loads a file. If it is gone, the page loads itself anew; if the gateway is away, what is shown stays. A browser may remember that a file did
 * not come and not ask again, so that the page must load itself anew for it.
 *
 * @param isWanted true when somebody asks for it again: then the page may have loaded itself anew a moment ago
 * @throws Problem OFFLINE
 */
export async function loaded<File>(load: () => Promise<File>, isWanted = false): Promise<File> {
  try {
    return await load()
  } catch {
    if ((await answers()) && reload(isWanted)) return new Promise(() => undefined)
    throw new Problem('OFFLINE', 0, 'A file of the dashboard does not load.')
  }
}

/** Returns false if the page has loaded itself anew a moment ago, and nobody wants it to do so again. */
function reload(isWanted: boolean): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (!isWanted && Date.now() - last < RELOAD_GAP_MS) return false
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  return true
}

async function answers(): Promise<boolean> {
  return fetch(`${gatewayUrl}/dashboard/`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
