/** Makes the record of a dead letter for callers. */
import { deliveryFailure } from '../../schemas/delivery-failure.js'
import type { DeadLetter, DeadLettersReply } from '../../schemas/generated.js'
import type { DeadLetterRow } from '../../schemas/ports/webhooks.js'

export function deadLettersPage(
  page: { deadLetters: readonly DeadLetterRow[]; hasMore: boolean; total: number },
  type: DeadLetter['type'],
  limit: number,
  offset: number,
): DeadLettersReply {
  return {
    deadletters: page.deadLetters.map((row) => ({
      webhook_id: row.webhookId,
      instance_id: row.instance,
      type,
      eventId: row.eventId,
      event: row.kind,
      message_type: row.messageType,
      url: row.url,
      attempts: row.attempts,
      status_code: row.statusCode,
      error: row.error,
      code: deliveryFailure(row.error, row.statusCode).code,
      diedAt: row.diedAt.toISOString(),
      payload: row.payload,
    })),
    limit,
    offset,
    nextOffset: offset + page.deadLetters.length,
    hasMore: page.hasMore,
    total: page.total,
  }
}
