/**
 * Emits events as server-sent events and resumes from SQL. A reader that catches up and a reader that follows both read from SQL after their
 * own position; a commit only says that there is something to read. So nothing is lost, doubled or reordered between the two, and a reader
 * costs no more memory than the buffer of its socket.
 */
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { EventStreams, StreamOptions } from '../../schemas/ports/webhooks.js'
import { createEventPages } from './event-pages.js'
import { createStreamFeed, type StreamFeed } from './stream-feed.js'
import type { StreamStore } from './stream-ports.js'
import { announcementFrame, createStreamReader } from './stream-reader.js'

// Bound: 16,384, a header or a secret.

export interface StreamsOptions {
  readonly store: StreamStore
  /** Default 25000. */
  readonly heartbeatMs?: number
  /** Streams on this node. Default 1000. */
  readonly clientsMax?: number
  /** Streams of one instance on this node. Default 50. */
  readonly instanceMax?: number
  /** Streams of all administrators on this node. Default 100. */
  readonly adminMax?: number
  /** Time between two reads of SQL without a hint, for events of which the hint was lost. Default 5000. */
  readonly pollEveryMs?: number
  readonly logger: Logger
}

export interface Streams extends EventStreams {
  /** Reads new events of these instances, or of all. Call after the commit. */
  wake(instances: Iterable<InstanceId> | 'all'): void
  /** Sends something that is no event of an instance to the administrators who are connected here, under a name of its own. */
  announce(name: string, data: Readonly<Record<string, unknown>>): void
  /** Compares the positions of all readers with the store, which went back in time. */
  compare(): void
  readonly size: number
  /** Ends all streams with a comment; their readers resume elsewhere. */
  close(): void
}

export function createStreams(options: StreamsOptions): Streams {
  const { store, heartbeatMs = 25_000, clientsMax = 1000, instanceMax = 50, adminMax = 100 } = options
  const { pollEveryMs = 5000, logger } = options
  const log = logger.child({ part: 'streams' })
  const feeds = new Map<InstanceId | null, StreamFeed>()
  let size = 0
  let isClosed = false
  const poll = setInterval(() => wake('all'), pollEveryMs)
  poll.unref()

  return {
    open,
    page: createEventPages(store),
    wake,
    announce: (name, data) => feeds.get(null)?.announce(announcementFrame(name, data)),
    compare() {
      for (const feed of feeds.values()) feed.compare()
    },
    get size() {
      return size
    },
    close() {
      isClosed = true
      clearInterval(poll)
      for (const feed of [...feeds.values()]) feed.close()
    },
  }

  /** @throws GatewayError INVALID_REQUEST for an `after` that is no cursor, RATE_LIMITED when there are too many streams */
  function open({ instance, events, excludeMessages, warnings, after }: StreamOptions): Readable {
    if (isClosed || size >= clientsMax) throw tooMany('This server has reached its limit of event streams.')
    const [ownMax, whose] = instance === null ? [adminMax, 'Administrators have'] : [instanceMax, 'The instance has']
    if ((feeds.get(instance)?.size ?? 0) >= ownMax)
      throw tooMany(`${whose} ${ownMax} event streams on this node already; close one first.`)
    const feed = feeds.get(instance) ?? createStreamFeed({ instance, store, log })
    feeds.set(instance, feed)
    const wanted: ReadonlySet<string> = new Set(events)
    const reader = createStreamReader({
      cursor: parseCursor(after),
      heartbeatMs,
      ...(warnings === undefined ? {} : { warnings }),
      wants: ({ kind, flags }) =>
        (wanted.size === 0 || wanted.has(kind)) && !store.isExcluded(kind, flags, excludeMessages),
      onReadable: () => feed.wake(reader),
      onEnd: () => {
        size -= 1
        feed.remove(reader)
        if (feed.size === 0) feeds.delete(instance)
      },
    })
    size += 1
    feed.add(reader)
    return reader.stream
  }

  function wake(instances: Iterable<InstanceId> | 'all'): void {
    if (instances === 'all') {
      for (const feed of feeds.values()) feed.wake()
      return
    }
    let isAny = false
    for (const instance of instances) {
      isAny = true
      feeds.get(instance)?.wake()
    }
    if (isAny) feeds.get(null)?.wake()
  }
}

function tooMany(message: string): GatewayError {
  return new GatewayError('RATE_LIMITED', { message, retryAfterSeconds: 5, limit: 'streams' })
}

function parseCursor(after: string | undefined): number | undefined {
  if (after === undefined || after === '') return undefined
  if (/^\d{1,15}$/.test(after)) return Number(after)
  throw new GatewayError('INVALID_REQUEST', {
    details: [{ field: 'Last-Event-ID', why: 'is not an id of this stream' }],
  })
}
