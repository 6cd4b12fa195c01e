import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceProxy, SetProxyReply, SetProxyRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { StoredProxy } from '../../../schemas/ports/instances.js'
import { isMaskedProxyUrl, maskedProxyUrl, type ProxySettings, parseProxyUrl } from '../../../schemas/proxy.js'
import type { LiveStatus } from '../../../schemas/session.js'
import { proxyRecord } from '../../answers/instance-record.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute } from '../../route.js'

export const showProxy = instanceRoute({
  method: 'GET',
  path: '/instance/proxy',
  name: 'showProxy',
  area: 'Instance',
  scope: 'token',
  summary: 'Show the proxy of the instance, without its password, and whether it is in use',
  schema: 'instance/proxy-show.json',
  errors: ['INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<InstanceProxy> {
    const [stored, live] = await Promise.all([
      ports.proxies.find(instance.id),
      ports.router.ask(instance.id, { type: 'status' }),
    ])
    return proxyRecord(stored, live)
  },
})

type Ports = Pick<ApiPorts, 'proxies' | 'router'>

/**
 * Returns the live status. A node of the former release would connect beside the proxy.
 * @throws GatewayError INSTANCE_MOVING while such a node owns the instance
 */
async function assertKnowsProxies({ router }: Ports, instance: InstanceId): Promise<LiveStatus> {
  const live = await router.ask(instance, { type: 'status' })
  if (live.route === undefined) throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 30 })
  return live
}

/** Removes the proxy. An instance that has none, and whose connection uses none, keeps its connection. */
export async function withoutProxy(ports: Ports, instance: InstanceId): Promise<SetProxyReply> {
  const live = await assertKnowsProxies(ports, instance)
  const stored = await ports.proxies.find(instance)
  const isWithout = live.status === 'disconnected' || live.route?.via === 'none'
  await ports.proxies.remove(instance)
  if (stored === null && isWithout)
    return { details: 'There was no proxy', proxy: proxyRecord(null, live), restart_requested: false }
  return await applyProxy(ports, instance, 'Proxy removed')
}

/** Makes the connection again on the stored way. If its owner dies meanwhile, the next owner reads the stored way itself. */
async function applyProxy(ports: Ports, instance: InstanceId, details: string): Promise<SetProxyReply> {
  const live = await ports.router.ask(instance, { type: 'renewRoute' })
  const stored = await ports.proxies.find(instance)
  return { details, proxy: proxyRecord(stored, live), restart_requested: live.status !== 'disconnected' }
}

export const setProxy = instanceRoute<SetProxyRequest>({
  method: 'POST',
  path: '/instance/proxy',
  name: 'setProxy',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Set the proxy of the account; it is tested with a connection to WhatsApp before it is stored',
  schema: 'instance/proxy-set.json',
  errors: [
    'NOT_SUPPORTED',
    'PROXY_FAILED',
    'RATE_LIMITED',
    'INSTANCE_EXPORTED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance, body }, { ports }): Promise<SetProxyReply> {
    const stored = await ports.proxies.find(instance.id)
    const settings = readSettings(body, stored)
    if (settings === null) return await withoutProxy(ports, instance.id)
    await assertKnowsProxies(ports, instance.id)
    const { url, fallback } = settings
    await ports.proxies.test(instance.id, url)
    if (fallback !== 'never' && fallback !== 'none') await ports.proxies.test(instance.id, fallback)
    await ports.proxies.set(instance.id, settings)
    return await applyProxy(ports, instance.id, 'Proxy set')
  },
})

/** Reads both public forms of the body. Returns null for no proxy. @throws GatewayError INVALID_REQUEST, NOT_SUPPORTED */
function readSettings(body: SetProxyRequest, stored: StoredProxy | null): ProxySettings | null {
  const { mode, enable, proxy_url: url = '', proxy_fallback: fallback = '', confirm_no_proxy: isConfirmed } = body
  if (mode === 'internal') throw notOffered('mode')
  if (fallback === 'internal_proxy') throw notOffered('proxy_fallback')
  if ((mode === 'custom' && enable === false) || (mode === 'none' && enable === true))
    throw invalid('enable', 'must agree with mode')
  if (mode === 'none' && isConfirmed !== true)
    throw invalid('confirm_no_proxy', 'must be true, since the account will be connected without a proxy')
  if (mode === 'none' || enable === false) return null
  if (mode === undefined && enable === undefined && url === '') throw invalid('mode', 'must be custom or none')
  if (fallback === 'none' && isConfirmed !== true)
    throw invalid(
      'confirm_no_proxy',
      'must be true for the fallback none, since it connects the account without a proxy',
    )
  return { url: readUrl('proxy_url', url, stored?.url), fallback: readFallback(fallback.trim(), stored?.fallback) }
}

function readFallback(given: string, stored: string | undefined): string {
  if (given === '' || given === 'never') return 'never'
  return given === 'none' ? given : readUrl('proxy_fallback', given, stored)
}

/** A client that sends back what it was shown means the stored URL. */
function readUrl(field: string, given: string, stored: string | undefined): string {
  const url = given.trim()
  if (stored !== undefined && url !== '' && url === maskedProxyUrl(stored)) return stored
  const proxy = parseProxyUrl(url)
  if (isMaskedProxyUrl(url)) throw invalid(field, 'is the masked form of another URL: send the whole URL')
  if (typeof proxy === 'string') throw invalid(field, url === '' ? 'must be given' : proxy)
  return url
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', { message: `Invalid ${field}: it ${why}.`, details: [{ field, why }] })
}

function notOffered(field: string): GatewayError {
  const why = 'managed proxies are not offered here; nothing was done.'
  return new GatewayError('NOT_SUPPORTED', { message: `${field}: ${why}`, details: [{ field, why }] })
}
