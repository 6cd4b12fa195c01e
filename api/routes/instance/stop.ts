import { GatewayError } from '../../../schemas/errors.js'
import type {
  StartInstanceReply,
  StartInstanceRequest,
  StopInstanceReply,
  StopInstanceRequest,
} from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const stopInstance = instanceRoute<StopInstanceRequest>({
  method: 'POST',
  path: '/instance/stop',
  name: 'stopInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Stop the instance and keep its pairing; nothing but a start connects it again',
  schema: 'instance/stop.json',
  errors: ['INSTANCE_NOT_PAIRED', 'INSTANCE_EXPORTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports, options }): Promise<StopInstanceReply> {
    // Stores the wish before the connection ends, so that no node connects the instance in between.
    await ports.instances.stop(instance.id)
    const live = await ports.router.ask(instance.id, { type: 'stopInstance' })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    return {
      instance: await instanceRecord(row, options, live),
      response: 'Stopped',
      info: 'The phone stays linked. POST /instance/start connects the instance again.',
    }
  },
})

export const startInstance = instanceRoute<StartInstanceRequest>({
  method: 'POST',
  path: '/instance/start',
  name: 'startInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Connect an instance that was stopped, with its pairing',
  schema: 'instance/start.json',
  errors: [
    'INSTANCE_NOT_PAIRED',
    'INSTANCE_EXPORTED',
    'INSTANCE_LIMIT',
    'NETWORK_UNREACHABLE',
    'PROXY_FAILED',
    'INSTANCE_MOVING',
    'INSTANCE_NOT_FOUND',
  ],
  async handle({ instance }, { ports, options }): Promise<StartInstanceReply> {
    if (instance.owner === '') throw new GatewayError('INSTANCE_NOT_PAIRED')
    await ports.instances.setDesired(instance.id, true)
    const live = await ports.router.ask(instance.id, { type: 'startInstance', waitMs: options.connectWaitMs })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    const { connected, loggedIn, jid } = live
    return { connected, loggedIn, jid, instance: await instanceRecord(row, options, live) }
  },
})
