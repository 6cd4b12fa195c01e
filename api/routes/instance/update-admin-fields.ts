import { GatewayError } from '../../../schemas/errors.js'
import type { Instance, UpdateAdminFieldsRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute } from '../../route.js'

export const updateAdminFields = adminRoute<UpdateAdminFieldsRequest>({
  method: 'POST',
  path: '/instance/updateAdminFields',
  name: 'updateAdminFields',
  area: 'Administration',
  summary: 'Write the notes of the administrator about an instance',
  schema: 'instance/update-admin-fields.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ body: { id, adminField01, adminField02 }, note }, { ports, options }): Promise<Instance> {
    note.subject = id
    const row = await ports.instances.setAdminFields(id as InstanceId, {
      ...(adminField01 === undefined ? {} : { adminField01 }),
      ...(adminField02 === undefined ? {} : { adminField02 }),
    })
    if (row === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return instanceRecord(row, options)
  },
})
