/** Deliveries that wait, as many as one wants: made in the database, as the journal makes them, since a flood would take minutes. */
import type { Client } from 'pg'

export interface Backlog {
  readonly instance: string
  readonly webhookId: string
  /** Texts of so many chats, each with as many. */
  readonly chats: number
  readonly textsPerChat: number
}

/** Lanes of chats that no instance has. */
const FIRST_LANE = 1_000_000

// $1 instance   $2 webhook   $3 chats   $4 texts of each   $5 first lane
const MAKE = `
  WITH counter AS (
    UPDATE event_sequence SET last = last + $3::int * $4::int WHERE instance_id = $1 RETURNING last - $3::int * $4::int AS base
  ), made AS (
    INSERT INTO event (instance_id, sequence, event_id, kind, chat_id, flags, body)
    SELECT $1, counter.base + n, gen_random_uuid(), 'messages', $5::bigint + n % $3::int, 0, json_build_object(
      'chat', json_build_object('wa_chatid', n % $3::int || '@s.whatsapp.net'), 'chatSource', 'updated',
      'message', json_build_object('chatid', n % $3::int || '@s.whatsapp.net', 'messageType', 'text', 'text', n::text))::text
    FROM counter, generate_series(1, $3::int * $4::int) AS n ORDER BY n
    RETURNING chat_id, position
  )
  INSERT INTO delivery (webhook_id, lane, position, instance_id) SELECT $2::uuid, chat_id, position, $1 FROM made`

/** Nothing announces them: the gateway finds them when it looks for what is due. */
export async function makeBacklog(
  client: Client,
  { instance, webhookId, chats, textsPerChat }: Backlog,
): Promise<void> {
  await client.query(MAKE, [instance, webhookId, chats, textsPerChat, FIRST_LANE])
}
