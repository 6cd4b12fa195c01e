import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceJournal } from '../../instance/ports.js'

/**
 * An instance's journal as one connection sees it: nothing is written once that is closed. What the library still handles then is half
 * of a step: the ratchet would move on and nobody hear of the message, which the network sends again to the next connection.
 */
export function connectionJournal(journal: InstanceJournal, isClosed: () => boolean): InstanceJournal {
  return {
    write: (changes) =>
      isClosed() ? Promise.reject(new GatewayError('INSTANCE_NOT_CONNECTED')) : journal.write(changes),
    settled: () => journal.settled(),
    together: (work) => journal.together(work),
  }
}
