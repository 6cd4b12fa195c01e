import type { Instance, UpdateFieldsMapRequest } from '../../../schemas/generated.js'
import type { FieldsMap } from '../../../schemas/lead-fields.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const updateFieldsMap = instanceRoute<UpdateFieldsMapRequest>({
  method: 'POST',
  path: '/instance/updateFieldsMap',
  name: 'updateFieldsMap',
  area: 'Instance',
  scope: 'token',
  summary: 'Give custom lead fields names',
  schema: 'instance/update-fields-map.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    return instanceRecord(await ports.instances.setFieldsMap(instance.id, body as FieldsMap), options)
  },
})
