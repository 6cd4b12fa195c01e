/** Roughly how much memory a write holds while it waits; exact enough to bound the journal. */
import type { GroupInfo } from '../../../schemas/group-info.js'
import type { JournalChange } from './batch.js'

const CHANGE_BYTES = 200
const MESSAGE_BYTES = 1_500
const KEY_BYTES = 400
const EXCHANGE_BYTES = 3_000

export function sizeOf(changes: readonly JournalChange[]): number {
  let bytes = 0
  for (const change of changes) bytes += CHANGE_BYTES + bytesOf(change)
  return bytes
}

function bytesOfGroup({ participants, topic }: GroupInfo): number {
  return 1_000 + topic.length * 2 + participants.length * 150
}

function bytesOf(change: JournalChange): number {
  switch (change.type) {
    case 'credentials':
      return change.data?.length ?? 0
    case 'keys':
      return change.entries.reduce(
        (sum, { value }) => sum + KEY_BYTES + (value instanceof Uint8Array ? value.length : 0),
        0,
      )
    case 'message':
      return MESSAGE_BYTES + change.message.text.length * 2 + (change.message.proto?.length ?? 0) * 2
    case 'message.update':
      return (
        change.messageids.length * 100 +
        (change.set.text?.length ?? change.set.edited?.text.length ?? 0) * 2 +
        (change.set.proto?.length ?? 0)
      )
    case 'lead':
      return Object.values(change.set).reduce(
        (sum, value) => sum + (typeof value === 'string' ? value.length * 2 : 8),
        0,
      )
    case 'group':
      return change.kind === 'keep'
        ? bytesOfGroup(change.group)
        : change.kind === 'list'
          ? change.groups.reduce((sum, group) => sum + bytesOfGroup(group), 0)
          : 0
    case 'quickReply':
      return change.quickReply.text.length * 2
    case 'scheduled':
      return 'send' in change ? MESSAGE_BYTES + change.send.row.text.length * 6 : change.messageids.length * 100
    case 'status.post':
      return change.post.people.length * 30 + change.post.report.discarded_recipients.length * 60
    case 'channel.counts':
      return change.posts.reduce((sum, { reactionCounts }) => sum + 100 + Object.keys(reactionCounts).length * 60, 0)
    case 'agent.call':
      return (change.row.result?.text.length ?? 0) * 2 + 1_000
    case 'deliveries':
      return change.outcomes.reduce(
        (sum, one) =>
          sum + 500 + (one.type === 'delivered' ? (one.successes?.length ?? 0) * EXCHANGE_BYTES : EXCHANGE_BYTES),
        0,
      )
    default:
      return 0
  }
}
