/** Agents as rows: how they are read and written. */
import type { AgentFields, AgentInMemory } from '../../../schemas/agents/records.js'

// Bound: 4,194,304, 10,000 values, the agents of an instance (`agentLimit`).

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
  a.embedding_dimensions AS "embeddingDimensions", a.embedding_error AS "embeddingError"`
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
    ${NAMES.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}, blocked_reason = '', blocked_code = '', embedding_error = '',
    embedding_dimensions = CASE WHEN ${IS_SAME_SERVER} THEN a.embedding_dimensions ELSE 0 END, updated = now()
  RETURNING ${AGENT}`

/** Returns the values of `SAVE_AGENT` from the sixth on. */
export function agentValues(fields: AgentFields): unknown[] {
  return FIELDS.map((field) => fields[field])
}

/** Columns of an agent in a JSON object, for a statement that reads several tables. */
export const AGENTS_AS_JSON = `
  SELECT COALESCE(json_agg(row_to_json(r)), '[]')::text FROM (
    SELECT ${AGENT_IN_MEMORY} FROM agent AS a WHERE a.instance_id = $1 AND EXISTS (
      SELECT FROM agent_trigger AS t WHERE t.instance_id = a.instance_id AND t.agent_id = a.id AND t.active)) AS r`

export function parseAgents(json: string): readonly AgentInMemory[] {
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
