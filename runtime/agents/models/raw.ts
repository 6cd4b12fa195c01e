/** Parts of an answer as `ModelAnswer.raw` keeps them: JSON, with what the provider wants back. */
import type { Provider } from '../../../schemas/agents/models.js'

export type RawPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly metadata?: object }
  | { readonly type: 'call'; readonly id: string; readonly metadata?: object }

interface Raw {
  readonly version: 1
  readonly provider: Provider
  readonly parts: readonly RawPart[]
}

/** Returns null if there is nothing that text and calls do not tell. */
export function makeRaw(provider: Provider, parts: readonly RawPart[]): Raw | null {
  const isTelling = parts.some(({ type, metadata }) => type === 'reasoning' || metadata !== undefined)
  return isTelling ? { version: 1, provider, parts } : null
}

/** Reads what `makeRaw` made. Parts of another provider, or of a release to come, are left out. */
export function readRaw(raw: unknown, provider: Provider): readonly RawPart[] {
  const { version, provider: maker, parts } = (raw ?? {}) as Partial<Raw>
  return version === 1 && maker === provider && Array.isArray(parts) ? parts : []
}
