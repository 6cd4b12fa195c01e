/** Files of a campaign that is copied: the copy sends the same ones. */
import type pg from 'pg'
import type { CampaignSend } from '../../schemas/campaign.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { filesOf } from '../../schemas/send-files.js'
import { textArray } from './arrays.js'

// Bound: 1,048,576, 20,000 values, what a request sends to one recipient.

// Recipients have contents of their own only if the campaign has none. $2 campaign   $3 only recipients that failed
const CONTENTS = `
  SELECT template AS content FROM campaign WHERE instance_id = $1 AND id = $2 AND template IS NOT NULL
  UNION
  SELECT r.content FROM campaign AS c JOIN campaign_recipient AS r ON r.instance_id = c.instance_id AND r.folder_id = c.id
  WHERE c.instance_id = $1 AND c.id = $2 AND c.template IS NULL AND r.content IS NOT NULL AND (NOT $3 OR r.place = 3)`
// From now on they count as new: the sweep leaves them until the copy is stored. $2 names
const KEEP = 'UPDATE media_file SET created = now() WHERE owner_id = $1 AND name = ANY($2::text[]) AND stored'

/**
 * Keeps the files of a campaign for a copy of it.
 * @throws GatewayError MEDIA_FILE_GONE if one of them is not in the storage
 */
export async function keepFiles(
  client: pg.PoolClient,
  instance: InstanceId,
  campaign: string,
  which: 'failed' | 'all',
): Promise<void> {
  const { rows } = await client.query<{ content: string }>(CONTENTS, [instance, campaign, which === 'failed'])
  const sends = rows.map(({ content }) => JSON.parse(content) as CampaignSend)
  const names = new Set(sends.flatMap(({ content }) => filesOf(content).map(({ file }) => file.name)))
  if (names.size === 0) return
  const { rowCount } = await client.query(KEEP, [instance, textArray([...names])])
  if (rowCount === names.size) return
  throw new GatewayError('MEDIA_FILE_GONE', {
    message: 'A file of the campaign is no longer kept: create a new campaign with it. Nothing was created.',
  })
}
