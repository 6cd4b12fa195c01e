/** The lead fields of a batch: what callers know of people. One statement for all. */

import type { InstanceId } from '../../../schemas/ids.js'
import { customLeadFields } from '../../../schemas/lead-fields.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import { bigintArray, textArray } from '../arrays.js'
import { keyOf } from './batch.js'
import type { Statements } from './connection.js'

const TEXTS = [
  'lead_name',
  'lead_fullName',
  'lead_email',
  'lead_personalid',
  'lead_status',
  'lead_tags',
  'lead_notes',
  'lead_assignedAttendant_id',
  'chatbot_lastTrigger_id',
  ...customLeadFields,
]
const TIMES = ['chatbot_disableUntil', 'chatbot_agentResetMemoryAt', 'chatbot_lastTriggerAt']
const COLUMNS = [
  ...TEXTS.map((name) => ({ name, value: `u.fields->>'${name}'`, empty: "''" })),
  { name: 'lead_isTicketOpen', value: `(u.fields->>'lead_isTicketOpen')::boolean`, empty: 'false' },
  { name: 'lead_kanbanOrder', value: `(u.fields->>'lead_kanbanOrder')::bigint`, empty: '0' },
  ...TIMES.map((name) => ({ name, value: `(u.fields->>'${name}')::bigint`, empty: '0' })),
]

/** Merges the leads of two chats that become one: the fields of the kept one, or else of the other. Of the times the latest counts. */
export const MERGED_LEAD = COLUMNS.map(({ name, empty }) => `"${name}" = ${merged(name, empty)}`).join(', ')

function merged(name: string, empty: string): string {
  if (empty === 'false') return `kept."${name}" OR gone."${name}"`
  if (TIMES.includes(name)) return `GREATEST(kept."${name}", gone."${name}")`
  const isOfKept =
    name === 'chatbot_lastTrigger_id'
      ? 'kept."chatbot_lastTriggerAt" >= gone."chatbot_lastTriggerAt"'
      : `kept."${name}" <> ${empty}`
  return `CASE WHEN ${isOfKept} THEN kept."${name}" ELSE gone."${name}" END`
}

const row = (columns: readonly string[]) => `(${columns.join(', ')})`

// Fields that are not given stay. Returns the chats that have changed.
// $1 instances   $2 chats   $3 fields, as JSON
const UPDATE_LEADS = `
  UPDATE chat AS c SET ${COLUMNS.map(({ name, value }) => `"${name}" = COALESCE(${value}, c."${name}")`).join(', ')}
  FROM (SELECT instance_id, id, fields::jsonb FROM unnest($1::text[], $2::bigint[], $3::text[]) AS t(instance_id, id, fields)) AS u
  WHERE c.instance_id = u.instance_id AND c.id = u.id
    AND ${row(COLUMNS.map(({ name, value }) => `COALESCE(${value}, c."${name}")`))}
      IS DISTINCT FROM ${row(COLUMNS.map(({ name }) => `c."${name}"`))}
  RETURNING c.instance_id, c.id`

interface Edited {
  readonly instance: InstanceId
  readonly chatId: number
  readonly set: LeadFields
}

export class LeadChanges {
  readonly #all = new Map<string, Edited>()
  readonly #changed = new Map<string, Edited>()

  /** In the order of the changes. */
  add(instance: InstanceId, chatId: number, set: LeadFields): void {
    const key = keyOf(instance, chatId)
    this.#all.set(key, { instance, chatId, set: { ...this.#all.get(key)?.set, ...set } })
  }

  async apply(client: Statements): Promise<void> {
    const all = [...this.#all.values()]
    if (all.length === 0) return
    const { rows } = await client.query<{ instance_id: InstanceId; id: number }>(UPDATE_LEADS, [
      textArray(all.map((one) => one.instance)),
      bigintArray(all.map((one) => one.chatId)),
      textArray(all.map((one) => JSON.stringify(one.set))),
    ])
    for (const { instance_id, id } of rows) {
      const key = keyOf(instance_id, id)
      const edited = this.#all.get(key)
      if (edited !== undefined) this.#changed.set(key, edited)
    }
  }

  /** The chats of which something differs. */
  changed(): Iterable<{ readonly instance: InstanceId; readonly chatId: number }> {
    return this.#changed.values()
  }

  hasChanged(instance: InstanceId, chatId: number): boolean {
    return this.#changed.has(keyOf(instance, chatId))
  }
}
