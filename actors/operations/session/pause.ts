import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** For acknowledgements of what is on its way. The next owner sends again what has none by then. */
const FINISH_MS = 2_000

/** Ends the connection and the actor, and keeps the pairing. Nothing is sent or written any more when it is answered. */
export const pauseInstance = operation('pause', {
  // The second finds the actor ended.
  repeat: true,
  endsActor: true,
  example: null,
  async run({ session }: InstanceContext) {
    await session.finish(FINISH_MS)
    await session.stop(new GatewayError('OUTCOME_UNKNOWN'))
    return null
  },
})
