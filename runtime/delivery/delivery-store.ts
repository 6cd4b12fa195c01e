/** The store as deliveries and streams need it: rows become bodies, and outcomes go into the journal under the right epoch. */
import { LRUCache } from 'lru-cache'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { Deliveries } from '../store/deliveries.js'
import type { Events, StoredEvent } from '../store/events.js'
import type { isExcluded } from '../store/event-filter.js'
import type { Journal } from '../store/journal.js'
import type { DeliveryStore } from './ports.js'
import type { StreamEvent, StreamStore } from './stream.js'

export interface StorePorts {
  readonly deliveries: Pick<Deliveries, 'dueLanes' | 'nextDueAt' | 'nextOfLane'>
  readonly events: Events
  readonly journal: Pick<Journal, 'writeDeliveries'>
  /** Undefined while this node does not own the instance. */
  readonly epochOf: (instance: InstanceId) => number | undefined
  /** `envelope` of the store, with the public URL already given. */
  readonly envelope: (event: StoredEvent) => Record<string, unknown>
  readonly isExcluded: typeof isExcluded
}

interface Body {
  readonly text: string
  readonly messageType: string
}

/** Enough for the events under way; an event that goes to several webhooks is built once. */
const BODIES_MAX = 1000
const BODIES_MAX_CHARACTERS = 8_000_000
/** Lanes that one sweep wakes; the next one finds the others. */
const DUE_LANES_MAX = 20_000

export function createDeliveryStore({ deliveries, journal, epochOf, envelope }: StorePorts): DeliveryStore {
  const bodies = new LRUCache<string, Body>({
    max: BODIES_MAX,
    maxSize: BODIES_MAX_CHARACTERS,
    sizeCalculation: ({ text }) => text.length + 100,
  })

  return {
    async next({ webhookId, lane }, limit) {
      const rows = await deliveries.nextOfLane(webhookId, lane, limit)
      return rows.map(({ event, attempts, nextAttemptAt }) => ({
        position: event.position,
        instance: event.instance,
        attempts,
        nextAttemptAt,
        eventId: event.eventId,
        kind: event.kind,
        // Built when its turn comes, not for all of a long lane at once.
        get body() {
          return bodyOf(event).text
        },
        get messageType() {
          return bodyOf(event).messageType
        },
      }))
    },
    async due() {
      const lanes = await deliveries.dueLanes(new Date(), DUE_LANES_MAX)
      return lanes.filter(({ instance }) => epochOf(instance) !== undefined)
    },
    nextDueAt: () => deliveries.nextDueAt(new Date()),
    async record(instance, outcomes) {
      const epoch = epochOf(instance)
      if (epoch === undefined) throw new GatewayError('NOT_OWNER')
      await journal.writeDeliveries(instance, epoch, outcomes)
    },
  }

  function bodyOf(event: StoredEvent): Body {
    const known = bodies.get(event.eventId)
    if (known !== undefined) return known
    const whole = envelope(event)
    const body = { text: JSON.stringify(whole), messageType: messageTypeOf(whole) }
    bodies.set(event.eventId, body)
    return body
  }
}

export function createStreamStore({ events, envelope, isExcluded }: StorePorts): StreamStore {
  return {
    async read(instance, after, limit) {
      const found =
        instance === null
          ? await events.eventsAfterPosition(after, limit)
          : await events.eventsAfter(instance, after, limit)
      return found.map(
        (event): StreamEvent => ({
          cursor: instance === null ? event.position : event.sequence,
          kind: event.kind,
          flags: event.flags,
          createdAt: event.created,
          body: () => envelope(event),
        }),
      )
    },
    last: (instance) => (instance === null ? events.lastPosition() : events.lastSequence(instance)),
    isExcluded,
  }
}

function messageTypeOf(body: Readonly<Record<string, unknown>>): string {
  const message = body.message
  const isMessage = typeof message === 'object' && message !== null && 'messageType' in message
  return isMessage && typeof message.messageType === 'string' ? message.messageType : ''
}
