/** Says how many messages of a new campaign leave today, and why the others wait. */

import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { type LeavingToday, leavingToday, todayRecord } from '../../../schemas/leaving-today.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { SendWindow } from '../../../schemas/send-window.js'
import { withTimeLimit } from '../../../schemas/time-limit.js'
import type { Context } from '../../route.js'

interface Planned {
  readonly count: number
  readonly startsInMs: number
  readonly delayMinMs: number
  readonly delayMaxMs: number
  readonly dailyCap?: number | undefined
  readonly window?: SendWindow | undefined
}

interface TodayCall {
  readonly instance: Pick<InstanceRow, 'id'>
  readonly warnings: string[]
}

/** Maximum time that a creation waits for the estimate. */
const ESTIMATE_MS = 3_000

/**
 * Returns the estimate for the answer; null if the owner of the instance cannot be asked now. Adds a warning if people who never wrote wait.
 * @param recipients id of the stored campaign, or addresses of the first recipients
 */
export async function todayOf(
  { instance: { id }, warnings }: TodayCall,
  { delayMinMs, delayMaxMs, ...planned }: Planned,
  recipients: string | readonly Jid[],
  { ports }: Context,
) {
  const estimated = Promise.all([
    ports.router.ask(id, { type: 'showOutlook', kind: 'campaign' }),
    ports.campaigns.strangers(id, recipients),
  ]).catch((error: unknown) => {
    if (error instanceof GatewayError) return null
    throw error
  })
  const known = await withTimeLimit(estimated, ESTIMATE_MS, () => null)
  if (known === null) return null
  const [outlook, strangers] = known
  const today = leavingToday({ ...planned, strangers, pauseMs: (delayMinMs + delayMaxMs) / 2 }, outlook)
  if (today.reason === 'new_chat_budget') warnings.push(budgetSentence(today, outlook.inUseSinceMs))
  return todayRecord(today)
}

function budgetSentence({ leaving, waiting }: LeavingToday, inUseSinceMs: number): string {
  const since = new Date(inUseSinceMs).toISOString().slice(0, 10)
  return `today: ${leaving} of ${leaving + waiting} messages leave today. The others wait, because a number that is in use since ${since} reaches few people a day who never wrote to it. If it is older, say so in number_in_use_since of /instance/updateDelaySettings.`
}
