/** Statements of a test's own beside the gateway's: to hold a lock, to put a trigger in the way. */
import { Client } from 'pg'
import type { Cleanup } from './cleanup.js'

export async function connectDatabase(t: Cleanup, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: 'test' })
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end())
  return client
}
