/** Settings of the chatbot as rows. An instance without a row has the default ones. */
import { type ChatbotSettings, NO_CHATBOT } from '../../../schemas/agents/records.js'

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

export function settingsOf(row: StoredSettings | undefined): ChatbotSettings {
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
