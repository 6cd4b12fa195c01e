import type { RemoveProxyReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { withoutProxy } from './apply-proxy.js'

export const removeProxy = instanceRoute({
  method: 'DELETE',
  path: '/instance/proxy',
  name: 'removeProxy',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Remove the proxy of the account, which is connected without one from then on',
  schema: 'instance/proxy-remove.json',
  errors: ['INSTANCE_EXPORTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<RemoveProxyReply> {
    return await withoutProxy(ports, instance.id)
  },
})
