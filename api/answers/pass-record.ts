import type { PassRecord } from '../../schemas/generated.js'
import type { PassRow } from '../../schemas/ports/passes.js'

/** Returns the record of a pass for callers. */
export function passRecord({
  id,
  instance,
  isCode,
  isPairing,
  openedBy,
  actor,
  created,
  idleEnds,
  ends,
}: PassRow): PassRecord {
  return {
    id,
    instance: instance ?? '',
    isCode,
    isPairing,
    openedBy,
    actor,
    created: created.toISOString(),
    idleEnds: idleEnds.toISOString(),
    ends: ends.toISOString(),
  }
}
