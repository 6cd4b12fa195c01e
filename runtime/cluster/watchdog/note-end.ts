/** Notes in PostgreSQL, from the thread of the watchdog, the work during which the process ends itself. `runtime/store/blocked-work.ts` reads it. */
import type pg from 'pg'
import type { MainSample } from './main-thread.js'

// $1 kind   $2 instance, or an empty text   $3 id   $4 operation   $5 stack
const NOTE = `
  WITH old AS (DELETE FROM blocked_work WHERE at < now() - interval '30 days' AND (kind, instance_id, id) <> ($1, $2, $3))
  INSERT INTO blocked_work (kind, instance_id, id, operation, stack) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (instance_id, kind, id) DO UPDATE
  SET ends = blocked_work.ends + 1, operation = EXCLUDED.operation, stack = EXCLUDED.stack, at = now()`

const STACK_MAX = 4_000

/** @throws the error of PostgreSQL; the end is not counted then */
export async function noteEnd(pool: pg.Pool, { described, stack }: MainSample): Promise<void> {
  const work = described as Readonly<Record<string, unknown>> | null
  if (work === null || typeof work !== 'object') return
  const { kind, instance, id, operation } = work
  if (typeof id !== 'string' || id === '') return
  await pool.query(NOTE, [kind, instance, id, operation, stack.join('\n').slice(0, STACK_MAX)])
}
