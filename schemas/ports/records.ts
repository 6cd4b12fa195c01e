/** Records that callers keep: functions, quick replies, labels. Types only. */
import type { FunctionParameter } from '../function-rules.js'
import type { InstanceId, Jid } from '../ids.js'
import type { ChatAddress } from '../jid.js'
import type { InstanceRow } from './instances.js'

export interface FunctionFields {
  readonly name: string
  readonly description: string
  readonly method: string
  readonly endpoint: string
  readonly active: boolean
  /** JSON as given; empty when there are none. */
  readonly headers: string
  readonly body: string
  readonly parameters: readonly FunctionParameter[]
  /** Names between commas. */
  readonly undocumented: string
  readonly headerError: boolean
  readonly bodyError: boolean
  /** It may be called again after a call whose outcome was lost, whatever its method. */
  readonly retrySafe: boolean
}

export interface Recorded {
  readonly id: string
  readonly created: Date
  readonly updated: Date
}

export type FunctionRow = FunctionFields & Recorded

/** A save without an id makes a record. */
export interface AgentRecords {
  /** The oldest first. */
  functions(instance: InstanceId): Promise<readonly FunctionRow[]>
  findFunction(instance: InstanceId, id: string): Promise<FunctionRow | null>
  /** @throws GatewayError NAME_TAKEN, RECORD_LIMIT, INSTANCE_NOT_FOUND */
  saveFunction(instance: InstanceId, id: string | null, fields: FunctionFields): Promise<FunctionRow>
  deleteFunction(instance: InstanceId, id: string): Promise<void>
}

export interface QuickReplyFields {
  readonly shortcut: string
  readonly type: string
  readonly text: string
  /** URL or base64; empty for a text. */
  readonly file: string
  readonly docName: string
}

export type QuickReplyRow = QuickReplyFields & Recorded & { readonly isOfPhone: boolean }

/** A save without an id makes a quick reply. Those of the phone are only listed. */
export interface QuickReplyDirectory {
  /** The oldest first. */
  list(instance: InstanceId): Promise<readonly QuickReplyRow[]>
  find(instance: InstanceId, id: string): Promise<QuickReplyRow | null>
  /** @throws GatewayError RECORD_LIMIT, INSTANCE_NOT_FOUND */
  save(instance: InstanceId, id: string | null, fields: QuickReplyFields): Promise<void>
  delete(instance: InstanceId, id: string): Promise<void>
}

export interface LabelDirectory {
  /** Records, in the order of their ids. */
  list(instance: Pick<InstanceRow, 'id' | 'owner'>): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** The people to whom campaigns of an instance send nothing. */

/** `api`: a caller added the person. `opt_out`: the person sent a word of opting out. */
type SuppressionSource = 'api' | 'opt_out'

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
