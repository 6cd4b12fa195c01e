/** Types only. */
import type { InstanceId, Jid } from '../ids.js'
import type { PlaceholderValues } from '../placeholders.js'

/** What the chats of an instance hold for placeholders. */
export interface ChatValues {
  /**
   * Returns fields of the chats of these people or groups, by the address that was given. Who has no chat is left out.
   * @param lengthMax number of characters to which each value is cut
   */
  valuesOf(
    addresses: readonly Jid[],
    fields: readonly string[],
    lengthMax: number,
  ): Promise<ReadonlyMap<Jid, PlaceholderValues>>
}

/** Returns the chats of an instance. */
export type ChatValuesOf = (instance: InstanceId) => ChatValues
