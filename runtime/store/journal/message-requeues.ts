/** Messages of a batch that go back into the queue, because the network has refused them for now. */
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

// The one way back of a status. A message that the network has taken, or that is final, stays as it is.
// $1 instances  $2 ids of the messages  $3 requests
const REQUEUE = `
  UPDATE message AS m SET "status" = 'queued', queued_request = u.request, updated = now()
  FROM unnest($1::text[], $2::text[], $3::text[]) AS u(instance_id, messageid, request)
  WHERE m.instance_id = u.instance_id AND m."messageid" = u.messageid AND m."fromMe" AND m."status" = 'pending'`

export function sendRequeues(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const requeued = writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) =>
      change.type === 'message.requeue'
        ? [{ instance, messageid: change.messageid, request: JSON.stringify(change.queuedRequest) }]
        : [],
    ),
  )
  if (requeued.length === 0) return []
  return [
    client.query(REQUEUE, [
      textArray(requeued.map(({ instance }) => instance)),
      textArray(requeued.map(({ messageid }) => messageid)),
      textArray(requeued.map(({ request }) => request)),
    ]),
  ]
}
