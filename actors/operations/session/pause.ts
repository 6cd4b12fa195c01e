import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Maximum time to wait for acknowledgements. The next owner sends messages again that have none by then. */
const FINISH_MS = 2_000

/** Ends the connection and the actor, and keeps the pairing. Nothing is sent or written after its answer. */
export const pauseInstance = operation('pause', {
  // The second command finds the actor ended.
  repeat: true,
  endsActor: true,
  example: null,
  async run({ actor }: InstanceContext) {
    await actor.finish(FINISH_MS)
    await actor.stop(new GatewayError('OUTCOME_UNKNOWN'))
    return null
  },
})
