/** Writes answers of handlers to the response. */
import { tellingReplicaReads } from '../../schemas/replica-reads.js'
import type { ApiContext } from '../context.js'
import type { InputNotes } from '../input/fold.js'
import type { Answer } from '../route.js'

/** Maximum of ignored fields that an answer names. */
const FIELDS_NAMED_MAX = 20

/** Header of an answer that was read from a replica of PostgreSQL: its maximum age, in milliseconds. */
const REPLICA_LAG = 'Replica-Lag-Ms'

/** Makes an answer, and says in a header how old it may be if it was read from a replica. */
export async function withReplicaLag<T>(ctx: ApiContext, work: () => Promise<T>): Promise<T> {
  return await tellingReplicaReads((lagMs) => void ctx.res.setHeader(REPLICA_LAG, String(lagMs)), work)
}

/** Writes an answer that is not simply JSON. A header names ignored fields. */
export function writeAnswer(ctx: ApiContext, answer: Answer, unknown: readonly string[] = []): void {
  ctx.status = answer.status
  ctx.body = answer.body
  ctx.res.setHeader('Content-Type', answer.type)
  for (const [name, value] of Object.entries(answer.headers)) ctx.res.setHeader(name, value)
  nameIgnored(ctx, unknown)
  // A stream may be silent for a while. Its reader learns at once that it is open.
  if (typeof answer.body !== 'string' && !Buffer.isBuffer(answer.body)) ctx.flushHeaders()
}

/** Writes an answer as JSON. An object names ignored fields in `warnings`. For an array, which has no place for them, a header does. */
export function writeJson(ctx: ApiContext, answer: unknown, { unknown, warnings }: InputNotes): void {
  ctx.status = 200
  const body = unknown.length === 0 && warnings.length === 0 ? answer : withWarnings(ctx, answer, unknown, warnings)
  // Set before the body, because Koa guesses the type of a body without one.
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = JSON.stringify(body)
}

function withWarnings(
  ctx: ApiContext,
  answer: unknown,
  unknown: readonly string[],
  warnings: readonly string[],
): unknown {
  if (Array.isArray(answer)) {
    nameIgnored(ctx, unknown)
    return answer
  }
  return { ...(answer as object), warnings: describeIgnored({ unknown, warnings }) }
}

function nameIgnored(ctx: ApiContext, unknown: readonly string[]): void {
  const names = unknown.slice(0, FIELDS_NAMED_MAX).map((name) => encodeURIComponent(name))
  if (names.length > 0) ctx.res.setHeader('Warning-Fields', names.join(', '))
}

/** Returns a sentence about each field that was ignored. */
export function describeIgnored({
  unknown,
  warnings,
}: {
  readonly unknown: readonly string[]
  readonly warnings: readonly string[]
}): string[] {
  const ignored = unknown.slice(0, FIELDS_NAMED_MAX).map((name) => `${name}: unknown field, ignored`)
  return [...warnings, ...ignored]
}
