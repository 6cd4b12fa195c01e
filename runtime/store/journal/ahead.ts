/**
 * What is sent before the answers that it depends on. A commit of a few messages costs what its round trips cost: each wakes two processes.
 * So the statements of a transaction travel with the fence, on the expectation that every write passes it and every message is new. All
 * expectations are checked before the events and the COMMIT are sent. If one fails, the transaction is rolled back and made again in steps.
 */
import type { InstanceFacts, JournalChange, Write } from './batch.js'

/** An expectation that failed. Nothing has been committed. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected'
}

/** Returns the facts that the rows of a batch need before the fence is answered. Names and numbers are for events, which follow it. */
export function expectedFacts(writes: readonly Write[]): ReadonlyMap<string, InstanceFacts> {
  const expected = writes.map(({ instance: id, epoch }) => ({
    id,
    epoch,
    number: 0,
    isExported: false,
    owner: '',
    name: '',
  }))
  return new Map(expected.map((facts) => [facts.id, facts]))
}

/** Returns false for writes that change what the fence reads, or that are under two epochs. */
export function mayRunAhead(writes: readonly Write[]): boolean {
  const epochs = new Map<string, number>()
  for (const { instance, epoch, changes } of writes) {
    if ((epochs.get(instance) ?? epoch) !== epoch || changes.some(changesOwner)) return false
    epochs.set(instance, epoch)
  }
  return true
}

function changesOwner(change: JournalChange): boolean {
  return change.type === 'instance' && change.set.ownerJid !== undefined
}

/** Returns true when chats change by nothing that the other statements of the batch find out, if all messages are new. */
export function movesChatsAhead(writes: readonly Write[]): boolean {
  return writes.every(({ changes }) => changes.every(isForeseen))
}

function isForeseen(change: JournalChange): boolean {
  switch (change.type) {
    case 'message':
      return !change.history
    case 'message.update':
      return !change.lowersUnread && change.set.edited === undefined
    case 'keys':
    case 'credentials':
    case 'chat':
    case 'mapping':
    case 'event':
    case 'instance':
    case 'connection':
    case 'deliveries':
      return true
    default:
      return false
  }
}

/** The clock of PostgreSQL, as the node last saw it, for what is decided before PostgreSQL has said the time. */
export class StoreClock {
  #offsetMs = 0

  /** Call it with a time that PostgreSQL has said just now. */
  note(now: Date): void {
    this.#offsetMs = now.getTime() - Date.now()
  }

  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }
}
