/** Triggers as rows: how they are read and written. */

import { parseTriggerSchedule, storedTriggerSchedule } from '../../../schemas/agents/limits.js'
import type { TriggerFields, TriggerRow } from '../../../schemas/agents/records.js'

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
