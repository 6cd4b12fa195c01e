import { LRUCache } from 'lru-cache'
import { entriesMax } from '../schemas/entries-max.js'
import type { InstanceId, MessageId } from '../schemas/ids.js'
import type { Change, InstanceJournal } from './instance/ports.js'

/** Maximum of messages of ours whose calls are remembered, so that later changes of them carry the traces of those calls. */
const TRACES_MAX = 20_000

/** The traces of the calls that sent messages of this node's instances. */
export class Traces {
  readonly #traceparents = new LRUCache<string, string>(entriesMax(TRACES_MAX))

  note(instance: InstanceId, messageid: MessageId, traceparent: string): void {
    this.#traceparents.set(nameOf(instance, messageid), traceparent)
  }

  /** Returns a journal that adds to what is written of a message the trace of the call that sent it, as long as that is known. */
  traced(instance: InstanceId, journal: InstanceJournal): InstanceJournal {
    return {
      write: (changes, when) =>
        journal.write(
          changes.map((change) => this.#traced(instance, change)),
          when,
        ),
      settled: (when) => journal.settled(when),
      together: (work) => journal.together(work),
    }
  }

  #traced(instance: InstanceId, change: Change): Change {
    if (change.type !== 'message' && change.type !== 'message.update') return change
    // A receipt of several messages may be of several calls.
    const [messageid, ...others] = change.type === 'message' ? [change.message.messageid] : change.messageids
    if (messageid === undefined || others.length > 0) return change
    const traceparent = this.#traceparents.get(nameOf(instance, messageid))
    return traceparent === undefined ? change : { ...change, traceparent }
  }
}

/** A message has the same id where it is received. Its trace belongs to the account that sent it. */
function nameOf(instance: InstanceId, messageid: MessageId): string {
  return `${instance} ${messageid}`
}
