/** Reads the request of a replay of dead letters, and makes its answer. */
import type { ReplayGlobalWebhookRequest, ReplayWebhookReply } from '../../schemas/generated.js'
import type { ReplayChoice, ReplayOutcome } from '../../schemas/ports/webhooks.js'

export function replayChoice({ ids, event, from, limit }: ReplayGlobalWebhookRequest): ReplayChoice {
  return {
    ...(ids === undefined ? {} : { eventIds: ids }),
    ...(from === undefined ? {} : { diedFrom: new Date(from) }),
    ...(event === undefined ? {} : { kind: event }),
    ...(limit === undefined ? {} : { limit }),
  }
}

export function replayReply(
  { replayed, skipped, remaining, disabled }: ReplayOutcome,
  warnings: string[],
): ReplayWebhookReply {
  for (const id of disabled)
    warnings.push(`The webhook ${id} is not enabled: what was put back is delivered when it is enabled.`)
  return { replayed, skipped, remaining }
}
