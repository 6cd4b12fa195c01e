/** The status posts of a batch: their people, how far they are, and who has received or seen them. */
import type { Change } from '../../../actors/instance/ports.js'
import { bigintArray, textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { RowKind } from './row-kind.js'

// $1 instances   $2 messages   $3 audiences   $4 people, JSON   $5 reports, JSON
const KEEP = `
  INSERT INTO status_post (instance_id, messageid, audience, people, report)
  SELECT instance_id, messageid, audience, ARRAY(SELECT jsonb_array_elements_text(people::jsonb)), report
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS u(instance_id, messageid, audience, people, report)
  ON CONFLICT (instance_id, messageid) DO NOTHING`

// A later part of a post may be in the same batch.
// $1 instances   $2 messages   $3 numbers of people
const REACH = `
  UPDATE status_post AS p SET reached = u.reached
  FROM (
    SELECT instance_id, messageid, max(reached)::int AS reached
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS r(instance_id, messageid, reached) GROUP BY 1, 2) AS u
  WHERE p.instance_id = u.instance_id AND p.messageid = u.messageid AND p.reached < u.reached`

// Receipts of others than the people of the post are left out: a server names their senders, but no list of them is bounded.
// $1 instances   $2 messages   $3 numbers   $4 LIDs   $5 times of seen posts, ms; null: only delivered   $6 times, ms
const VIEW = `
  INSERT INTO status_view AS v (instance_id, messageid, person, delivered_at, seen_at)
  SELECT instance_id, messageid, person, to_timestamp(min(at) / 1000.0), to_timestamp(min(seen) / 1000.0)
  FROM (
    SELECT u.instance_id, u.messageid, u.at, u.seen,
      CASE WHEN u.lid = ANY(p.people) THEN u.lid WHEN u.pn = ANY(p.people) THEN u.pn END AS person
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
      AS u(instance_id, messageid, pn, lid, seen, at)
    JOIN status_post AS p ON p.instance_id = u.instance_id AND p.messageid = u.messageid) AS r
  WHERE person IS NOT NULL GROUP BY instance_id, messageid, person
  ON CONFLICT (instance_id, messageid, person) DO UPDATE SET
    delivered_at = LEAST(v.delivered_at, EXCLUDED.delivered_at), seen_at = LEAST(v.seen_at, EXCLUDED.seen_at)`

type Kind = 'status.post' | 'status.reached' | 'status.receipt'

export const statusPosts = {
  types: ['status.post', 'status.reached', 'status.receipt'],
  send(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    const posts = listChanges(writes, 'status.post')
    if (posts.length > 0)
      sent.push(
        client.query(KEEP, [
          textArray(posts.map(({ instance }) => instance)),
          textArray(posts.map(({ change }) => change.messageid)),
          textArray(posts.map(({ change }) => change.post.audience)),
          textArray(posts.map(({ change }) => JSON.stringify(change.post.people))),
          textArray(posts.map(({ change }) => JSON.stringify(change.post.report))),
        ]),
      )
    const parts = listChanges(writes, 'status.reached')
    if (parts.length > 0)
      sent.push(
        client.query(REACH, [
          textArray(parts.map(({ instance }) => instance)),
          textArray(parts.map(({ change }) => change.messageid)),
          bigintArray(parts.map(({ change }) => change.reached)),
        ]),
      )
    const receipts = listChanges(writes, 'status.receipt').flatMap(({ instance, change }) =>
      change.messageids.map((messageid) => ({ instance, messageid, ...change })),
    )
    if (receipts.length > 0)
      sent.push(
        client.query(VIEW, [
          textArray(receipts.map(({ instance }) => instance)),
          textArray(receipts.map(({ messageid }) => messageid)),
          textArray(receipts.map(({ person }) => person.pn)),
          textArray(receipts.map(({ person }) => person.lid)),
          bigintArray(receipts.map(({ isSeen, atMs }) => (isSeen ? atMs : null))),
          bigintArray(receipts.map(({ atMs }) => atMs)),
        ]),
      )
    return sent
  },
} as const satisfies RowKind

function listChanges<K extends Kind>(writes: readonly Write[], kind: K) {
  return writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) =>
      change.type === kind ? [{ instance, change: change as Extract<Change, { readonly type: K }> }] : [],
    ),
  )
}
