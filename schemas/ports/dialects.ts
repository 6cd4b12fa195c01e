/** Instances under the names that a dialect (the API of another gateway) has for them. Types only. */
import type { InstanceId } from '../ids.js'
import type { InstanceRow } from './instances.js'

/** A dialect that a gateway can speak. */
export type DialectName = 'evolution'

/** The facts that a dialect keeps of an instance. */
export interface DialectFacts {
  readonly instance: InstanceId
  readonly name: string
  /** The token of the instance; null if the dialect has not made the instance. */
  readonly token: string | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly created: Date
  readonly updated: Date
}

export interface DialectInstance {
  readonly row: InstanceRow
  /** Null for an instance that only our own interface knows: then its name is unique among all. */
  readonly facts: DialectFacts | null
}

export interface DialectInstances {
  /** Finds an instance by its name in the dialect, or else by its own name if no other instance has it. */
  find(dialect: DialectName, name: string): Promise<DialectInstance | null>
  /** From memory where possible; a change may go unnoticed for 5 s. */
  readFacts(dialect: DialectName, instance: InstanceId): Promise<DialectFacts | null>
  /** Lists the facts of all instances that the dialect knows. */
  list(dialect: DialectName): Promise<readonly DialectFacts[]>
  /**
   * Makes an instance under a name, with the caller's token or a new one.
   * @throws GatewayError NAME_TAKEN for the name, or for a token that opens something already
   */
  create(
    dialect: DialectName,
    given: { readonly name: string; readonly token?: string; readonly settings: Readonly<Record<string, unknown>> },
  ): Promise<{ readonly row: InstanceRow; readonly facts: DialectFacts }>
  /** Sets these settings, and keeps the others. @throws GatewayError NAME_TAKEN, INSTANCE_NOT_FOUND */
  change(
    dialect: DialectName,
    instance: Pick<InstanceRow, 'id' | 'name'>,
    settings: Readonly<Record<string, unknown>>,
  ): Promise<DialectFacts>
}
