/** Reads of actors. A read sees what is durable, not what is still under way. */
import type pg from 'pg'
import type { InstanceReader } from '../../actors/instance/instance-reader.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import { parseProxySettings } from '../../schemas/proxy.js'
import { readAgentConfig } from './agents/agent-rows.js'
import { textArray } from './arrays.js'
import { campaignReads } from './campaigns/reads.js'
import type { Encryption } from './encryption.js'
import { keptStatement, queryKept } from './kept-statements.js'
import type { MessageRow } from './message-record.js'
import { accountReads, chatReads } from './reads/account.js'
import { agentCallReads, agentTurnReads } from './reads/agent-turns.js'
import { addressOfChat, createMessageQuery, listChatJids, MESSAGES, type ReadMessages } from './reads/message-query.js'
import { type MessageReads, messageReads } from './reads/messages.js'
import { pacingReads } from './reads/pacing.js'
import { scheduledReads } from './reads/scheduled.js'
import { channelPostReads, statusPostReads } from './reads/status-posts.js'

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

const PENDING = `${MESSAGES} AND m.outbox = 2 ORDER BY m.position`
const QUEUED_COUNT = 'SELECT count(*)::int AS count FROM message WHERE instance_id = $1 AND outbox = 1'
// $2 limit   $3 JIDs of the chats that are left out   $4 position behind which they are
const queued = (withDelayed: boolean) => `
  ${MESSAGES} AND m.outbox = 1 AND m.position > $4 ${withDelayed ? '' : 'AND m.due IS NULL'}
    AND NOT m.chat_id = ANY(ARRAY(SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($3::text[])))
  ORDER BY m.position LIMIT $2`
// $2 id of the message
const QUEUED_BEFORE = `
  SELECT EXISTS (
    SELECT FROM message AS mine JOIN message AS former USING (instance_id, chat_id)
    WHERE mine.instance_id = $1 AND mine."messageid" = $2 AND mine."fromMe"
      AND former.outbox = 1 AND former.due IS NULL AND former.position < mine.position) AS found`
// $2 JIDs of the chat
const QUEUED_FOR = `
  SELECT EXISTS (
    SELECT FROM message WHERE instance_id = $1 AND outbox = 1
      AND chat_id = ANY(ARRAY(SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($2::text[])))) AS found`
// In the text of its JSON a quotation mark of the caller has a backslash before it, so that the pattern matches only the option.
const DELAYED = `
  SELECT m."messageid", m."mediaType", c."wa_chatid", c."wa_chatlid", (extract(epoch FROM m.due - now()) * 1000)::float8 AS due_in,
    substring(m.queued_request FROM '"delayMs":([0-9]{1,9})') AS delay
  FROM message AS m JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
  WHERE m.instance_id = $1 AND m.outbox = 1 AND m.due IS NOT NULL ORDER BY m.position`

/** Reads messages that are still to be sent. */
function sendReads(
  pool: pg.Pool,
  read: ReadMessages,
): Pick<
  InstanceReader,
  'pendingSends' | 'queuedCount' | 'queuedSends' | 'hasQueuedBefore' | 'hasQueued' | 'delayedSends'
> {
  return {
    pendingSends: (instance) => read(instance, PENDING, []),

    async queuedCount(instance) {
      const { rows } = await pool.query<{ count: number }>(QUEUED_COUNT, [instance])
      return rows[0]?.count ?? 0
    },

    queuedSends: (instance, limit, { withDelayed = false, except = [], after = 0 } = {}) =>
      read(instance, queued(withDelayed), [limit, textArray(except.flatMap(listChatJids)), after]),

    async hasQueuedBefore(instance, messageid) {
      const { rows } = await pool.query<{ found: boolean }>(QUEUED_BEFORE, [instance, messageid])
      return rows[0]?.found ?? false
    },

    async hasQueued(instance, chat) {
      const { rows } = await pool.query<{ found: boolean }>(QUEUED_FOR, [instance, textArray(listChatJids(chat))])
      return rows[0]?.found ?? false
    },

    async delayedSends(instance) {
      const { rows } = await pool.query<MessageRow & { due_in: number; delay: string | null }>(DELAYED, [instance])
      return rows.map((row) => ({
        messageid: row.messageid as MessageId,
        chat: addressOfChat(row),
        delayMs: Number(row.delay ?? 0),
        dueInMs: row.due_in,
        isVoice: row.mediaType === 'ptt',
      }))
    },
  }
}

const CREDENTIALS = `
  SELECT c.data, i.exported_at IS NOT NULL AS exported
  FROM instance_credentials AS c LEFT JOIN instance AS i ON i.id = c.instance_id WHERE c.instance_id = $1`
const KEYS = keptStatement(
  'keys',
  'SELECT id, data FROM signal_key WHERE instance_id = $1 AND kind = $2 AND id = ANY($3::text[])',
)
const keysNamed = (source: string) => `
  SELECT k.kind, k.id, k.data FROM ${source} AS wanted (kind, id)
  JOIN signal_key AS k ON k.instance_id = $1 AND k.kind = wanted.kind AND k.id = wanted.id`
const KEYS_NAMED = keysNamed('unnest($2::text[], $3::text[])')
const FEW_KEYS_MAX = 4
// Of arrays PostgreSQL does not know how long they are, and would make another plan for each.
const FEW_KEYS_NAMED = keptStatement(
  'few_keys_named',
  keysNamed('(VALUES ($2::text, $3::text), ($4::text, $5::text), ($6::text, $7::text), ($8::text, $9::text))'),
)
const KEY_PAGE = 'SELECT id, data FROM signal_key WHERE instance_id = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4'

const PROXY = 'SELECT settings FROM instance_proxy WHERE instance_id = $1'

interface StoredKey {
  readonly id: string
  readonly data: Buffer
}

type NamedKey = StoredKey & KeyName

interface KeyName {
  readonly kind: string
  readonly id: string
}

function toArrays(instance: InstanceId, names: readonly KeyName[]): unknown[] {
  return [instance, textArray(names.map(({ kind }) => kind)), textArray(names.map(({ id }) => id))]
}

/** With nulls, which name no key, for those that are not wanted. */
function toPairs(instance: InstanceId, names: readonly KeyName[]): unknown[] {
  const pairs = Array.from({ length: FEW_KEYS_MAX }, (_, index) => [names[index]?.kind, names[index]?.id])
  return [instance, ...pairs.flat()]
}

/** Reads credentials and Signal keys of an instance. */
function secretReads(
  pool: pg.Pool,
  encryption: Encryption,
): Pick<InstanceReader, 'credentials' | 'proxy' | 'keys' | 'keysNamed' | 'keyPage'> {
  return {
    async credentials(instance) {
      const { rows } = await pool.query<{ data: Buffer; exported: boolean | null }>(CREDENTIALS, [instance])
      // Another installation connects with them.
      if (rows[0]?.exported === true) throw new GatewayError('INSTANCE_EXPORTED')
      return rows[0] === undefined ? null : encryption.open(rows[0].data, instance, 'credentials')
    },

    async proxy(instance) {
      const { rows } = await pool.query<{ settings: Buffer }>(PROXY, [instance])
      if (rows[0] === undefined) return null
      const settings = parseProxySettings(encryption.open(rows[0].settings, instance, 'proxy').toString())
      // Without its proxy nothing of the instance may leave.
      if (settings === null) throw new Error('The stored proxy of the instance cannot be read.')
      return settings
    },

    async keys(instance, kind, ids) {
      const keys = new Map<string, Uint8Array>()
      if (ids.length === 0) return keys
      const rows = await queryKept<StoredKey>(pool, KEYS, [instance, kind, textArray(ids)])
      for (const { id, data } of rows) keys.set(id, encryption.open(data, instance, kind, id))
      return keys
    },

    async keysNamed(instance, names) {
      const rows =
        names.length > FEW_KEYS_MAX
          ? (await pool.query<NamedKey>(KEYS_NAMED, toArrays(instance, names))).rows
          : await queryKept<NamedKey>(pool, FEW_KEYS_NAMED, toPairs(instance, names))
      return new Map(rows.map(({ kind, id, data }) => [`${kind}:${id}`, encryption.open(data, instance, kind, id)]))
    },

    async keyPage(instance, kind, after, limit) {
      const { rows } = await pool.query<StoredKey>(KEY_PAGE, [instance, kind, after, limit])
      return new Map(rows.map(({ id, data }) => [id, encryption.open(data, instance, kind, id)]))
    },
  }
}
