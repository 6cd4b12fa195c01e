import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceJournal } from '../../instance/ports.js'

/**
 * Makes a journal that rejects writes once the connection is closed. The library may still be handling half of a step then: the ratchet would
 * advance without the message, which the network sends again to the next connection.
 */
export function connectionJournal(journal: InstanceJournal, isClosed: () => boolean): InstanceJournal {
  return {
    write: (changes, when) =>
      isClosed() ? Promise.reject(new GatewayError('INSTANCE_NOT_CONNECTED')) : journal.write(changes, when),
    settled: (when) => journal.settled(when),
    together: (work) => journal.together(work),
  }
}
