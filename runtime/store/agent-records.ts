/** Functions of agents. Edited by the API on any node: no actor has them in memory. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { FunctionParameter } from '../../schemas/function-rules.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { AgentRecords, FunctionFields, FunctionRow } from '../../schemas/ports/records.js'
import { functionLimit } from '../../schemas/record-limits.js'
import { IS_READ_IN_CLEAR, openHeaders, type StoredHeaders, sealHeaders } from './agents/function-headers.js'
import type { Encryption } from './encryption.js'
import { writeOnce } from './in-transaction.js'
import { limitedSave } from './limited-save.js'

// Bound: 65,536, 5,000 values, the parameters of a function.

type StoredFunction = Omit<FunctionRow, 'parameters'> & StoredHeaders & { readonly parameters: string }

const FUNCTION = `id, name, description, method, endpoint, active, headers, headers_sealed AS "headersSealed", body, parameters, undocumented,
  header_error AS "headerError", body_error AS "bodyError", retry_safe AS "retrySafe", created, updated`
// The row of the instance is held: one that is being deleted gets no more rows.
const HOLD = 'WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE)'
const SAVE_FUNCTION = `
  ${HOLD}, older AS (SELECT ${IS_READ_IN_CLEAR} AS lives)
  INSERT INTO agent_function (instance_id, id, name, description, method, endpoint, active, headers, body, parameters, undocumented,
    header_error, body_error, retry_safe, headers_sealed)
  SELECT id, $2, $3, $4, $5, $6, $7, CASE WHEN lives THEN $8 ELSE '' END, $9, $10, $11, $12, $13, $14, CASE WHEN NOT lives THEN $15::bytea END
  FROM held, older
  ON CONFLICT (instance_id, id) DO UPDATE SET name = EXCLUDED.name, description = EXCLUDED.description, method = EXCLUDED.method,
    endpoint = EXCLUDED.endpoint, active = EXCLUDED.active, headers = EXCLUDED.headers, body = EXCLUDED.body,
    parameters = EXCLUDED.parameters, undocumented = EXCLUDED.undocumented, header_error = EXCLUDED.header_error,
    body_error = EXCLUDED.body_error, retry_safe = EXCLUDED.retry_safe, headers_sealed = EXCLUDED.headers_sealed, updated = now()
  RETURNING ${FUNCTION}`
const UNIQUE_VIOLATION = '23505'

export function createAgentRecords(pool: pg.Pool, encryption: Encryption): AgentRecords {
  return {
    async functions(instance) {
      const text = `SELECT ${FUNCTION} FROM agent_function WHERE instance_id = $1 ORDER BY created, id`
      return (await pool.query<StoredFunction>(text, [instance])).rows.map((row) => functionRow(instance, row))
    },

    async findFunction(instance, id) {
      const text = `SELECT ${FUNCTION} FROM agent_function WHERE instance_id = $1 AND id = $2`
      const [row] = (await pool.query<StoredFunction>(text, [instance, id])).rows
      return row === undefined ? null : functionRow(instance, row)
    },

    async saveFunction(instance, id, fields) {
      const known = id ?? newId()
      const { name, description, endpoint, headers, body, undocumented } = fields
      const headersSealed = sealHeaders(encryption, instance, known, headers)
      const [row] = await limitedSave<StoredFunction>(pool, {
        limit: functionLimit,
        table: 'agent_function',
        instance,
        id: known,
        texts: {
          name,
          description,
          endpoint,
          headers: '',
          headers_sealed: headersSealed,
          body,
          undocumented,
          parameters: JSON.stringify(fields.parameters),
        },
        field: 'function',
        text: SAVE_FUNCTION,
        values: [...functionValues(instance, known, fields), headersSealed],
      }).catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error
        throw new GatewayError('NAME_TAKEN', {
          details: [{ field: 'function.name', why: 'is the name of another function' }],
        })
      })
      if (row === undefined) throw new GatewayError('INSTANCE_NOT_FOUND')
      return functionRow(instance, row)
    },

    async deleteFunction(instance, id) {
      await writeOnce(pool, 'DELETE FROM agent_function WHERE instance_id = $1 AND id = $2', [instance, id])
    },
  }

  function functionRow(instance: InstanceId, { parameters, headersSealed, ...row }: StoredFunction): FunctionRow {
    const headers = openHeaders(encryption, instance, row.id, { headers: row.headers, headersSealed })
    return { ...row, headers, parameters: JSON.parse(parameters) as FunctionParameter[] }
  }
}

function functionValues(instance: InstanceId, id: string, fields: FunctionFields): unknown[] {
  const { name, description, method, endpoint, active, headers, body, parameters } = fields
  const { undocumented, headerError, bodyError, retrySafe } = fields
  const list = JSON.stringify(parameters)
  return [
    instance,
    id,
    name,
    description,
    method,
    endpoint,
    active,
    headers,
    body,
    list,
    undocumented,
    headerError,
    bodyError,
    retrySafe,
  ]
}

/** `r` and hex digits, as everywhere in records; enough that two never meet. */
function newId(): string {
  return `r${randomBytes(8).toString('hex')}`
}
