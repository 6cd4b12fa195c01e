import type { Suppression } from '../../../schemas/generated.js'
import type { SuppressionRow } from '../../../schemas/ports/suppression.js'

export function suppressionRecord({ address, reason, source, created, until }: SuppressionRow): Suppression {
  return { number: address, reason, source, created: created.toISOString(), until: until?.toISOString() ?? null }
}
