/** Reads of actors. A read sees what is durable, not what is still under way. */
import type pg from 'pg'
import type { InstanceReader } from '../../actors/instance/instance-reader.js'
import { readAgentConfig } from './agents/agent-config.js'
import type { Encryption } from './encryption.js'
import { accountReads, chatReads } from './reads/account.js'
import { agentCallReads } from './reads/agent-calls.js'
import { agentTurnReads } from './reads/agent-turns.js'
import { campaignReads } from './reads/campaigns.js'
import { channelPostReads } from './reads/channel-posts.js'
import { createMessageQuery } from './reads/message-query.js'
import { type MessageReads, messageReads } from './reads/messages.js'
import { numberCheckReads } from './reads/number-checks.js'
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
    ...channelPostReads(pool),
    ...agentCallReads(pool),
    ...campaignReads(pool),
    agentConfig: (instance) => readAgentConfig(pool, instance),
    ...agentTurnReads(pool),
  }
}
