import type { InstanceProxy } from '../../../schemas/generated.js'
import { proxyRecord } from '../../answers/proxy-record.js'
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
