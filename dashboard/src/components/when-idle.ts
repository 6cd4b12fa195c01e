/** Time that a page gets to become usable before anything loads ahead. */
const REST_MS = 500
/** Safari has no `requestIdleCallback`. */
const INSTEAD_MS = 1_000

/** Does something when the browser has nothing else to do; nothing at all for people who save data. */
export function runWhenIdle(work: () => void): void {
  if (savesData()) return
  setTimeout(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work)
    else setTimeout(work, INSTEAD_MS)
  }, REST_MS)
}

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}
