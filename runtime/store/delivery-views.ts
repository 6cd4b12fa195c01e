/** The store as deliveries and streams see it. */
import type pg from 'pg'
import { EVENT_SCHEMA_VERSION } from '../../schemas/event-kinds.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import type { Lane } from '../delivery/lane-key.js'
import type { DeadLetterStore, DeliveryListStore, DeliveryStore, NextDelivery } from '../delivery/ports.js'
import type { StreamStore } from '../delivery/stream-ports.js'
import { createDeadLetters } from './dead-letters.js'
import { createDeliveries, type LaneDelivery } from './deliveries.js'
import { createDeliveryList } from './delivery-list.js'
import { isExcluded } from './event-filter.js'
import { createEvents, type EventOrigin, envelope, type StoredEvent } from './events.js'
import { readReceiverHours } from './receiver-hours.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

/** Maximum of lanes that one statement reads, and of such statements at once. */
const LANES_AT_ONCE = 16
const READS_AT_ONCE = 2

// A message has it after it was sent, and its event may leave before that. $1 instance   $2 message
const AI_METADATA = `
  SELECT ai_metadata AS metadata FROM agent_reply WHERE messageid = $2 AND instance_id = $1 AND ai_metadata IS NOT NULL
  UNION ALL
  SELECT ai_metadata FROM message WHERE instance_id = $1 AND "messageid" = $2 AND ai_metadata IS NOT NULL
  LIMIT 1`

type NextState = Pick<LaneDelivery, 'event' | 'attempts' | 'dueInMs' | 'lastError'>

export function deliveryStore(
  pool: pg.Pool,
  origin: EventOrigin,
  ownShards: () => readonly number[],
  {
    isOurs,
    record,
    findToken = async () => null,
  }: Pick<DeliveryStore, 'isOurs' | 'record'> & Partial<Pick<DeliveryStore, 'findToken'>>,
): DeliveryStore {
  const deliveries = createDeliveries(pool)
  const readers = new Map<number, (lane: Lane) => Promise<readonly LaneDelivery[]>>()
  /** A commit wakes the lanes of many chats at once. */
  function readNextOfLane(lane: Lane, limit: number): Promise<readonly LaneDelivery[]> {
    const made = () =>
      joinReads((lanes: readonly Lane[]) => deliveries.nextOfLanes(lanes, limit), LANES_AT_ONCE, READS_AT_ONCE)
    const read = readers.get(limit) ?? made()
    readers.set(limit, read)
    return read(lane)
  }
  function toNext({ event, attempts, dueInMs, lastError }: NextState): NextDelivery {
    const { position, instance, eventId, kind, traceparent } = event
    // A hundred long ones are read at once: each is made when its turn comes.
    let made: Pick<NextDelivery, 'messageType' | 'body'> | undefined
    const make = () => {
      const body = envelope(event, origin)
      made ??= { messageType: readMessageType(body), body: JSON.stringify(body) }
      return made
    }
    return {
      ...{ position, instance, attempts, dueInMs, lastError, eventId, kind, traceparent },
      get messageType() {
        return (made ?? make()).messageType
      },
      get body() {
        return (made ?? make()).body
      },
    }
  }
  return {
    next: async (lane, limit) => (await readNextOfLane(lane, limit)).map(toNext),
    ofEvents: (events) => events.map((event) => toNext({ event, attempts: 0, dueInMs: 0, lastError: '' })),
    backlogs: () => deliveries.backlogs(ownShards()),
    listLanes: (backlogs, limit) => deliveries.listLanes(backlogs, limit),
    oldestAgeMs: () => deliveries.oldestAgeMs(),
    giveUpOlder: (ageMs, limit) => deliveries.giveUpOlder(ageMs, limit),
    async aiMetadata(instance, messageid) {
      const { rows } = await pool.query<{ metadata: string }>(AI_METADATA, [instance, messageid])
      return rows[0]?.metadata ?? null
    },
    findToken,
    isOurs,
    record,
  }
}

export function deadLetterStore(pool: pg.Pool, origin: EventOrigin): DeadLetterStore {
  const stored = createDeadLetters(pool)
  return {
    async list(webhookIds, query) {
      const { deadLetters, hasMore, total } = await stored.list(webhookIds, query)
      const told = deadLetters.map(({ event, ...letter }) => {
        const payload = envelope(event, origin)
        const { instance, eventId, kind } = event
        return { ...letter, instance, eventId, kind, messageType: readMessageType(payload), payload }
      })
      return { deadLetters: told, hasMore, total }
    },
    replay: (webhookIds, choice) => stored.replay(webhookIds, choice),
    resend: (webhookIds, deliveries) => stored.resend(webhookIds, deliveries),
  }
}

export function deliveryListStore(pool: pg.Pool, origin: EventOrigin): DeliveryListStore {
  const { list, show } = createDeliveryList(pool)
  const search = createSearch(pool, SEARCH_TIMEOUT_MS)
  return {
    list,
    hours: (webhookIds, hours) => readReceiverHours(search, webhookIds, hours),
    async show(webhookId, instance, sequence) {
      const found = await show(webhookId, instance, sequence)
      if (found === null) return null
      const { event, ...shown } = found
      return { ...shown, body: JSON.stringify(envelope(event, origin)) }
    },
  }
}

export function streamStore(pool: pg.Pool, origin: EventOrigin): StreamStore {
  const events = createEvents(pool)
  const toStreamEvent = (event: StoredEvent, cursor: number, body: () => Record<string, unknown>) => ({
    cursor,
    kind: event.kind,
    flags: event.flags,
    body,
  })
  return {
    async read(instance: InstanceId | null, after, limit) {
      if (instance !== null)
        return (await events.eventsAfter(instance, after, limit)).map((event) =>
          toStreamEvent(event, event.sequence, () => envelope(event, origin)),
        )
      // Several instances may have one name.
      return (await events.eventsAfterPosition(after, limit)).map((event) =>
        toStreamEvent(event, event.position, () => ({ instanceId: event.instance, ...envelope(event, origin) })),
      )
    },
    last: (instance) => (instance === null ? events.lastPosition() : events.lastSequence(instance)),
    lossAt: (instance, cursor) =>
      instance === null ? events.lossAtPosition(cursor) : events.lossAtSequence(instance, cursor),
    writers: () => events.writers(),
    isExcluded,
  }
}

/** Makes the event that `POST /webhook/test` sends: it looks like one of a message, and says that it is a test. */
export function sampleEvent(instance: InstanceRow | null, eventId: string, publicUrl: string): Record<string, unknown> {
  return {
    BaseUrl: publicUrl,
    EventType: 'messages',
    instanceName: instance?.name ?? '',
    owner: instance?.owner ?? '',
    eventId,
    sequence: 0,
    schemaVersion: EVENT_SCHEMA_VERSION,
    timestamp: Date.now(),
    isTest: true,
    message: { text: 'This is a test of your webhook.', fromMe: false, messageType: 'text' },
  }
}

function readMessageType(body: Readonly<Record<string, unknown>>): string {
  const message = body.message
  if (typeof message !== 'object' || message === null) return ''
  const { messageType } = message as { messageType?: unknown }
  return typeof messageType === 'string' ? messageType : ''
}

// Reads that many callers make at the same time, as one statement: each would wake two processes, to read a row or two.

/** Answers some keys, in their order. */
type ReadMany<Key, Found> = (keys: readonly Key[]) => Promise<readonly Found[]>

interface Waiting<Key, Found> {
  readonly key: Key
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a read of one key. Calls of one turn of the event loop share a statement, and so do calls that are made while as many statements as may
 * are under way. A lone call waits for nobody. All calls of a statement that fails get its error.
 * @param keysMax maximum of keys in one statement
 * @param statementsMax maximum of statements under way
 */
export function joinReads<Key, Found>(
  readMany: ReadMany<Key, Found>,
  keysMax: number,
  statementsMax: number,
): (key: Key) => Promise<Found> {
  const waiting: Waiting<Key, Found>[] = []
  let underWay = 0

  async function readNext(): Promise<void> {
    const taken = waiting.splice(0, keysMax)
    try {
      const found = await readMany(taken.map(({ key }) => key))
      for (const [index, { resolve }] of taken.entries()) resolve(found[index] as Found)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }

  async function run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) await readNext()
    underWay -= 1
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay >= statementsMax) return
      underWay += 1
      void run()
    })
}
