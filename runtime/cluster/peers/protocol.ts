/** Requests and answers between nodes, as JSON. */
import type { Command, ReplyOf } from '../../../actors/operations/index.js'
import type { CallContext } from '../../../schemas/call-context.js'
import { type ErrorCode, errors, GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { MinuteReading, StopReading } from '../../../schemas/ports/cluster.js'
import type { NodeRow } from '../ownership/protocol.js'

// Ours: answers of nodes that have signed them.

/** The owner of a shard, as one node knows it. */
export interface Owner {
  readonly incarnation: string
  /** `host:port` of the node's peer server. */
  readonly address: string
  readonly epoch: number
}

/** One command for one instance of a shard that the other node owns, as the caller believes. */
export interface PeerCommand {
  readonly instance: InstanceId
  readonly command: Command
  /** Epoch of the shard. A node that knows only a lower one does not know yet that it is the owner. */
  readonly epoch: number
  /** Time that the caller will wait from now. */
  readonly leftMs: number
  readonly context: CallContext
}

export type PeerReply =
  | { readonly type: 'reply'; readonly reply: ReplyOf[Command['type']] }
  /** The command was carried out and failed. */
  | { readonly type: 'failed'; readonly error: GatewayError }
  /** The shard is elsewhere. `wasBegun`: the command may have been carried out before the shard left. */
  | { readonly type: 'moved'; readonly owner: Owner | 'moving' | 'none'; readonly wasBegun: boolean }

/** Identity and state of a node. */
export interface NodeState {
  readonly incarnation: string
  readonly nodeId: string
  readonly version: string
  readonly isDraining: boolean
  /** True while the node may act for its instances. */
  readonly isGuardOpen: boolean
}

/** Request of a node that is to own a shard, to its present owner. */
export interface PullRequest {
  readonly shard: number
  readonly epoch: number
  /** Incarnation of the node that requests the shard. */
  readonly by: string
}

export interface PullAnswer {
  /** Epoch of the new owner; null when the shard cannot move now. */
  readonly epoch: number | null
}

/** A node as another one names it. */
export type NodePlace = Pick<NodeRow, 'incarnation' | 'nodeId' | 'address'>

/** Answer to the news of which store is the newest. */
export interface StoreNewsAnswer {
  readonly incarnation: string
  readonly nodeId: string
  /** True if this node acts by no older store from now on. */
  readonly isHeeded: boolean
  /** The living nodes that this node knows. */
  readonly nodes: readonly NodePlace[]
}

/** Status of a shard that is elsewhere: 421, "misdirected request" (RFC 9110, 15.5.20). */
const MOVED = 421

/** Status of a request whose number was used: 425, "too early", a possible replay (RFC 8470, 5.2). No error of ours has it. */
export const USED = 425

/** An answer in the form in which it is signed and sent. */
export interface EncodedAnswer {
  readonly status: number
  readonly body: string
}

export function encodeJson(value: unknown): EncodedAnswer {
  return { status: 200, body: JSON.stringify(value) }
}

export function writeReply(answer: PeerReply): EncodedAnswer {
  switch (answer.type) {
    case 'reply':
      return { status: 200, body: JSON.stringify({ reply: answer.reply }) }
    case 'moved':
      return { status: MOVED, body: JSON.stringify({ owner: answer.owner, wasBegun: answer.wasBegun }) }
    case 'failed':
      return writeError(answer.error)
  }
}

/** Writes the parts of an error that a caller may see; the cause stays in the logs of its node. */
export function writeError(error: GatewayError): EncodedAnswer {
  const { code, message, details, fields, retryAfterSeconds } = error
  return {
    status: error.status,
    body: JSON.stringify({ error: { code, message, details, fields, retryAfterSeconds } }),
  }
}

/** @throws SyntaxError, TypeError if it is no answer of this protocol */
export function readReply(status: number, body: string): PeerReply {
  const said = JSON.parse(body) as Record<string, unknown>
  if (status === 200) return { type: 'reply', reply: said.reply as ReplyOf[Command['type']] }
  if (status === MOVED)
    return { type: 'moved', owner: said.owner as Owner | 'moving' | 'none', wasBegun: said.wasBegun === true }
  return { type: 'failed', error: readError(said.error) }
}

/** Returns null for an answer of another form. */
export function readMinutes(body: string): readonly MinuteReading[] | null {
  try {
    const { minutes } = (JSON.parse(body) ?? {}) as { readonly minutes?: unknown }
    return Array.isArray(minutes) && minutes.every(isReading) ? minutes : null
  } catch {
    return null
  }
}

function isReading(said: unknown): said is MinuteReading {
  const { atMs, lagMs, memoryBytes, commitMs, waitingBytes, stop } = (said ?? {}) as Record<string, unknown>
  const isWhole = [atMs, lagMs, memoryBytes, commitMs, waitingBytes].every((value) => Number.isFinite(value))
  return isWhole && (stop === undefined || isStop(stop))
}

function isStop(said: unknown): said is StopReading {
  const { ms, kind, operation, feature = '', instance } = (said ?? {}) as Record<string, unknown>
  return Number.isFinite(ms) && [kind, operation, feature, instance].every((value) => typeof value === 'string')
}

function readError(said: unknown): GatewayError {
  const { code, message, details, fields, retryAfterSeconds } = said as Record<string, unknown>
  // A newer version may know codes that this one does not.
  if (typeof code !== 'string' || !Object.hasOwn(errors, code))
    return new GatewayError('NODE_FAILED', { details: { code: String(code) } })
  return new GatewayError(code as ErrorCode, {
    ...(typeof message === 'string' ? { message } : {}),
    ...(details === undefined ? {} : { details }),
    ...(typeof fields === 'object' && fields !== null ? { fields: fields as Record<string, unknown> } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  })
}

/**
 * Types that survive JSON unchanged. If a command or a reply gets a field that does not (a Date, bytes, a Map), the lines below
 * stop compiling: give the field another type, or this file a codec. `unknown` stands for JSON that was made for callers.
 */
type Plain<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends bigint | symbol | Date | Uint8Array | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
      ? never
      : T extends (...given: never[]) => unknown
        ? never
        : { [Key in keyof T]: Plain<T[Key]> }
type IsPlain<T> = [T] extends [Plain<T>] ? true : false
type Yes<T extends true> = T
export type AllIsPlain = Yes<IsPlain<Command>> & Yes<IsPlain<ReplyOf[Command['type']]>>
