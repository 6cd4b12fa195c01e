/** Loads files of the dashboard that come later than the page: after a new build on the gateway, those of this one may be gone. */
import { gatewayUrl } from './places.js'
import { Problem } from './problem.js'

/** The page reloads itself at most once in this time. */
const RELOAD_GAP_MS = 30_000
const RELOADED = 'posthorn.reloaded'

/**
 * Loads a file. If it fails while the gateway answers, the page is reloaded: the file may be gone, or the browser may remember the failure and
 * not ask again. While the gateway is away, the page stays.
 *
 * @param isWanted true after a click on a button: the page is reloaded even if it was reloaded a moment ago
 * @throws Problem OFFLINE
 */
export async function loadFile<File>(load: () => Promise<File>, isWanted = false): Promise<File> {
  try {
    return await load()
  } catch {
    if ((await isAnswering()) && reload(isWanted)) return new Promise(() => undefined)
    throw new Problem('OFFLINE', 0, 'A file of the dashboard does not load.')
  }
}

/** Reloads the page. Returns false, and does nothing, if it was reloaded a moment ago and nobody asks for it. */
function reload(isWanted: boolean): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (!isWanted && Date.now() - last < RELOAD_GAP_MS) return false
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  return true
}

async function isAnswering(): Promise<boolean> {
  return fetch(`${gatewayUrl}/dashboard/`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
