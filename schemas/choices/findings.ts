import { GatewayError } from '../errors.js'

const DETAILS_MAX = 20
const NAMED_MAX = 20

/** Collects all problems and warnings of a request, so that one answer has all of them. */
export class Findings {
  readonly #problems: { field: string; why: string }[] = []
  /** Fields by the sentence that is about them: a hundred choices give a few sentences, not a hundred. */
  readonly #warnings = new Map<string, string[]>()

  problem(field: string, why: string): void {
    this.#problems.push({ field, why })
  }

  /** One sentence per `about`; the fields that it is about are listed behind it. */
  warn(about: string, field?: string): void {
    const fields = this.#warnings.get(about) ?? []
    if (field !== undefined) fields.push(field)
    this.#warnings.set(about, fields)
  }

  /** @throws GatewayError INVALID_REQUEST with every problem in `details`, the first in its text */
  throwIfAny(): void {
    const [first] = this.#problems
    if (first === undefined) return
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: ${first.field} ${first.why}.`,
      details: this.#problems.slice(0, DETAILS_MAX),
    })
  }

  get warnings(): string[] {
    return [...this.#warnings].map(([about, fields]) =>
      fields.length === 0 ? `${about}.` : `${about}: ${list(fields)}.`,
    )
  }
}

function list(fields: readonly string[]): string {
  const shown = fields.slice(0, NAMED_MAX).join(', ')
  return fields.length > NAMED_MAX ? `${shown} and ${fields.length - NAMED_MAX} more` : shown
}
