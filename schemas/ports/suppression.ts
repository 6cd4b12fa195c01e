/** The people to whom campaigns of an instance send nothing. Types only. */
import type { InstanceId, Jid } from '../ids.js'
import type { ChatAddress } from '../jid.js'

/** `api`: a caller added the person. `opt_out`: the person sent a word of opting out. */
export type SuppressionSource = 'api' | 'opt_out'

export interface SuppressionRow {
  /** JID of the number, with the ninth digit of Brazilian mobile numbers. A LID when the number is not known. */
  readonly address: Jid
  readonly reason: string
  readonly source: SuppressionSource
  readonly created: Date
  /** Null: no end. */
  readonly until: Date | null
}

export interface Suppressions {
  /** Returns a page in the order of the addresses, after that one. */
  list(
    instance: InstanceId,
    page: { readonly after: string; readonly limit: number },
  ): Promise<{ readonly rows: readonly SuppressionRow[]; readonly hasMore: boolean }>
  /**
   * Adds people. One who is in the list already stays as they are, and the later end counts. Returns how many are new.
   * @throws GatewayError RECORD_LIMIT, INSTANCE_NOT_FOUND
   */
  add(
    instance: InstanceId,
    people: readonly ChatAddress[],
    entry: { readonly reason: string; readonly until: Date | null },
  ): Promise<number>
  /** Removes people, under every address that is known of them. Returns how many entries are gone. */
  remove(instance: InstanceId, people: readonly ChatAddress[]): Promise<number>
  /** Returns the entry of each person, null for people who are not in the list. */
  find(instance: InstanceId, people: readonly ChatAddress[]): Promise<readonly (SuppressionRow | null)[]>
}
