import type { Instance, UpdateInstanceNameRequest } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const updateInstanceName = instanceRoute<UpdateInstanceNameRequest>({
  method: 'POST',
  path: '/instance/updateInstanceName',
  name: 'updateInstanceName',
  area: 'Instance',
  scope: 'token',
  summary: 'Give the instance another name',
  schema: 'instance/update-instance-name.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    return instanceRecord(await ports.instances.rename(instance.id, body.name), options)
  },
})
