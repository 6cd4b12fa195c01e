import type pg from 'pg'
import type { ClientVersionRows } from '../client-version/client-version-keeper.js'
import type { KnownRevision } from '../client-version/known-versions.js'

export interface ClientVersionTable extends ClientVersionRows {
  /** Adds a revision of the source, if it is unknown, and removes all that are older than the newest 20. */
  offer(revision: number): Promise<void>
}

const KEPT = 20
const READ = 'SELECT revision::float8 AS revision, state FROM client_version'
// $1 revision   $2 state
const NOTE = `
  INSERT INTO client_version AS v (revision, state) VALUES ($1, $2)
  ON CONFLICT (revision) DO UPDATE SET state = EXCLUDED.state, changed = now() WHERE v.state <> EXCLUDED.state`
const OFFER = `INSERT INTO client_version (revision, state) VALUES ($1, 'candidate') ON CONFLICT DO NOTHING`
const PRUNE = `
  DELETE FROM client_version
  WHERE revision < (SELECT min(revision) FROM (SELECT revision FROM client_version ORDER BY revision DESC LIMIT ${KEPT}) AS kept)`

export function createClientVersionTable(pool: pg.Pool): ClientVersionTable {
  return {
    read: async () => (await pool.query<KnownRevision>(READ)).rows,
    note: async (revision, state) => void (await pool.query(NOTE, [revision, state])),
    async offer(revision) {
      await pool.query(OFFER, [revision])
      await pool.query(PRUNE)
    },
  }
}
