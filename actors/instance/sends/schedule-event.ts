import type { MessageId } from '../../../schemas/ids.js'
import { chatNames } from '../../../schemas/jid.js'
import type { ScheduledContent } from '../../../schemas/scheduled-send.js'
import type { Schedule } from '../../../schemas/send-request.js'
import type { Change } from '../ports.js'

/** Returns the event `messages_update` about a send that has not left. */
export function scheduleEvent(
  state: 'Scheduled' | 'Rescheduled' | 'Canceled' | 'Queued',
  { messageid, row, schedule }: ScheduledContent & { readonly messageid: MessageId; readonly schedule: Schedule },
): Change {
  const status = state === 'Queued' ? 'queued' : state === 'Canceled' ? 'canceled' : 'scheduled'
  return {
    type: 'event',
    kind: 'messages_update',
    chat: row.chat,
    people: [row.chat],
    body: (named) => ({
      type: 'Status',
      state,
      status,
      event: {
        ...chatNames(named(row.chat)),
        IsFromMe: true,
        IsGroup: row.isGroup,
        send_at: new Date(schedule.atMs).toISOString(),
        ...(row.trackId === undefined ? {} : { track_id: row.trackId }),
        MessageIDs: [messageid],
      },
    }),
  }
}
