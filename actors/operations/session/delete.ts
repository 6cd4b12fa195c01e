import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Ends the session as `disconnect` does, then the actor. The caller deletes the rows. */
export const deleteInstance = operation('delete', {
  // The second command finds the session ended.
  repeat: true,
  endsActor: true,
  example: null,
  async run({ session, actor }: InstanceContext) {
    await session.disconnect()
    await actor.stop(new GatewayError('INSTANCE_NOT_FOUND'))
    return null
  },
})
