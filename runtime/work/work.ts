/** The scheduler of work that costs the node memory, processor time or connections: a line for each kind, in which instances have fair shares. */
import { GatewayError, type Limit } from '../../schemas/errors.js'
import type { Place } from './place.js'
import { type WorkCounts, type WorkLimits, WorkLine } from './work-line.js'

export interface SharedWork {
  /**
   * Does the work in its turn. `owner`: its instance, or ''.
   * @throws GatewayError RATE_LIMITED when too much of its owner waits; the reason of the signal if it is aborted while the work waits
   */
  run<T>(kind: SharedWorkKind, owner: string, work: (place: Place) => Promise<T>, signal?: AbortSignal): Promise<T>
  counts(): readonly WorkCountsOfKind[]
}

export interface WorkCountsOfKind extends WorkCounts {
  readonly kind: SharedWorkKind
}

export interface WorkOptions {
  /** Other limits than those of the table. */
  readonly limits?: Partial<Record<SharedWorkKind, Partial<WorkLimits>>>
  /** Called when work begins, with the time for which it has waited. */
  readonly onBegun?: (kind: SharedWorkKind, waitedMs: number) => void
  /** Called for work that is refused. */
  readonly onRefused?: (limit: Limit) => void
}

const RETRY_SECONDS = 5
/** What callers of the API are told about the work that they can ask for. */
const NAMES: Readonly<Record<SharedWorkKind, string>> = {
  download: 'files to be downloaded',
  convert: 'files to be converted',
  picture: 'pictures to be converted',
  extract: 'files to be read',
  agent_file: 'files for agents to be read',
  preview: 'pages and pictures to be fetched',
  chatwoot_file: 'files to be carried to Chatwoot',
  chatwoot_look: 'looks at Chatwoot',
  chatwoot_reply: 'conversations of Chatwoot',
  recipient_list: 'lists of recipients to be read',
}
const UPLOADS: ReadonlySet<SharedWorkKind> = new Set<SharedWorkKind>(['convert', 'picture', 'recipient_list'])

export function createWork({ limits = {}, onBegun, onRefused }: WorkOptions = {}): SharedWork {
  const kinds = Object.keys(WORK_LIMITS) as SharedWorkKind[]
  const lines = Object.fromEntries(kinds.map((kind) => [kind, createLine(kind)])) as Record<SharedWorkKind, WorkLine>
  return {
    run: (kind, owner, work, signal) => lines[kind].run(owner, work, signal),
    counts: () => kinds.map((kind) => ({ kind, ...lines[kind].counts() })),
  }

  function createLine(kind: SharedWorkKind): WorkLine {
    return new WorkLine({
      limits: { ...WORK_LIMITS[kind], ...limits[kind] },
      refuse() {
        onRefused?.(UPLOADS.has(kind) ? 'uploads' : 'fetches')
        return new GatewayError('RATE_LIMITED', {
          message: `Too many ${NAMES[kind]} of this instance wait on this node.`,
          retryAfterSeconds: RETRY_SECONDS,
        })
      },
      onBegun: (waitedMs) => onBegun?.(kind, waitedMs),
    })
  }
}

/** The kinds of work in which instances have fair shares, and the bounds of each. */
export const WORK_LIMITS = {
  /** Files of messages from the network. Each may keep a connection and some hundred kilobytes. */
  download: { atOnce: 8, openMax: 128, keptForOthers: 32, ownerMax: 6, ownerWaitingMax: 500 },
  /** Runs of ffmpeg, which take a processor each. */
  convert: { atOnce: 3, keptForOthers: 1, ownerMax: 2, ownerWaitingMax: 100 },
  /** Pictures that are decoded: each may take 150 MB while it works, 300 when it is made another. */
  picture: { atOnce: 3, keptForOthers: 1, ownerMax: 2, ownerWaitingMax: 200 },
  /** Files whose text is read, in a thread each. */
  extract: { atOnce: 2, ownerMax: 1, ownerWaitingMax: 100 },
  /** Pictures and documents in the memory of turns of agents. */
  agent_file: { atOnce: 16, openMax: 64, keptForOthers: 16, ownerMax: 2, ownerWaitingMax: 50 },
  /** Pages and pictures of links, up to 6 MB each. FETCHES_PER_INSTANCE_MAX replaces `ownerMax`. */
  preview: { atOnce: 32, openMax: 96, keptForOthers: 32, ownerMax: 4, ownerWaitingMax: 100 },
  /** Files in memory on their way to Chatwoot, up to 40 MB each. */
  chatwoot_file: { atOnce: 8, openMax: 10, keptForOthers: 6, ownerMax: 2, ownerWaitingMax: 1_000 },
  /** Looks for replies that Chatwoot could not bring, one of an instance. Nearly all of their time is that of Chatwoot. */
  chatwoot_look: { atOnce: 32, openMax: 256, ownerMax: 1, ownerWaitingMax: 1 },
  /** Conversations whose replies are sent. Much of their time is that of Chatwoot. */
  chatwoot_reply: { atOnce: 64, openMax: 256, keptForOthers: 128, ownerMax: 8, ownerWaitingMax: 10_000 },
  /** Lists of recipients that are read. A dry run of the longest one takes 32 MiB. */
  recipient_list: { atOnce: 8, keptForOthers: 2, ownerMax: 4, ownerWaitingMax: 20 },
} as const satisfies Readonly<Record<string, WorkLimits>>

export type SharedWorkKind = keyof typeof WORK_LIMITS
