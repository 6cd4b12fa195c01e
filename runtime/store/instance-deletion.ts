/** Deleting an instance with all that is stored of it. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { inTransaction } from './in-transaction.js'

/** Every table that holds rows of one instance; a test compares the list with the schema. */
export const TABLES_OF_INSTANCE = [
  'access_key',
  'pass',
  'instance_credentials',
  'instance_proxy',
  'dialect_instance',
  'signal_key',
  'message',
  'chat_alias',
  'chat',
  'chat_activity',
  'chat_count',
  'chat_lead_count',
  'label',
  'quick_reply',
  'blocked',
  'group_info',
  'group_member',
  'agent_function',
  'agent_call',
  'knowledge',
  'knowledge_chunk',
  'message_text',
  'chatbot_settings',
  'agent_trigger',
  'agent',
  'contact',
  'contact_count',
  'lid_mapping',
  'delivery',
  'dead_letter',
  'webhook_error',
  'webhook_success',
  'receiver_hour',
  'webhook',
  'event',
  'event_sequence',
  'connection_history',
  'suppression',
  'campaign_contact',
  'send_pacer',
  'scheduled_send',
  'kept_answer',
  'request_log',
  'campaign',
  'campaign_progress',
  'campaign_recipient',
  'campaign_import',
  'number_check',
  'status_post',
  'status_view',
  'channel_post',
  'instance_token_copy',
  'group_message',
  'message_receipt',
  'agent_turn',
  'agent_step',
  'agent_reply',
  'agent_usage',
  'chatwoot_config',
  'chatwoot_chat',
  'chatwoot_message',
  'chatwoot_in',
  'blocked_work',
] as const

// The lock on the shard waits for the transaction of the journal that is under way and holds back the next, which then finds the
// instance gone. So nothing is written behind our back, and the journal is held up for one row, not for all.
const DELETE_ROW = `
  WITH gone AS (DELETE FROM instance WHERE id = $1 RETURNING id)
  INSERT INTO deleted_instance (id) SELECT id FROM gone ON CONFLICT DO NOTHING`

const ROWS_AT_ONCE = 5_000

/** The instance is gone at once; its rows follow. What a crash or PostgreSQL's absence leaves of them, `purgeDeletedInstances` finds. */
export async function eraseInstance(pool: pg.Pool, id: InstanceId): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('SELECT FROM shard_owner WHERE shard = shard_of($1) FOR UPDATE', [id])
    await client.query(DELETE_ROW, [id])
  })
  // Deleted it is, whatever happens now: a failure here would tell the caller that nothing was done.
  await purge(pool, id).catch(() => {})
}

export async function purgeDeletedInstances(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM deleted_instance')
  for (const { id } of rows) await purge(pool, id)
}

async function purge(pool: pg.Pool, id: string): Promise<void> {
  for (const table of TABLES_OF_INSTANCE) {
    let deleted: number
    do {
      const { rowCount } = await pool.query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE instance_id = $1 LIMIT $2))`,
        [id, ROWS_AT_ONCE],
      )
      deleted = rowCount ?? 0
    } while (deleted === ROWS_AT_ONCE)
  }
  await pool.query('DELETE FROM deleted_instance WHERE id = $1', [id])
}
