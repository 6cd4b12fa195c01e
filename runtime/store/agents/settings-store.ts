import type pg from 'pg'
import { maskedKey } from '../../../schemas/agents/key-mask.js'
import { type AgentDirectory, type ChatbotSettings, NO_CHATBOT } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { Encryption } from '../encryption.js'
import { runInTransaction } from '../in-transaction.js'
import { lockSaves } from '../limited-save.js'

/** Settings of the chatbot as rows. An instance without a row has the default ones. */

/** Columns of the table `chatbot_settings AS b`, which are null for an instance without a row. */
export interface StoredSettings {
  readonly enabled: boolean | null
  readonly ignore_groups: boolean | null
  readonly stop_word: string | null
  readonly stop_minutes: number | null
  readonly own_message_minutes: number | null
  readonly cost_per_day_micros: number | null
  readonly embedding_price_micros: number | null
  readonly transcription_price_micros: number | null
  readonly openai_key_mask: string | null
}

export const SETTINGS = `
  b.enabled, b.ignore_groups, b.stop_word, b.stop_minutes, b.own_message_minutes,
  b.cost_per_day_micros::float8 AS cost_per_day_micros, b.embedding_price_micros::float8 AS embedding_price_micros,
  b.transcription_price_micros::float8 AS transcription_price_micros, b.openai_key_mask`

export function readSettingsRow(row: StoredSettings | undefined): ChatbotSettings {
  if (row === undefined || row.enabled === null) return NO_CHATBOT
  return {
    isEnabled: row.enabled,
    ignoreGroups: row.ignore_groups === true,
    stopWord: row.stop_word ?? '',
    stopMinutes: row.stop_minutes ?? 0,
    ownMessageMinutes: row.own_message_minutes ?? 0,
    costPerDayMicros: row.cost_per_day_micros ?? 0,
    embeddingPriceMicros: row.embedding_price_micros ?? 0,
    transcriptionPriceMicros: row.transcription_price_micros ?? 0,
    openaiKeyMask: row.openai_key_mask ?? '',
  }
}

const FIND = `SELECT ${SETTINGS} FROM chatbot_settings AS b WHERE b.instance_id = $1`
// $1 instance   $2 enabled   $3 ignore_groups   $4 stop_word   $5 stop_minutes   $6 own_message_minutes
// $7 key, sealed   $8 its mask   $9 whether the key stays   $10 cost_per_day_micros   $11 embedding_price_micros
// $12 transcription_price_micros
const SAVE = `
  WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE)
  INSERT INTO chatbot_settings AS b (instance_id, enabled, ignore_groups, stop_word, stop_minutes, own_message_minutes, openai_key, openai_key_mask,
    cost_per_day_micros, embedding_price_micros, transcription_price_micros)
  SELECT id, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12 FROM held
  ON CONFLICT (instance_id) DO UPDATE SET enabled = EXCLUDED.enabled, ignore_groups = EXCLUDED.ignore_groups,
    stop_word = EXCLUDED.stop_word, stop_minutes = EXCLUDED.stop_minutes, own_message_minutes = EXCLUDED.own_message_minutes,
    cost_per_day_micros = EXCLUDED.cost_per_day_micros, embedding_price_micros = EXCLUDED.embedding_price_micros,
    transcription_price_micros = EXCLUDED.transcription_price_micros,
    openai_key = CASE WHEN $9 THEN b.openai_key ELSE EXCLUDED.openai_key END,
    openai_key_mask = CASE WHEN $9 THEN b.openai_key_mask ELSE EXCLUDED.openai_key_mask END
  RETURNING ${SETTINGS}`
// Agents without a key of their own that the former key had stopped.
const UNBLOCK = `
  UPDATE agent SET blocked_reason = '', blocked_code = '' WHERE instance_id = $1 AND provider = 'openai' AND apikey IS NULL AND blocked_reason <> ''`
const KEY = 'SELECT openai_key AS key FROM chatbot_settings WHERE instance_id = $1'

export function createSettingsStore(
  pool: pg.Pool,
  encryption: Encryption,
  onWritten: (instance: InstanceId) => void,
): Pick<AgentDirectory, 'settings' | 'saveSettings' | 'openaiKey'> {
  return {
    async settings(instance) {
      return readSettingsRow((await pool.query<StoredSettings>(FIND, [instance])).rows[0])
    },

    async saveSettings(instance, change) {
      const settings = await runInTransaction(instance, pool, async (client) => {
        await lockSaves(client, { table: 'chatbot_settings', instance })
        const former = readSettingsRow((await client.query<StoredSettings>(FIND, [instance])).rows[0])
        const { key, ...after } = change(former)
        const isSet = key !== undefined && key !== null
        const { rows } = await client.query<StoredSettings>(SAVE, [
          instance,
          after.isEnabled,
          after.ignoreGroups,
          after.stopWord,
          after.stopMinutes,
          after.ownMessageMinutes,
          isSet ? encryption.seal(Buffer.from(key), instance, 'openai') : null,
          isSet ? maskedKey(key) : '',
          key === undefined,
          after.costPerDayMicros,
          after.embeddingPriceMicros,
          after.transcriptionPriceMicros,
        ])
        if (rows[0] === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
        if (isSet) await client.query(UNBLOCK, [instance])
        return readSettingsRow(rows[0])
      })
      onWritten(instance)
      return settings
    },

    async openaiKey(instance) {
      const [row] = (await pool.query<{ key: Buffer | null }>(KEY, [instance])).rows
      const sealed = row?.key ?? null
      return sealed === null ? null : encryption.open(sealed, instance, 'openai').toString()
    },
  }
}
