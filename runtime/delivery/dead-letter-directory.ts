import type { WebhookDirectory } from '../../schemas/ports/webhooks.js'
import type { WebhookRows } from '../store/webhooks.js'
import type { Lane } from './lane-key.js'
import type { DeadLetterStore } from './ports.js'
import { idsOf, webhooksOf } from './scope-webhooks.js'

export interface DeadLetterOptions {
  readonly rows: Pick<WebhookRows, 'list'>
  readonly deadLetters: DeadLetterStore
  /** Called when dead letters were put back in these lanes. */
  readonly onReplayed?: (lanes: readonly Lane[]) => void
}

/** Dead letters of the webhooks of one scope. The webhooks of other scopes cannot be reached. */
export function createDeadLetterDirectory({
  rows,
  deadLetters,
  onReplayed,
}: DeadLetterOptions): Pick<WebhookDirectory, 'deadLetters' | 'replay'> {
  return {
    async deadLetters(instance, { webhookId, ...query }) {
      const own = await webhooksOf(rows, instance, webhookId)
      return deadLetters.list(idsOf(own), query)
    },
    async replay(instance, { webhookId, ...choice }) {
      const own = await webhooksOf(rows, instance, webhookId)
      const { lanes, count, eventIdsFound, remaining } = await deadLetters.replay(idsOf(own), choice)
      if (lanes.length > 0) onReplayed?.(lanes)
      const touched = new Set(lanes.map((lane) => lane.webhookId))
      return {
        replayed: count,
        skipped: choice.eventIds === undefined ? 0 : new Set(choice.eventIds).size - eventIdsFound,
        remaining,
        disabled: idsOf(own.filter(({ id, enabled }) => !enabled && touched.has(id))),
      }
    },
  }
}
