import type { RotateTokenReply, RotateTokenRequest } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { InstanceDirectory } from '../../../schemas/ports/instances.js'
import { instanceRoute } from '../../route.js'

export const rotateToken = instanceRoute<RotateTokenRequest>({
  method: 'POST',
  path: '/instance/token/rotate',
  name: 'rotateToken',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Give the instance another token; its keys stay',
  schema: 'instance/token-rotate.json',
  errors: ['INSTANCE_NOT_FOUND'],
  handle: ({ instance, body }, { ports }) => giveToken(ports.instances, instance.id, body),
})

/** Rotates the token. Resolves with the answer for the caller. */
export async function giveToken(
  instances: Pick<InstanceDirectory, 'rotateToken'>,
  instance: InstanceId,
  { graceSeconds = 0 }: RotateTokenRequest,
): Promise<RotateTokenReply> {
  const { token, formerEnds } = await instances.rotateToken(instance, graceSeconds * 1_000)
  return {
    success: true,
    message: 'Keep the token: it is not told again.',
    token,
    former_end: formerEnds.toISOString(),
  }
}
