/** The Chatwoot of each instance, as rows. Its receiver of events is a row of `webhook`. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { isObject } from '../../../lib/is-object.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ChatwootState } from '../../../schemas/ports/chatwoot.js'
import type { Encryption } from '../encryption.js'
import { runInTransaction } from '../in-transaction.js'
import { type ChatwootWrite, FENCE, openWrites } from './fenced-writes.js'

export interface ChatwootSettings {
  readonly enabled: boolean
  /** Without a slash at its end. */
  readonly url: string
  readonly accountId: number
  readonly inboxId: number
  readonly inboxIdentifier: string
  readonly tokenMask: string
  readonly ignoreGroups: boolean
  readonly signMessages: boolean
  readonly createNewConversation: boolean
}

export interface ChatwootConfig extends ChatwootSettings, ChatwootSecrets {
  readonly instance: InstanceId
  readonly webhookId: string
  readonly enabledAtMs: number
  /** When this inbox was taken: replies from before are those of others. */
  readonly linkedAtMs: number
  readonly state: ChatwootState
  readonly lastError: string
  readonly lastSent: Date | null
  readonly lastReceived: Date | null
  readonly lookedAtMs: number
  readonly missed: number
}

export interface ChatwootConfigs {
  byInstance(instance: InstanceId): Promise<ChatwootConfig | null>
  /** Enabled ones of these shards whose conversations were not looked at for that time. */
  toLookAt(shards: readonly number[], olderMs: number): Promise<readonly InstanceId[]>
  /** Writes the settings and the receiver of events. Rows of another inbox are forgotten. Returns the id of the receiver. */
  save(
    instance: InstanceId,
    settings: ChatwootSettings,
    secrets: ChatwootSecrets,
    receiverUrl: string,
    isOtherInbox: boolean,
  ): Promise<string>
  hasConversations(instance: InstanceId): Promise<boolean>
  /** Notes how the last call ended, if that differs from what is stored. */
  noteState(instance: InstanceId, state: ChatwootState, error: string): Promise<void>
  noteSent(instance: InstanceId): Promise<void>
  noteReceived(instance: InstanceId): Promise<void>
  noteLooked(instance: InstanceId): Promise<void>
  noteMissed(instance: InstanceId): Promise<void>
}

interface Row {
  readonly webhook_id: string
  readonly enabled: boolean
  readonly url: string
  readonly account_id: number
  readonly inbox_id: number
  readonly inbox_identifier: string
  readonly token_mask: string
  readonly secrets: Buffer
  readonly ignore_groups: boolean
  readonly sign_messages: boolean
  readonly create_new_conversation: boolean
  readonly enabled_at: Date
  readonly created: Date
  readonly state: string
  readonly last_error: string
  readonly last_sent: Date | null
  readonly last_received: Date | null
  readonly looked_at: Date
  readonly missed: number
}

// $1 shards   $2 ms
const TO_LOOK_AT = `
  SELECT c.instance_id AS id FROM chatwoot_config AS c JOIN instance AS i ON i.id = c.instance_id
  WHERE c.enabled AND i.shard = ANY($1::smallint[]) AND c.looked_at < now() - $2::float8 * interval '1 millisecond'`
// `created` is the time of the link with this inbox.
// $1 instance   $2 receiver   $3 enabled   $4 URL   $5 account   $6 inbox   $7 identifier   $8 mask   $9 secrets   $10 to $12 flags   $13 other inbox
const SAVE = `
  INSERT INTO chatwoot_config AS c (instance_id, webhook_id, enabled, url, account_id, inbox_id, inbox_identifier, token_mask, secrets,
    ignore_groups, sign_messages, create_new_conversation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (instance_id) DO UPDATE SET webhook_id = EXCLUDED.webhook_id, enabled = EXCLUDED.enabled, url = EXCLUDED.url,
    account_id = EXCLUDED.account_id, inbox_id = EXCLUDED.inbox_id, inbox_identifier = EXCLUDED.inbox_identifier,
    token_mask = EXCLUDED.token_mask, secrets = EXCLUDED.secrets, ignore_groups = EXCLUDED.ignore_groups,
    sign_messages = EXCLUDED.sign_messages, create_new_conversation = EXCLUDED.create_new_conversation,
    enabled_at = CASE WHEN EXCLUDED.enabled AND NOT c.enabled THEN now() ELSE c.enabled_at END,
    looked_at = CASE WHEN EXCLUDED.enabled AND NOT c.enabled THEN now() ELSE c.looked_at END,
    created = CASE WHEN $13 THEN now() ELSE c.created END, state = 'ok', last_error = '', updated = now()`
// $1 id   $2 instance   $3 enabled   $4 URL   $5 events   $6 secret
const SAVE_RECEIVER = `
  INSERT INTO webhook (id, instance_id, enabled, url, events, secret, purpose) VALUES ($1, $2, $3, $4, $5, $6, 'chatwoot')
  ON CONFLICT (id) DO UPDATE SET enabled = EXCLUDED.enabled, url = EXCLUDED.url, events = EXCLUDED.events, updated = now()`
const EVENTS = ['messages', 'messages_update']
const TABLES_OF_INBOX = ['chatwoot_chat', 'chatwoot_message', 'chatwoot_in']

export function createChatwootConfigs(
  pool: pg.Pool,
  encryption: Encryption,
  write: ChatwootWrite = openWrites(pool),
): ChatwootConfigs {
  const note = (text: string) => async (instance: InstanceId, values: readonly unknown[]) =>
    void (await write(instance, `${text} AND ${FENCE}`, [instance, ...values]))
  const noteState = note(
    `UPDATE chatwoot_config SET state = $2, last_error = $3 WHERE instance_id = $1 AND (state, last_error) <> ($2, $3)`,
  )
  const noteSent = note('UPDATE chatwoot_config SET last_sent = now() WHERE instance_id = $1')
  const noteReceived = note('UPDATE chatwoot_config SET last_received = now() WHERE instance_id = $1')
  const noteLooked = note('UPDATE chatwoot_config SET looked_at = now() WHERE instance_id = $1')
  const noteMissed = note('UPDATE chatwoot_config SET missed = missed + 1 WHERE instance_id = $1')

  return {
    async byInstance(instance) {
      const { rows } = await pool.query<Row>('SELECT * FROM chatwoot_config WHERE instance_id = $1', [instance])
      return rows[0] === undefined ? null : toConfig(instance, rows[0], encryption)
    },
    async toLookAt(shards, olderMs) {
      const { rows } = await pool.query<{ id: InstanceId }>(TO_LOOK_AT, [shards, olderMs])
      return rows.map(({ id }) => id)
    },
    async save(instance, settings, secrets, receiverUrl, isOtherInbox) {
      return await runInTransaction(instance, pool, async (client) => {
        await client.query('SELECT FROM instance WHERE id = $1 FOR UPDATE', [instance])
        const { rows } = await client.query<{ webhook_id: string }>(
          'SELECT webhook_id FROM chatwoot_config WHERE instance_id = $1',
          [instance],
        )
        const id = rows[0]?.webhook_id ?? randomUUID()
        if (isOtherInbox)
          for (const table of TABLES_OF_INBOX)
            await client.query(`DELETE FROM ${table} WHERE instance_id = $1`, [instance])
        const noSecret = encryption.seal(Buffer.from(''), 'webhook', id)
        await client.query(SAVE_RECEIVER, [id, instance, settings.enabled, receiverUrl, EVENTS, noSecret])
        const sealed = encryption.seal(Buffer.from(JSON.stringify(secrets)), instance, 'chatwoot')
        const { enabled, url, accountId, inboxId, inboxIdentifier, tokenMask } = settings
        const { ignoreGroups, signMessages, createNewConversation } = settings
        await client.query(SAVE, [
          ...[instance, id, enabled, url, accountId, inboxId, inboxIdentifier, tokenMask, sealed],
          ...[ignoreGroups, signMessages, createNewConversation, isOtherInbox],
        ])
        return id
      })
    },
    async hasConversations(instance) {
      const { rowCount } = await pool.query(
        'SELECT FROM chatwoot_chat WHERE instance_id = $1 AND conversation_id IS NOT NULL LIMIT 1',
        [instance],
      )
      return (rowCount ?? 0) > 0
    },
    noteState: (instance, state, error) => noteState(instance, [state, error]),
    noteSent: (instance) => noteSent(instance, []),
    noteReceived: (instance) => noteReceived(instance, []),
    noteLooked: (instance) => noteLooked(instance, []),
    noteMissed: (instance) => noteMissed(instance, []),
  }
}

function toConfig(instance: InstanceId, row: Row, encryption: Encryption): ChatwootConfig {
  // Ours: secrets, as we stored them.
  const secrets = JSON.parse(encryption.open(row.secrets, instance, 'chatwoot').toString()) as ChatwootSecrets
  return {
    instance,
    webhookId: row.webhook_id,
    enabled: row.enabled,
    url: row.url,
    accountId: row.account_id,
    inboxId: row.inbox_id,
    inboxIdentifier: row.inbox_identifier,
    tokenMask: row.token_mask,
    ignoreGroups: row.ignore_groups,
    signMessages: row.sign_messages,
    createNewConversation: row.create_new_conversation,
    enabledAtMs: row.enabled_at.getTime(),
    linkedAtMs: row.created.getTime(),
    state: row.state as ChatwootState,
    lastError: row.last_error,
    lastSent: row.last_sent,
    lastReceived: row.last_received,
    lookedAtMs: row.looked_at.getTime(),
    missed: row.missed,
    ...secrets,
  }
}

export interface ChatwootSecrets {
  readonly token: string
  /** Last part of the path of its webhook. */
  readonly path: string
  /** Key of the signatures of its webhook; empty when it is not known. */
  readonly signature: string
}

/** Returns null if it is no JSON of these. */
export function parseChatwootSecrets(json: string): ChatwootSecrets | null {
  try {
    // Bound: 10,000, secrets as we stored them, or of an imported file.
    const parsed: unknown = JSON.parse(json)
    if (!isObject(parsed)) return null
    const { token, path, signature } = parsed
    const isWhole = typeof token === 'string' && typeof path === 'string' && typeof signature === 'string'
    // The path alone lets webhooks in where Chatwoot does not sign them.
    // Bound: 1,048,576, a field of a request.
    return isWhole && token !== '' && /^[0-9a-f]{48}$/.test(path) ? { token, path, signature } : null
  } catch {
    return null
  }
}
