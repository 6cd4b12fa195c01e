/**
 * One operation of an instance: the shape of its command, and the code that the owner of the instance runs. Each operation is one file
 * below `actors/operations/<area>/`, and the index of its area lists it. The router, the fakes of tests and the types `Command` and
 * `ReplyOf` come from these definitions.
 */
import type { InstanceContext } from './context.js'

export interface Definition<Fields extends object, Reply> {
  /**
   * Whether the command may be repeated when its owner was lost and nobody knows whether it was carried out: always, never, or as the
   * function says, which gives the command to repeat, or null. The caller of a command that is not repeated gets OUTCOME_UNKNOWN.
   * A command that was surely not begun is always repeated.
   */
  readonly repeat: boolean | ((command: Fields) => Fields | null)
  /** True for an operation that ends the actor of the instance. It is answered all the same. */
  readonly endsActor?: boolean
  /** Milliseconds for which the command itself asks its owner to wait before it acts. Default 0. */
  readonly waitMs?: (command: Fields) => number
  /** An answer as callers may get it. Fakes of tests give it. */
  readonly example: NoInfer<Reply> | ((command: Fields) => NoInfer<Reply>)
  /** Runs on the node that owns the instance. Everything it wrote is durable when it resolves. */
  readonly run: (context: InstanceContext, command: Fields) => Promise<Reply>
}

export interface Operation<Type extends string, Fields extends object, Reply> extends Definition<Fields, Reply> {
  /** The name of the command on the wire between nodes. Nodes of the former release know it, so it never changes. */
  readonly type: Type
}

export function operation<const Type extends string, Fields extends object, Reply>(
  type: Type,
  definition: Definition<Fields, Reply>,
): Operation<Type, Fields, Reply> {
  return { type, ...definition }
}

// biome-ignore lint/suspicious/noExplicitAny: the operations of a list have fields and replies of many types.
export type AnyOperation = Operation<string, any, any>

/** The commands of these operations, as plain data that travels between nodes. */
export type CommandOf<One extends AnyOperation> =
  One extends Operation<infer Type, infer Fields, unknown> ? { readonly type: Type } & Fields : never

/** The replies of these operations, by the type of the command. */
export type RepliesOf<One extends AnyOperation> = {
  readonly [Each in One as Each['type']]: Awaited<ReturnType<Each['run']>>
}
