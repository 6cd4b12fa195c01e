/** Agents as rows: how they are read and written. */

import type pg from 'pg'
import { parseTriggerSchedule, storedTriggerSchedule } from '../../../schemas/agents/limits.js'
import type {
  AgentConfig,
  AgentFields,
  AgentInMemory,
  TriggerFields,
  TriggerRow,
} from '../../../schemas/agents/records.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { readSettingsRow, SETTINGS, type StoredSettings } from './settings-store.js'

/** Triggers as rows: how they are read and written. */
export type StoredTrigger = Omit<TriggerRow, 'schedule'> & { readonly schedule: string }

/** Columns of a `StoredTrigger`, of the table `agent_trigger AS t`. */
export const TRIGGER = `t.id, t.agent_id AS "agentId", t.active, t.ignore_groups AS "ignoreGroups", t.lead_field AS "leadField",
  t.lead_operator AS "leadOperator", t.lead_value AS "leadValue", t.priority, t.words_to_start AS "wordsToStart",
  t.response_delay_seconds AS "responseDelaySeconds", t.schedule, t.created, t.updated`

// $1 instance   $2 id   then the fields
export const SAVE_TRIGGER = `
  WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE)
  INSERT INTO agent_trigger AS t (instance_id, id, type, agent_id, active, ignore_groups, lead_field, lead_operator, lead_value, priority,
    words_to_start, response_delay_seconds, schedule)
  SELECT id, $2, 'agent', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM held
  ON CONFLICT (instance_id, id) DO UPDATE SET agent_id = EXCLUDED.agent_id, active = EXCLUDED.active,
    ignore_groups = EXCLUDED.ignore_groups, lead_field = EXCLUDED.lead_field, lead_operator = EXCLUDED.lead_operator,
    lead_value = EXCLUDED.lead_value, priority = EXCLUDED.priority, words_to_start = EXCLUDED.words_to_start,
    response_delay_seconds = EXCLUDED.response_delay_seconds, schedule = EXCLUDED.schedule, updated = now()
  RETURNING ${TRIGGER}`

/** Returns the values of `SAVE_TRIGGER` from the third on. */
export function triggerValues(fields: TriggerFields): unknown[] {
  return [
    fields.agentId,
    fields.active,
    fields.ignoreGroups,
    fields.leadField,
    fields.leadOperator,
    fields.leadValue,
    fields.priority,
    fields.wordsToStart,
    fields.responseDelaySeconds,
    storedTriggerSchedule(fields.schedule),
  ]
}

/** Texts of a trigger that count, by column. */
export function triggerTexts(fields: TriggerFields): Readonly<Record<string, string>> {
  return {
    lead_value: fields.leadValue,
    words_to_start: fields.wordsToStart,
    schedule: storedTriggerSchedule(fields.schedule),
  }
}

export function triggerRow({ schedule, ...row }: StoredTrigger): TriggerRow {
  return { ...row, schedule: parseTriggerSchedule(schedule) ?? null }
}

// Columns by the fields of `AgentRow`.
const COLUMNS: Readonly<Record<keyof AgentFields, string>> = {
  name: 'name',
  provider: 'provider',
  model: 'model',
  baseUrl: 'base_url',
  embeddingModel: 'embedding_model',
  basePrompt: 'base_prompt',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  diversityLevel: 'diversity_level',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  signMessages: 'sign_messages',
  readMessages: 'read_messages',
  maxMessageLength: 'max_message_length',
  typingDelaySeconds: 'typing_delay_seconds',
  contextHours: 'context_hours',
  contextMessagesMax: 'context_messages_max',
  contextMessagesMin: 'context_messages_min',
  functions: 'functions',
  knowledge: 'knowledge',
  fallbackMessage: 'fallback_message',
  inputPrice: 'input_price',
  outputPrice: 'output_price',
}
const FIELDS = Object.keys(COLUMNS) as (keyof AgentFields)[]
const NAMES = Object.values(COLUMNS)

const asField = ([field, column]: readonly [string, string]): string => `a.${column} AS "${field}"`
const STATE = `a.id, a.apikey_mask AS "keyMask", a.blocked_reason AS "blockedReason",
  CASE WHEN a.blocked_reason = '' THEN '' ELSE a.blocked_code END AS "blockedCode",
  a.embedding_dimensions AS "embeddingDimensions", a.embedding_error AS "embeddingError",
  CASE WHEN a.embedding_error = '' THEN '' ELSE a.embedding_code END AS "embeddingCode"`
const IS_SAME_SERVER = `
  $5 AND a.provider = EXCLUDED.provider AND a.base_url = EXCLUDED.base_url AND a.embedding_model = EXCLUDED.embedding_model`

/** Columns of an `AgentRow`, of the table `agent AS a`. */
export const AGENT = `${STATE}, ${Object.entries(COLUMNS).map(asField).join(', ')}, a.created, a.updated`
/** Columns of an `AgentInMemory`. */
const AGENT_IN_MEMORY = `${STATE}, ${Object.entries(COLUMNS)
  .filter(([field]) => field !== 'basePrompt')
  .map(asField)
  .join(', ')}`

// The row of the instance is held: one that is being deleted gets no more rows.
// $1 instance   $2 id   $3 key, sealed   $4 its mask   $5 whether the key stays   then the fields
export const SAVE_AGENT = `
  WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE)
  INSERT INTO agent AS a (instance_id, id, apikey, apikey_mask, ${NAMES.join(', ')})
  SELECT id, $2, $3, $4, ${NAMES.map((_, index) => `$${index + 6}`).join(', ')} FROM held
  ON CONFLICT (instance_id, id) DO UPDATE SET
    apikey = CASE WHEN $5 THEN a.apikey ELSE EXCLUDED.apikey END,
    apikey_mask = CASE WHEN $5 THEN a.apikey_mask ELSE EXCLUDED.apikey_mask END,
    ${NAMES.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}, blocked_reason = '', blocked_code = '', embedding_error = '', embedding_code = '',
    embedding_dimensions = CASE WHEN ${IS_SAME_SERVER} THEN a.embedding_dimensions ELSE 0 END, updated = now()
  RETURNING ${AGENT}`

/** Returns the values of `SAVE_AGENT` from the sixth on. */
export function agentValues(fields: AgentFields): unknown[] {
  return FIELDS.map((field) => fields[field])
}

/** Columns of an agent in a JSON object, for a statement that reads several tables. */
const AGENTS_AS_JSON = `
  SELECT COALESCE(json_agg(row_to_json(r)), '[]')::text FROM (
    SELECT ${AGENT_IN_MEMORY} FROM agent AS a WHERE a.instance_id = $1 AND EXISTS (
      SELECT FROM agent_trigger AS t WHERE t.instance_id = a.instance_id AND t.agent_id = a.id AND t.active)) AS r`

function parseAgents(json: string): readonly AgentInMemory[] {
  // Bound: 4,194,304, 10,000 values, the agents of an instance (`agentLimit`).
  return JSON.parse(json) as AgentInMemory[]
}

/** Texts of an agent that count, by column. */
export function agentTexts(fields: AgentFields): Readonly<Record<string, string>> {
  return {
    name: fields.name,
    model: fields.model,
    base_url: fields.baseUrl,
    embedding_model: fields.embeddingModel,
    base_prompt: fields.basePrompt,
    fallback_message: fields.fallbackMessage,
  }
}

type StoredConfig = StoredSettings & { readonly agents: string; readonly triggers: string }
type TriggerOfJson = Omit<StoredTrigger, 'created' | 'updated'> & { readonly created: string; readonly updated: string }

// One statement, so that agents, triggers and settings are of one moment. It returns nothing for the many instances without a chatbot.
const CONFIG = `
  SELECT ${SETTINGS}, (${AGENTS_AS_JSON}) AS agents, (
    SELECT COALESCE(json_agg(row_to_json(r)), '[]')::text FROM (
      SELECT ${TRIGGER} FROM agent_trigger AS t WHERE t.instance_id = $1 AND t.active ORDER BY t.priority DESC, t.created, t.id) AS r
  ) AS triggers
  FROM chatbot_settings AS b WHERE b.instance_id = $1 AND b.enabled`

/** Reads what the owner of an instance has in memory. Returns null if the chatbot is off, or no trigger is active. */
export async function readAgentConfig(pool: pg.Pool, instance: InstanceId): Promise<AgentConfig | null> {
  const [row] = (await pool.query<StoredConfig>(CONFIG, [instance])).rows
  if (row === undefined) return null
  // Bound: 131,072, 10,000 values, the triggers of an instance (`triggerLimit`).
  const triggers = (JSON.parse(row.triggers) as TriggerOfJson[]).map((trigger) =>
    triggerRow({ ...trigger, created: new Date(trigger.created), updated: new Date(trigger.updated) }),
  )
  if (triggers.length === 0) return null
  const agents = new Map(parseAgents(row.agents).map((agent) => [agent.id, agent]))
  return { settings: readSettingsRow(row), agents, triggers }
}
