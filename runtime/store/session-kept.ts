import pg from 'pg'

const BACKEND = 'SELECT pg_backend_pid() AS pid'

/**
 * Returns false when two connections were given one session of PostgreSQL, or one connection two: a pooler changes sessions between
 * transactions. On a busy pooler this may stay hidden.
 * @throws the error of the connection
 */
export async function isSessionKept(config: pg.ClientConfig): Promise<boolean> {
  const [one, other] = [new pg.Client(config), new pg.Client(config)]
  for (const client of [one, other]) client.on('error', () => {})
  try {
    await one.connect()
    await other.connect()
    const first = await backendOf(one)
    // The session that is free now is most likely the one of before, which the transaction keeps.
    await other.query('BEGIN')
    const held = await backendOf(other)
    const second = await backendOf(one)
    await other.query('ROLLBACK')
    return first === second && first !== held
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => {})))
  }
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>(BACKEND)).rows[0]?.pid
}
