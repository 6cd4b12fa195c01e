import { GatewayError } from '../../../schemas/errors.js'
import type { SetProxyReply } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { LiveStatus } from '../../../schemas/session.js'
import { proxyRecord } from '../../answers/proxy-record.js'
import type { ApiPorts } from '../../ports.js'

type Ports = Pick<ApiPorts, 'proxies' | 'router'>

/**
 * Returns the live status. A node of the former release would connect beside the proxy.
 * @throws GatewayError INSTANCE_MOVING while such a node owns the instance
 */
export async function assertKnowsProxies({ router }: Ports, instance: InstanceId): Promise<LiveStatus> {
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
export async function applyProxy(ports: Ports, instance: InstanceId, details: string): Promise<SetProxyReply> {
  const live = await ports.router.ask(instance, { type: 'renewRoute' })
  const stored = await ports.proxies.find(instance)
  return { details, proxy: proxyRecord(stored, live), restart_requested: live.status !== 'disconnected' }
}
