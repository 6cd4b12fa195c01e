import type pg from 'pg'

/** A connection whose transaction cannot be ended is closed. */
export async function rollBackAndRelease(client: pg.PoolClient, error: unknown): Promise<void> {
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(error as Error)
  }
}
