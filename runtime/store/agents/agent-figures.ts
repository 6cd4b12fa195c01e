/** Figures about the agents of all instances, for metrics. */
import type pg from 'pg'

export interface AgentFigures {
  /** Active entries of knowledge, by `vectorStatus`. */
  readonly knowledge: Readonly<Record<string, number>>
  /** Time for which the oldest turn of a connected instance has been due; 0: none is. */
  readonly oldestTurnMs: number
}

const KNOWLEDGE =
  'SELECT vector_status AS status, count(*)::int AS count FROM knowledge WHERE active GROUP BY vector_status'
// Turns of an instance without a connection wait for it.
const OLDEST = `
  SELECT COALESCE(GREATEST(0, extract(epoch FROM now() - min(t.due_at)) * 1000), 0)::float8 AS ms
  FROM agent_turn AS t JOIN instance AS i ON i.id = t.instance_id
  WHERE t.ended IS NULL AND t.due_at <= now() AND i.status = 'connected'`

export async function readAgentFigures(pool: pg.Pool): Promise<AgentFigures> {
  const entries = await pool.query<{ status: string; count: number }>(KNOWLEDGE)
  const oldest = await pool.query<{ ms: number }>(OLDEST)
  return {
    knowledge: Object.fromEntries(entries.rows.map(({ status, count }) => [status, count])),
    oldestTurnMs: oldest.rows[0]?.ms ?? 0,
  }
}
