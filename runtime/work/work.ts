/** The scheduler of work that costs the node memory, processor time or connections: a line for each kind, in which instances have fair shares. */
import { GatewayError, type Limit } from '../../schemas/errors.js'
import { type SharedWorkKind, WORK_LIMITS } from './limits.js'
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
