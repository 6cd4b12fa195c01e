import type { Encryption } from '../encryption.js'
import type { JournalChange, Write } from './batch.js'
import type { Statements } from './connection.js'

/**
 * A kind of change whose rows need nothing of other kinds: one module holds its statements and says which changes they are for. It runs only
 * for a batch that holds one of them. Kinds that need the chats, people or messages of a batch are put together in `write-rows.ts`.
 */
export interface RowKind {
  readonly types: readonly JournalChange['type'][]
  /** Sends its statements. They run in the order in which they are sent, and fail the batch if one of them fails. */
  send(client: Statements, writes: readonly Write[], encryption: Encryption): Promise<unknown>[]
}
