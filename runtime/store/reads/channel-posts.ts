import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { MessageId } from '../../../schemas/ids.js'

// $2 channel   $3 number
const MESSAGE = `
  SELECT messageid FROM channel_post WHERE instance_id = $1 AND channel = $2 AND server_id = $3 AND messageid <> ''`

/** Reads the numbers of posts of channels. */
export function channelPostReads(pool: pg.Pool): Pick<InstanceReader, 'postOfNumber'> {
  return {
    async postOfNumber(instance, channel, serverid) {
      const { rows } = await pool.query<{ messageid: MessageId }>(MESSAGE, [instance, channel, serverid])
      return rows[0]?.messageid ?? null
    },
  }
}
