/** Path of the dashboard, with a slash at its end. A proxy may have put the gateway below another path, so it is read from this file's address. */
export const dashboardPath = new URL(import.meta.env.DEV ? '/dashboard/' : '..', import.meta.url).pathname

/** Address of the gateway, without a slash at its end. */
export const gatewayUrl = new URL('..', new URL(dashboardPath, location.origin)).href.replace(/\/$/, '')

/** Returns the instance and the page below it that an address names, such as `chats`; an empty page is the connection. */
export function findPlace(path: string): { readonly id: string; readonly page: string } | undefined {
  // Ours: `/instances/new` makes one, and ids begin with an i.
  const [, id, page = ''] = /\/instances\/(i[a-z0-9]{15})(?:\/([^/]+))?/.exec(path) ?? []
  return id === undefined ? undefined : { id, page }
}

/** Returns true on a page that came from the demo, which marks it. */
export function isDemo(): boolean {
  return document.documentElement.dataset.demo !== undefined
}
