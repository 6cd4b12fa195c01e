/** Posts of channels in a batch: their numbers, and the counts of their views and reactions. */
import type { ChannelPostCounts } from '../../../schemas/channel.js'
import { bigintArray, textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

// Counts of a post may come before its message.
// $1 instances   $2 channels   $3 numbers   $4 messages
const KEEP = `
  INSERT INTO channel_post AS p (instance_id, channel, server_id, messageid)
  SELECT DISTINCT ON (instance_id, channel, server_id) instance_id, channel, server_id, messageid
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS u(instance_id, channel, server_id, messageid)
  ORDER BY instance_id, channel, server_id
  ON CONFLICT (instance_id, channel, server_id) DO UPDATE SET messageid = EXCLUDED.messageid WHERE p.messageid = ''`

// The last counts of a post in the batch stand.
// $1 instances   $2 channels   $3 numbers   $4 views; null: not known   $5 reactions, JSON
const COUNT = `
  INSERT INTO channel_post AS p (instance_id, channel, server_id, views, reactions)
  SELECT DISTINCT ON (instance_id, channel, server_id) instance_id, channel, server_id, views, reactions
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
    WITH ORDINALITY AS u(instance_id, channel, server_id, views, reactions, place)
  ORDER BY instance_id, channel, server_id, place DESC
  ON CONFLICT (instance_id, channel, server_id) DO UPDATE SET
    views = COALESCE(EXCLUDED.views, p.views), reactions = EXCLUDED.reactions`

interface KeptPost {
  readonly instance: string
  readonly channel: string
  readonly serverid: number
  readonly messageid: string
}

export function sendChannelPosts(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const posts: KeptPost[] = []
  const counts: ({ readonly instance: string; readonly channel: string } & ChannelPostCounts)[] = []
  for (const { instance, changes } of writes)
    for (const change of changes) {
      if (change.type === 'channel.post') posts.push({ instance, ...change })
      if (change.type === 'channel.counts')
        for (const one of change.posts) counts.push({ instance, channel: change.channel, ...one })
      const { serverId = undefined, messageid = '', chat = {} } = change.type === 'message' ? change.message : {}
      if (serverId !== undefined && chat.group !== undefined)
        posts.push({ instance, channel: chat.group, serverid: serverId, messageid })
    }
  return [...keep(client, posts), ...count(client, counts)]
}

function keep(client: Statements, posts: readonly KeptPost[]): Promise<unknown>[] {
  if (posts.length === 0) return []
  const values = [
    textArray(posts.map(({ instance }) => instance)),
    textArray(posts.map(({ channel }) => channel)),
    bigintArray(posts.map(({ serverid }) => serverid)),
    textArray(posts.map(({ messageid }) => messageid)),
  ]
  return [client.query(KEEP, values)]
}

function count(
  client: Statements,
  counts: readonly ({ readonly instance: string; readonly channel: string } & ChannelPostCounts)[],
): Promise<unknown>[] {
  if (counts.length === 0) return []
  const values = [
    textArray(counts.map(({ instance }) => instance)),
    textArray(counts.map(({ channel }) => channel)),
    bigintArray(counts.map(({ serverid }) => serverid)),
    bigintArray(counts.map(({ viewsCount }) => viewsCount)),
    textArray(counts.map(({ reactionCounts }) => JSON.stringify(reactionCounts))),
  ]
  return [client.query(COUNT, values)]
}
