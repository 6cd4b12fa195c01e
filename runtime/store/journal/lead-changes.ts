/** The lead fields of a batch: what callers know of people. One statement for all. */

import type { InstanceId } from '../../../schemas/ids.js'
import { customLeadFields } from '../../../schemas/lead-fields.js'
import type { LeadFields } from '../../../schemas/stored-fields.js'
import { type AdSource, leadAdFields } from '../../../schemas/stored-fields.js'
import { bigintArray, textArray } from '../arrays.js'
import { joinKey } from './batch.js'
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

const AD_COLUMNS = [...Object.keys(leadAdFields), 'lead_adAt']
const KEEPS_AD = `gone."lead_adAt" = 0 OR kept."lead_adAt" BETWEEN 1 AND gone."lead_adAt"`

/** Merges the leads of two chats that become one: the fields of the kept one, or else of the other. Of the times the latest counts, and of the ads the first. */
export const MERGED_LEAD = [
  ...COLUMNS.map(({ name, empty }) => `"${name}" = ${merged(name, empty)}`),
  ...AD_COLUMNS.map((name) => `"${name}" = CASE WHEN ${KEEPS_AD} THEN kept."${name}" ELSE gone."${name}" END`),
].join(', ')

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

// The earliest ad stays. Returns the chats that have changed.
// $1 instances   $2 chats   $3 fields, as JSON
const UPDATE_SOURCES = `
  UPDATE chat AS c SET ${AD_COLUMNS.map((name) => `"${name}" = ${adValue(name)}`).join(', ')}
  FROM (SELECT instance_id, id, fields::jsonb FROM unnest($1::text[], $2::bigint[], $3::text[]) AS t(instance_id, id, fields)) AS u
  WHERE c.instance_id = u.instance_id AND c.id = u.id
    AND (c."lead_adAt" = 0 OR (u.fields->>'lead_adAt')::bigint < c."lead_adAt")
  RETURNING c.instance_id, c.id`

function adValue(name: string): string {
  return name === 'lead_adAt' ? `(u.fields->>'lead_adAt')::bigint` : `COALESCE(u.fields->>'${name}', '')`
}

interface Edited {
  readonly instance: InstanceId
  readonly chatId: number
  readonly set: LeadFields
}

interface FirstAd {
  readonly instance: InstanceId
  readonly chatId: number
  readonly ad: AdSource
  readonly atMs: number
}

export class LeadChanges {
  readonly #all = new Map<string, Edited>()
  readonly #sources = new Map<string, FirstAd>()
  readonly #changed = new Map<string, { readonly instance: InstanceId; readonly chatId: number }>()

  /** In the order of the changes. */
  add(instance: InstanceId, chatId: number, set: LeadFields): void {
    const key = joinKey(instance, chatId)
    this.#all.set(key, { instance, chatId, set: { ...this.#all.get(key)?.set, ...set } })
  }

  /** Of several ads the earliest counts. */
  addSource(instance: InstanceId, chatId: number, { ad, atMs }: Pick<FirstAd, 'ad' | 'atMs'>): void {
    const key = joinKey(instance, chatId)
    const known = this.#sources.get(key)
    // 0 stands for no ad.
    const time = Math.max(1, Math.trunc(atMs))
    if (known === undefined || time < known.atMs) this.#sources.set(key, { instance, chatId, ad, atMs: time })
  }

  async apply(client: Statements): Promise<void> {
    await Promise.all([this.#applyEdits(client), this.#applySources(client)])
  }

  async #applySources(client: Statements): Promise<void> {
    const all = [...this.#sources.values()]
    if (all.length === 0) return
    const { rows } = await client.query<{ instance_id: InstanceId; id: number }>(UPDATE_SOURCES, [
      textArray(all.map((one) => one.instance)),
      bigintArray(all.map((one) => one.chatId)),
      textArray(all.map(({ ad, atMs }) => JSON.stringify(toColumns(ad, atMs)))),
    ])
    for (const { instance_id: instance, id: chatId } of rows)
      this.#changed.set(joinKey(instance, chatId), { instance, chatId })
  }

  async #applyEdits(client: Statements): Promise<void> {
    const all = [...this.#all.values()]
    if (all.length === 0) return
    const { rows } = await client.query<{ instance_id: InstanceId; id: number }>(UPDATE_LEADS, [
      textArray(all.map((one) => one.instance)),
      bigintArray(all.map((one) => one.chatId)),
      textArray(all.map((one) => JSON.stringify(one.set))),
    ])
    for (const { instance_id, id } of rows) {
      const key = joinKey(instance_id, id)
      const edited = this.#all.get(key)
      if (edited !== undefined) this.#changed.set(key, edited)
    }
  }

  /** The chats of which something differs. */
  changed(): Iterable<{ readonly instance: InstanceId; readonly chatId: number }> {
    return this.#changed.values()
  }

  hasChanged(instance: InstanceId, chatId: number): boolean {
    return this.#changed.has(joinKey(instance, chatId))
  }
}

function toColumns(ad: AdSource, atMs: number): Record<string, string | number> {
  const fields = Object.entries(leadAdFields).map(([column, field]) => [column, ad[field] ?? ''])
  return { ...Object.fromEntries(fields), lead_adAt: atMs }
}
