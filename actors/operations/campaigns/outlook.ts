import type { PacedKind, PacingOutlook } from '../../../schemas/pacing.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

interface ShowOutlook {
  readonly kind: PacedKind
}

const example: PacingOutlook = {
  nowMs: 0,
  inUseSinceMs: 0,
  sendsPerMinute: 60,
  restUntilMs: null,
  newChats: { left: 5, hold: null, untilMs: null },
}

/** Shows what sends of a kind may leave on the rest of the UTC day. */
export const showOutlook = operation('showOutlook', {
  repeat: true,
  example,
  run: ({ pacer }: InstanceContext, { kind }: ShowOutlook): Promise<PacingOutlook> => pacer.outlook(kind),
})
