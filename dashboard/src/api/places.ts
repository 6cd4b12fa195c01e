/** Path of the dashboard, with a slash at its end. A proxy may have put the gateway below another path, so it is read from this file's address. */
export const dashboardPath = new URL(import.meta.env.DEV ? '/dashboard/' : '..', import.meta.url).pathname

/** Address of the gateway, without a slash at its end. */
export const gatewayUrl = new URL('..', new URL(dashboardPath, location.origin)).href.replace(/\/$/, '')
