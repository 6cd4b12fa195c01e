/** Says how many messages of a new campaign leave today, and why the others wait. */

import { withTimeLimit } from '../../../lib/time-limit.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { estimateEnd, type LeavingToday, leavingToday, todayRecord } from '../../../schemas/leaving-today.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { SendWindow } from '../../../schemas/send-window.js'
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
export async function findCampaignToday(
  { instance, warnings }: TodayCall,
  planned: Planned,
  recipients: string | readonly Jid[],
  context: Context,
) {
  const estimate = await estimateCampaign(instance.id, planned, recipients, context)
  if (estimate === null) return null
  const { today, inUseSinceMs, endsMs } = estimate
  if (today.reason === 'new_chat_budget') warnings.push(budgetSentence(today, inUseSinceMs))
  return { ...todayRecord(today), ends: endsMs === null ? null : new Date(endsMs).toISOString() }
}

interface Estimate {
  readonly today: LeavingToday
  readonly inUseSinceMs: number
  /** When the last message leaves; null if that is not known. */
  readonly endsMs: number | null
}

/** Returns null if the owner of the instance cannot be asked now. */
export async function estimateCampaign(
  id: InstanceId,
  { delayMinMs, delayMaxMs, ...planned }: Planned,
  recipients: string | readonly Jid[],
  { ports }: Pick<Context, 'ports'>,
): Promise<Estimate | null> {
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
  const campaign = { ...planned, strangers, pauseMs: (delayMinMs + delayMaxMs) / 2 }
  const { inUseSinceMs } = outlook
  return { today: leavingToday(campaign, outlook), inUseSinceMs, endsMs: estimateEnd(campaign, outlook) }
}

function budgetSentence({ leaving, waiting }: LeavingToday, inUseSinceMs: number): string {
  const since = new Date(inUseSinceMs).toISOString().slice(0, 10)
  return `today: ${leaving} of ${leaving + waiting} messages leave today. The others wait, because a number that is in use since ${since} reaches few people a day who never wrote to it. If it is older, say so in number_in_use_since of /instance/updateDelaySettings.`
}
