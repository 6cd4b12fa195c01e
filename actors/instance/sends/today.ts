/** Says how many sends that were accepted for later leave today, and why the others wait. */
import type { ChatAddress } from '../../../schemas/jid.js'
import { leavingToday, todayRecord } from '../../../schemas/leaving-today.js'
import type { PacingOutlook } from '../../../schemas/pacing.js'
import type { SendsContext } from './context.js'

interface Waiting {
  /** `delayed`: it waits for its own time only. */
  readonly kind: 'async' | 'scheduled' | 'delayed'
  /** Sends of the queue, this one included. */
  readonly count: number
  readonly startsInMs: number
  readonly chat: ChatAddress
}

/** Returns the estimate for the answer of a send. The last one of those that wait is to this chat. */
export async function readToday(context: SendsContext, { kind, count, startsInMs, chat }: Waiting) {
  const { pacer, reader, id } = context
  if (kind === 'delayed') {
    const outlook = { ...UNPACED, nowMs: await pacer.nowMs() }
    return todayRecord(leavingToday({ count, strangers: 0, startsInMs, pauseMs: 0 }, outlook))
  }
  const outlook = await pacer.outlook(kind)
  const isStranger = outlook.newChats !== null && chat.group === undefined && !(await reader.hasWritten(id, chat))
  const pauseMs = await pacer.meanIntervalMs(kind === 'async' ? 'queued' : kind)
  return todayRecord(leavingToday({ count, strangers: isStranger ? 1 / count : 0, startsInMs, pauseMs }, outlook))
}

const UNPACED: Omit<PacingOutlook, 'nowMs'> = { inUseSinceMs: 0, sendsPerMinute: 0, restUntilMs: null, newChats: null }
