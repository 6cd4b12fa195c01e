import type { LiveStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { exampleStatus } from './example.js'

/** Answers with the live state of the instance. */
export const status = operation('status', {
  // It changes nothing.
  repeat: true,
  example: exampleStatus,
  async run({ session, presenceWatch }: InstanceContext): Promise<LiveStatus> {
    const { known } = presenceWatch
    return { ...session.live(), ...(known === null ? {} : { presence: known }) }
  },
})
