/** Records that callers keep: functions, quick replies, labels. Types only. */
import type { FunctionParameter } from '../function-rules.js'
import type { InstanceId } from '../ids.js'
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
