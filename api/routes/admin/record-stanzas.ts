import { GatewayError } from '../../../schemas/errors.js'
import type { RecordingReply, RecordStanzasRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { adminRoute } from '../../route.js'

export const recordStanzas = adminRoute<RecordStanzasRequest>({
  method: 'POST',
  path: '/admin/instances/:id/recording',
  name: 'recordStanzas',
  area: 'Administration',
  summary: 'Start or stop recording the stanzas of an instance, without contents, keys and names, for a report',
  schema: 'admin/record-stanzas.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING', 'NOT_SUPPORTED'],
  async handle({ params, body: { recording } }, { ports }): Promise<RecordingReply> {
    const instance = await ports.instances.byId((params.id ?? '') as InstanceId)
    if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: instance.id, ...(await ports.router.ask(instance.id, { type: 'recordStanzas', recording })) }
  },
})
