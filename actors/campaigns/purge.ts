import type { ActiveCampaign } from '../../schemas/campaign.js'
import type { SendsContext } from '../instance/sends/context.js'
import type { Agenda } from './agenda.js'
import type { ProgressEvents } from './progress-events.js'

/** Recipients that are deleted in one write. The writes of other instances wait meanwhile. */
const PURGED_AT_ONCE = 1_000

/** Deletes some recipients of a campaign in `deleting`. Without any left, ends the campaign: the record of what was sent stays. */
export async function purge(
  { reader, id, journal }: Pick<SendsContext, 'reader' | 'id' | 'journal'>,
  { agenda, events }: { readonly agenda: Pick<Agenda, 'forget'>; readonly events: Pick<ProgressEvents, 'tell'> },
  { id: folderId, clears }: ActiveCampaign,
): Promise<void> {
  await journal.settled()?.catch(() => {})
  if (await reader.hasRecipientsToDelete(id, folderId, clears)) {
    await journal.write([{ type: 'campaign.purge', folderId, all: clears, rowsMax: PURGED_AT_ONCE }])
    return
  }
  const now = await reader.campaign(id, folderId)
  const stays = !clears && now !== null && now.total > now.deleted
  if (stays) await journal.write([{ type: 'campaign.status', folderId, from: ['deleting'], to: 'done' }])
  else await journal.write([{ type: 'campaign.gone', folderId }])
  agenda.forget()
  if (stays) await events.tell(folderId)
}
