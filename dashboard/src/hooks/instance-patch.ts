/** Puts events of connections into the pages of a list of instances. */
import type { FindInstancesReply, FoundInstance, InstanceFilter } from '../../../schemas/generated.js'
import { isObject } from '../api/problem.js'
import type { StreamEvent } from '../api/stream-event.js'

type Status = FoundInstance['instance']['status']

interface Change {
  readonly id: string
  readonly status: Status
  /** When the event was written; null if the gateway does not tell. */
  readonly at: string | null
  readonly instance: Readonly<Partial<FoundInstance['instance']>>
}

const STATUSES: readonly unknown[] = ['connected', 'connecting', 'disconnected'] satisfies Status[]
/** Fields of an event that a list shows. Codes for pairing are not among them. */
const FIELDS = ['name', 'lastDisconnect', 'lastDisconnectReason', 'state', 'cause', 'attempt', 'nextAttemptAt'] as const

/** Returns null for an event that says nothing about an instance. */
export function readChange({ instanceId, owner, instance, timestamp }: StreamEvent): Change | null {
  if (typeof instanceId !== 'string' || !isObject(instance) || !STATUSES.includes(instance.status)) return null
  const status = instance.status as Status
  const shown = Object.fromEntries(FIELDS.flatMap((name) => (name in instance ? [[name, instance[name]]] : [])))
  const account = typeof owner === 'string' && owner !== '' ? { owner } : {}
  return { id: instanceId, status, at: toIsoTime(timestamp), instance: { ...shown, ...account, status } }
}

function toIsoTime(timestamp: unknown): string | null {
  const time = new Date(typeof timestamp === 'number' ? timestamp : Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Returns the pages with the change, or null when they do not have the instance. Drops it where the filter does not take it. */
export function patchPages(
  pages: readonly FindInstancesReply[],
  filter: InstanceFilter,
  change: Change,
): FindInstancesReply[] | null {
  const before = pages.flatMap(({ instances }) => instances).find(({ instance }) => instance.id === change.id)
  if (before === undefined) return null
  const isTaken = filter.status === undefined || filter.status.includes(change.status)
  return pages.map(({ instances, counts, ...page }) => ({
    ...page,
    counts: moveCount(counts, before.instance.status, change.status),
    instances: instances.flatMap((row) =>
      row.instance.id !== change.id ? [row] : isTaken ? [applyChange(row, change)] : [],
    ),
  }))
}

function applyChange(row: FoundInstance, { status, at, instance }: Change): FoundInstance {
  const isPaired = row.paired || status === 'connected'
  const since = status === row.instance.status ? {} : { since: at }
  return { ...row, ...since, paired: isPaired, instance: { ...row.instance, ...instance } }
}

function moveCount(counts: FindInstancesReply['counts'], from: Status, to: Status): FindInstancesReply['counts'] {
  if (counts === null || from === to) return counts
  return { ...counts, [from]: Math.max(0, counts[from] - 1), [to]: counts[to] + 1 }
}
