import type { RotateInstanceTokenReply, RotateInstanceTokenRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { adminRoute } from '../../route.js'
import { giveToken } from '../instance/token-rotate.js'

export const rotateInstanceToken = adminRoute<RotateInstanceTokenRequest>({
  method: 'POST',
  path: '/admin/instances/:id/token/rotate',
  name: 'rotateInstanceToken',
  area: 'Administration',
  summary: 'Give an instance another token, if its token was lost',
  schema: 'admin/instance-token-rotate.json',
  errors: ['INSTANCE_NOT_FOUND'],
  handle: ({ params, body }, { ports }): Promise<RotateInstanceTokenReply> =>
    giveToken(ports.instances, (params.id ?? '') as InstanceId, body),
})
