import { GatewayError } from '../../../schemas/errors.js'
import type { Instance, UpdateTagsRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { adminRoute } from '../../route.js'

export const updateTags = adminRoute<UpdateTagsRequest>({
  method: 'POST',
  path: '/instance/updateTags',
  name: 'updateTags',
  area: 'Administration',
  summary: 'Set, add or remove tags of an instance',
  schema: 'instance/update-tags.json',
  errors: ['INSTANCE_NOT_FOUND'],
  async handle({ body: { id, tags, add, remove }, note }, { ports, options }): Promise<Instance> {
    note.subject = id
    const isChange = add !== undefined || remove !== undefined
    if ((tags !== undefined) === isChange)
      throw new GatewayError('INVALID_REQUEST', {
        message: 'Invalid request: give either tags, or add and remove.',
        details: [{ field: 'tags', why: isChange ? 'cannot be given with add or remove' : 'is missing' }],
      })
    return instanceRecord(await ports.instances.changeTags(id as InstanceId, { tags, add, remove }), options)
  },
})
