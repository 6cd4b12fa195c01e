import type { InstanceProxy } from '../../schemas/generated.js'
import type { StoredProxy } from '../../schemas/ports/proxies.js'
import { maskedProxyUrl } from '../../schemas/proxy.js'
import type { LiveStatus, RouteView } from '../../schemas/session.js'

/** Makes the record of an instance's proxy for callers. It never holds a password. */
export function proxyRecord(stored: StoredProxy | null, { route, status }: LiveStatus): InstanceProxy {
  const failure = route?.failure ?? ''
  const isFallback = failure !== '' && stored !== null && stored.fallback !== 'never' && status === 'connected'
  const via = status === 'connected' ? (route?.via ?? null) : null
  return {
    mode: stored === null ? 'none' : 'custom',
    enabled: stored !== null,
    effective_mode: via === null ? 'disconnected' : via === 'none' ? 'none' : 'custom',
    effective_detail: detailOf(via, failure),
    fallback: { active: isFallback, reason: failure, since: failure === '' ? 0 : (route?.sinceMs ?? 0) },
    proxy_url: stored === null ? '' : maskedProxyUrl(stored.url),
    proxy_fallback: stored === null ? 'never' : shownFallback(stored.fallback),
    managed: false,
    last_test_at: stored?.tested.getTime() ?? 0,
    last_test_error: '',
    validation_error: failure !== '',
  }
}

function shownFallback(fallback: string): string {
  return fallback === 'never' || fallback === 'none' ? fallback : maskedProxyUrl(fallback)
}

function detailOf(via: RouteView['via'], failure: string): string {
  const why = failure === '' ? '' : ` The proxy could not be used: ${failure}`
  switch (via) {
    case null:
      return `There is no connection.${why}`
    case 'proxy':
      return `The connection uses the proxy.${why}`
    case 'fallback':
      return `The connection uses the fallback proxy.${why}`
    case 'none':
      return `The connection uses no proxy.${why}`
    default:
      return via satisfies never
  }
}
