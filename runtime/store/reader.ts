/** Reads of actors. A read sees what is durable, not what is still under way. */
import type pg from 'pg'
import type { InstanceReader } from '../../actors/instance/instance-reader.js'
import type { Jid } from '../../schemas/ids.js'
import { readAgentConfig } from './agents/agent-config.js'
import type { Encryption } from './encryption.js'
import { accountReads, chatReads } from './reads/account.js'
import { agentCallReads } from './reads/agent-calls.js'
import { agentTurnReads } from './reads/agent-turns.js'
import { campaignReads } from './reads/campaigns.js'
import { createMessageQuery } from './reads/message-query.js'
import { type MessageReads, messageReads } from './reads/messages.js'
import { pacingReads } from './reads/pacing.js'
import { scheduledReads } from './reads/scheduled.js'
import { secretReads } from './reads/secrets.js'
import { sendReads } from './reads/sends.js'
import { statusPostReads } from './reads/status-posts.js'

export interface StoreReader extends InstanceReader, Pick<MessageReads, 'messageByRecordId'> {}

export function createReader(pool: pg.Pool, encryption: Encryption): StoreReader {
  const read = createMessageQuery(pool, encryption)
  return {
    ...secretReads(pool, encryption),
    ...messageReads(pool, read),
    ...sendReads(pool, read),
    ...scheduledReads(pool, encryption),
    ...accountReads(pool),
    ...chatReads(pool),
    ...pacingReads(pool),
    ...numberCheckReads(pool),
    ...statusPostReads(pool),
    ...agentCallReads(pool),
    ...campaignReads(pool),
    agentConfig: (instance) => readAgentConfig(pool, instance),
    ...agentTurnReads(pool),
  }
}

/** Days for which an answer of the network holds. A person without an account may open one. */
const FOUND_DAYS = 30
const ABSENT_DAYS = 7

const FIND = `
  SELECT found FROM number_check WHERE instance_id = $1 AND address = $2
    AND checked_at > now() - CASE WHEN found IS NULL THEN interval '${ABSENT_DAYS} days' ELSE interval '${FOUND_DAYS} days' END`
const COUNT = `
  SELECT count(*) FILTER (WHERE checked_at >= date_trunc('day', now(), 'UTC'))::int AS today,
    count(*) FILTER (WHERE checked_at > now() - interval '1 minute')::int AS "lastMinute"
  FROM number_check WHERE instance_id = $1`

/** Reads the numbers that campaigns have looked up. */
function numberCheckReads(pool: pg.Pool): Pick<InstanceReader, 'numberCheck' | 'numberChecks'> {
  return {
    async numberCheck(instance, address) {
      const { rows } = await pool.query<{ found: Jid | null }>(FIND, [instance, address])
      return rows[0] ?? null
    },

    async numberChecks(instance) {
      const { rows } = await pool.query<{ today: number; lastMinute: number }>(COUNT, [instance])
      return rows[0] ?? { today: 0, lastMinute: 0 }
    },
  }
}
