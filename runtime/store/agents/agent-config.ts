import type pg from 'pg'
import type { AgentConfig } from '../../../schemas/agents/records.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { AGENTS_AS_JSON, parseAgents } from './agent-rows.js'
import { SETTINGS, type StoredSettings, settingsOf } from './settings-store.js'
import { type StoredTrigger, TRIGGER, triggerRow } from './trigger-rows.js'

// Bound: 131,072, 10,000 values, the triggers of an instance (`triggerLimit`).

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
  const triggers = (JSON.parse(row.triggers) as TriggerOfJson[]).map((trigger) =>
    triggerRow({ ...trigger, created: new Date(trigger.created), updated: new Date(trigger.updated) }),
  )
  if (triggers.length === 0) return null
  const agents = new Map(parseAgents(row.agents).map((agent) => [agent.id, agent]))
  return { settings: settingsOf(row), agents, triggers }
}
