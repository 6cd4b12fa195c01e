import { GatewayError } from '../../../schemas/errors.js'
import type { ShowRecordingReply } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { adminRoute } from '../../route.js'

export const showRecording = adminRoute({
  method: 'GET',
  path: '/admin/instances/:id/recording',
  name: 'showRecording',
  area: 'Administration',
  summary: "Show an instance's latest recording of stanzas",
  schema: 'admin/show-recording.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ params }, { ports }): Promise<ShowRecordingReply> {
    const instance = await ports.instances.byId((params.id ?? '') as InstanceId)
    if (instance === null) throw new GatewayError('INSTANCE_NOT_FOUND')
    return { instance: instance.id, ...(await ports.router.ask(instance.id, { type: 'readRecording' })) }
  },
})
