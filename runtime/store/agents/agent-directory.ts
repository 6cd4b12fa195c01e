/** Agents, triggers and settings of the chatbot. They are edited on any node; the owner of the instance reads them again after an edit. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { maskedKey } from '../../../schemas/agents/key-mask.js'
import type { AgentDirectory, AgentFields, AgentRow, KeyChange } from '../../../schemas/agents/records.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { agentLimit, triggerLimit } from '../../../schemas/record-limits.js'
import { textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { runInTransaction, writeOnce } from '../in-transaction.js'
import type { Queries } from '../instance-rows.js'
import { lockSaves, saveLocked } from '../limited-save.js'
import {
  AGENT,
  agentTexts,
  agentValues,
  readAgentConfig,
  SAVE_AGENT,
  SAVE_TRIGGER,
  type StoredTrigger,
  TRIGGER,
  triggerRow,
  triggerTexts,
  triggerValues,
} from './agent-rows.js'
import { createSettingsStore } from './settings-store.js'

type AgentStore = Pick<
  AgentDirectory,
  'agents' | 'findAgent' | 'saveAgent' | 'deleteAgent' | 'blockAgent' | 'agentKey' | 'noteEmbeddings'
>
type TriggerStore = Pick<AgentDirectory, 'triggers' | 'findTrigger' | 'saveTrigger' | 'deleteTrigger'>

const FIND_AGENT = `SELECT ${AGENT} FROM agent AS a WHERE a.instance_id = $1 AND a.id = $2`
// $1 instance   $2 id
const DELETE_AGENT = `
  DELETE FROM agent AS a WHERE a.instance_id = $1 AND a.id = $2
    AND NOT EXISTS (SELECT FROM agent_trigger AS t WHERE t.instance_id = $1 AND t.agent_id = $2)`
const TRIGGER_OF_AGENT =
  'SELECT id FROM agent_trigger WHERE instance_id = $1 AND agent_id = $2 ORDER BY created, id LIMIT 1'
const BLOCK_AGENT = 'UPDATE agent SET blocked_reason = $3, blocked_code = $4 WHERE instance_id = $1 AND id = $2'
// Dates of JavaScript have no microseconds.
// $1 instance   $2 id   $3 time of its last edit   $4 length of vectors   $5 why there are none
const NOTE_EMBEDDINGS = `
  UPDATE agent SET embedding_dimensions = $4, embedding_error = $5, embedding_code = $6
  WHERE instance_id = $1 AND id = $2 AND date_trunc('milliseconds', updated) = $3`
const KEY = `
  SELECT a.apikey AS key, CASE WHEN a.provider = 'openai' THEN b.openai_key END AS fallback
  FROM agent AS a LEFT JOIN chatbot_settings AS b ON b.instance_id = a.instance_id WHERE a.instance_id = $1 AND a.id = $2`
const FIND_TRIGGER = `SELECT ${TRIGGER} FROM agent_trigger AS t WHERE t.instance_id = $1 AND t.id = $2`

/** @param onWritten is called when the record of an instance has changed */
export function createAgentDirectory(
  pool: pg.Pool,
  encryption: Encryption,
  onWritten: (instance: InstanceId) => void,
): AgentDirectory {
  return {
    read: (instance) => readAgentConfig(pool, instance),
    ...createSettingsStore(pool, encryption, onWritten),
    ...createAgentStore(pool, encryption),
    ...createTriggerStore(pool),
  }
}

function createAgentStore(pool: pg.Pool, encryption: Encryption): AgentStore {
  return {
    async agents(instance) {
      const text = `SELECT ${AGENT} FROM agent AS a WHERE a.instance_id = $1 ORDER BY a.created, a.id`
      return (await pool.query<AgentRow>(text, [instance])).rows
    },

    findAgent: (instance, id) => findAgent(pool, instance, id),

    async saveAgent(instance, id, change) {
      return await runInTransaction(instance, pool, async (client) => {
        await lockSaves(client, { table: 'agent', instance })
        const fields = change(id === null ? null : await findAgent(client, instance, id))
        await refuseUnknown(client, instance, fields)
        const known = id ?? newId()
        const [row] = await saveLocked<AgentRow>(client, {
          limit: agentLimit,
          table: 'agent',
          instance,
          id: known,
          texts: agentTexts(fields),
          field: 'agent.basePrompt',
          text: SAVE_AGENT,
          values: [instance, known, ...keyValues(encryption, instance, known, fields.key), ...agentValues(fields)],
        })
        if (row === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
        return row
      })
    },

    async deleteAgent(instance, id) {
      if ((await writeOnce(pool, DELETE_AGENT, [instance, id])).rowCount === 1) return true
      const [trigger] = (await pool.query<{ id: string }>(TRIGGER_OF_AGENT, [instance, id])).rows
      if (trigger === undefined) return false
      throw new GatewayError('AGENT_IN_USE', {
        details: [{ field: 'id', why: `is used by the trigger ${trigger.id}` }],
      })
    },

    async blockAgent(instance, id, reason, code) {
      await writeOnce(pool, BLOCK_AGENT, [instance, id, reason, code])
    },

    async noteEmbeddings(instance, { id, updated }, found) {
      const state = 'error' in found ? [0, found.error, found.code] : [found.dimensions, '', '']
      await writeOnce(pool, NOTE_EMBEDDINGS, [instance, id, updated, ...state])
    },

    async agentKey(instance, id) {
      const [row] = (await pool.query<{ key: Buffer | null; fallback: Buffer | null }>(KEY, [instance, id])).rows
      if (row === undefined) return null
      if (row.key !== null) return encryption.open(row.key, instance, 'agent', id).toString()
      return row.fallback === null ? null : encryption.open(row.fallback, instance, 'openai').toString()
    },
  }
}

async function findAgent(queries: Queries, instance: InstanceId, id: string): Promise<AgentRow | null> {
  return (await queries.query<AgentRow>(FIND_AGENT, [instance, id])).rows[0] ?? null
}

function keyValues(encryption: Encryption, instance: InstanceId, id: string, key: KeyChange): unknown[] {
  if (key === undefined || key === null) return [null, '', key === undefined]
  return [encryption.seal(Buffer.from(key), instance, 'agent', id), maskedKey(key), false]
}

const OWN_LISTS = [
  { field: 'functions', table: 'agent_function', record: 'function' },
  { field: 'knowledge', table: 'knowledge', record: 'entry of knowledge' },
] as const

/** @throws GatewayError INVALID_REQUEST if a list of the agent names a record that does not exist */
async function refuseUnknown(client: pg.PoolClient, instance: InstanceId, fields: AgentFields): Promise<void> {
  for (const { field, table, record } of OWN_LISTS) {
    const ids = fields[field] ?? []
    if (ids.length === 0) continue
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM unnest($2::text[]) AS asked(id)
       WHERE NOT EXISTS (SELECT FROM ${table} AS r WHERE r.instance_id = $1 AND r.id = asked.id) LIMIT 1`,
      [instance, textArray(ids)],
    )
    if (rows[0] !== undefined) throw invalidField(`agent.${field}`, `names ${rows[0].id}, which is no ${record}`)
  }
}

function createTriggerStore(pool: pg.Pool): TriggerStore {
  return {
    async triggers(instance) {
      const text = `SELECT ${TRIGGER} FROM agent_trigger AS t WHERE t.instance_id = $1 ORDER BY t.priority DESC, t.created, t.id`
      return (await pool.query<StoredTrigger>(text, [instance])).rows.map(triggerRow)
    },

    findTrigger: (instance, id) => findTrigger(pool, instance, id),

    async saveTrigger(instance, id, change) {
      return await runInTransaction(instance, pool, async (client) => {
        await lockSaves(client, { table: 'agent_trigger', instance })
        const fields = change(id === null ? null : await findTrigger(client, instance, id))
        if ((await findAgent(client, instance, fields.agentId)) === null)
          throw new GatewayError('AGENT_NOT_FOUND', {
            details: [{ field: 'trigger.agent_id', why: 'is not an agent' }],
          })
        const known = id ?? newId()
        const [row] = await saveLocked<StoredTrigger>(client, {
          limit: triggerLimit,
          table: 'agent_trigger',
          instance,
          id: known,
          texts: triggerTexts(fields),
          field: 'trigger.wordsToStart',
          text: SAVE_TRIGGER,
          values: [instance, known, ...triggerValues(fields)],
        })
        if (row === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
        return triggerRow(row)
      })
    },

    async deleteTrigger(instance, id) {
      const text = 'DELETE FROM agent_trigger WHERE instance_id = $1 AND id = $2'
      return (await writeOnce(pool, text, [instance, id])).rowCount === 1
    },
  }
}

async function findTrigger(queries: Queries, instance: InstanceId, id: string) {
  const [row] = (await queries.query<StoredTrigger>(FIND_TRIGGER, [instance, id])).rows
  return row === undefined ? null : triggerRow(row)
}

/** Makes an id: `r` and hex digits, as everywhere in records. */
function newId(): string {
  return `r${randomBytes(8).toString('hex')}`
}
