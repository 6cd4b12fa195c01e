/** The log of administrative calls, in SQL. */
import type pg from 'pg'
import type { AuditLog, AuditQuery, AuditRow } from '../../schemas/ports/requests.js'

interface Row {
  position: number
  at: Date
  actor_kind: AuditRow['actorKind']
  actor: string
  address: string
  method: string
  route: string
  operation: string
  subject: string
  request_id: string
  pass: string
  node: string
  status: number | null
  code: string
}

const BEGIN = `
  INSERT INTO audit (actor_kind, actor, address, method, route, operation, subject, request_id, node, status, code, pass)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING position`
const END = `
  UPDATE audit SET status = $2, code = $3, subject = CASE WHEN $4 = '' THEN subject ELSE $4 END,
    pass = CASE WHEN $5 = '' THEN pass ELSE $5 END
  WHERE position = $1`

/** `node`: NODE_ID of this one. */
export function createAuditLog(pool: pg.Pool, node: string): AuditLog {
  return {
    async begin(call, outcome) {
      const { actorKind, actor, address, method, route, operation, subject, requestId, pass } = call
      const { rows } = await pool.query<{ position: number }>(BEGIN, [
        ...[actorKind, actor, address, method, route, operation, clean(subject), requestId, node],
        ...[outcome?.status ?? null, outcome?.code ?? '', pass],
      ])
      return rows[0]?.position ?? 0
    },

    async end(position, { status, code }, { subject, pass }) {
      await pool.query(END, [position, status, code, clean(subject), pass])
    },

    async find(query) {
      const { text, values } = toStatement(query)
      const { rows } = await pool.query<Row>(text, values)
      return { entries: rows.slice(0, query.limit).map(toEntry), hasMore: rows.length > query.limit }
    },
  }
}

function toStatement({ limit, before, subject, operation, pass, from }: AuditQuery): {
  text: string
  values: unknown[]
} {
  const values: unknown[] = [limit + 1]
  const conditions = ['true']
  const where = (condition: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`${condition} $${values.length}`)
  }
  where('position <', before)
  where('subject =', subject)
  where('operation =', operation)
  where('pass =', pass)
  where('at >=', from)
  return { text: `SELECT * FROM audit WHERE ${conditions.join(' AND ')} ORDER BY position DESC LIMIT $1`, values }
}

function toEntry({ actor_kind: actorKind, request_id: requestId, ...row }: Row): AuditRow {
  return { ...row, actorKind, requestId }
}

/** PostgreSQL refuses NUL in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '').slice(0, 200)
}
