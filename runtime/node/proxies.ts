import { ProxyFailure } from '../../actors/network/route/proxy-failure.js'
import type { Routes } from '../../actors/network/route/routes.js'
import { GatewayError } from '../../schemas/errors.js'
import { createOwnerTurns } from '../../schemas/owner-turns.js'
import type { ProxyDirectory } from '../../schemas/ports/proxies.js'
import { createProxies } from '../store/proxies.js'
import type { Stores } from './stores.js'

/** Tests of one instance that may wait for the one under way. */
const TESTS_WAITING_MAX = 2
const RETRY_S = 10

/** Creates the proxies of instances as the API sees them: rows, and a test over the network. */
export function createProxyDirectory({ database, encryption }: Stores, routes: Pick<Routes, 'test'>): ProxyDirectory {
  const turns = createOwnerTurns({ max: 1, waitingMax: TESTS_WAITING_MAX }, () => {
    const message = 'Too many tests of proxies of this instance at once.'
    return new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_S })
  })
  return {
    ...createProxies(database.pool, encryption),
    test: (instance, url) => turns.run(instance, () => routes.test(instance, url).catch(refuse)),
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ProxyFailure)) throw error
  const { message, stage } = error
  throw new GatewayError('PROXY_FAILED', {
    message: `The proxy could not be used, nothing was changed: ${message}.`,
    details: [{ field: 'proxy_url', why: message }],
    fields: { stage },
  })
}
