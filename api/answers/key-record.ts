import type { KeyRecord } from '../../schemas/generated.js'
import type { KeyRow } from '../../schemas/ports/keys.js'

/** Returns the record of a key for callers. */
export function keyRecord({ id, name, prefix, scopes, chat, created, ends }: KeyRow): KeyRecord {
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    chat: chat ?? '',
    created: created.toISOString(),
    expires: ends?.toISOString() ?? null,
  }
}
