/** Reports about a message, as the API shows them: receipts of the members of a group, votes of a poll, reactions. */
import { GatewayError } from '../../schemas/errors.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { toChatAddress } from '../../schemas/jid.js'
import type { MessageDirectory } from '../../schemas/ports/chats.js'
import type { Search } from './timed-search.js'

// Bound: 1,048,576, 40,000 values, the content of a poll, or what is known of a group.

/** Maximum of people in an answer without pages. */
const PEOPLE_MAX = 2_048

// The oldest first: whoever sends a message chooses its id.
// $2 id of the network or of the record
const MESSAGE = `
  SELECT m.id, m."messageid", c."wa_chatid" AS chatid, m.chat_id, m."status", m."messageType", m."text", m."content"
  FROM message AS m JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
  WHERE m.instance_id = $1 AND (m."messageid" = $2 OR m.id = $2)`
const OF_GROUP = `${MESSAGE} AND m."fromMe" AND m."isGroup" ORDER BY m.position LIMIT 1`
const POLL = `${MESSAGE} AND m."messageType" = 'poll' AND m."quoted" = '' ORDER BY m.position LIMIT 1`
const ANY = `${MESSAGE} AND m."messageType" NOT IN ('reaction', 'note') ORDER BY m.position LIMIT 1`
/** Selects the other address of a person and their name. */
const NAMED = (person: string) => `
  LEFT JOIN LATERAL (
    SELECT m.pn AS jid FROM lid_mapping AS m WHERE m.instance_id = $1 AND m.lid = ${person}
    UNION ALL SELECT m.lid FROM lid_mapping AS m WHERE m.instance_id = $1 AND m.pn = ${person} LIMIT 1) AS other ON true
  LEFT JOIN LATERAL (
    SELECT * FROM contact AS c WHERE c.instance_id = $1 AND c.jid IN (${person}, other.jid)
    ORDER BY c."contact_name" = '' LIMIT 1) AS k ON true`
const NAMES = `other.jid AS other, COALESCE(NULLIF(k."contact_name", ''), k.push_name, '') AS name`
const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`

const GROUP = 'SELECT info FROM group_info WHERE instance_id = $1 AND jid = $2'
const COUNTS = `SELECT COALESCE(members, 0) AS members, delivered, "read", played FROM group_message WHERE instance_id = $1 AND id = $2`
// $2 record   $3 limit   $4 offset
const RECEIPTS = `
  SELECT r.person, ${NAMES}, ${milliseconds('r.delivered_at')} AS delivered, ${milliseconds('r.read_at')} AS "read",
    ${milliseconds('r.played_at')} AS played
  FROM (
    SELECT * FROM message_receipt WHERE instance_id = $1 AND id = $2
    ORDER BY read_at DESC NULLS LAST, delivered_at DESC, person LIMIT $3 OFFSET $4) AS r ${NAMED('r.person')}
  ORDER BY r.read_at DESC NULLS LAST, r.delivered_at DESC, r.person`
// A reaction comes after its message, so the search ends there. An empty one takes the former back.
// $2 chat   $3 id on the network   $4 record   $5 limit
const REACTIONS = `
  SELECT r.person, ${NAMES}, r."text" AS emoji, r."fromMe", r."messageid", r.at
  FROM (
    SELECT * FROM (
      SELECT DISTINCT ON (m."fromMe", COALESCE(NULLIF(m."sender_pn", ''), NULLIF(m."sender_lid", ''), m."sender"))
        COALESCE(NULLIF(m."sender_pn", ''), NULLIF(m."sender_lid", ''), m."sender") AS person,
        m."text", m."fromMe", m."messageid", COALESCE(m.shown_ms, m."messageTimestamp")::float8 AS at, m.position
      FROM message AS m
      WHERE m.instance_id = $1 AND m.chat_id = $2 AND m."messageType" = 'reaction' AND m."reaction" = $3
        AND m."status" NOT IN ('failed', 'canceled', 'deleted')
        AND m.position > (SELECT t.position FROM message AS t WHERE t.instance_id = $1 AND t.id = $4)
      ORDER BY m."fromMe", COALESCE(NULLIF(m."sender_pn", ''), NULLIF(m."sender_lid", ''), m."sender"), m.position DESC) AS newest
    WHERE "text" <> '' ORDER BY position DESC LIMIT $5) AS r ${NAMED('r.person')}
  ORDER BY r.position DESC`

interface MessageFacts {
  readonly id: string
  readonly messageid: string
  readonly chatid: string
  readonly chat_id: string
  readonly status: string
  readonly text: string
  readonly content: string
}

interface Person {
  readonly person: Jid
  readonly other: Jid | null
  readonly name: string
}

interface PollContent {
  readonly options?: readonly { readonly optionName?: string }[]
  readonly votes?: readonly { readonly option: string; readonly voters: readonly string[] }[]
}

export function messageReports(search: Search): Pick<MessageDirectory, 'receipts' | 'votes' | 'reactions'> {
  const messageNamed = async (statement: string, instance: InstanceId, id: string, otherwise: string) => {
    const [row] = await search<MessageFacts>(statement, [instance, id.slice(id.lastIndexOf(':') + 1)])
    if (row === undefined) throw new GatewayError('MESSAGE_NOT_FOUND', { message: otherwise })
    return row
  }
  /** Returns the other addresses of members, as the network gave them with the group. */
  const othersIn = async (instance: InstanceId, group: string): Promise<ReadonlyMap<Jid, Jid>> => {
    const [row] = await search<{ info: string }>(GROUP, [instance, group])
    const { participants } = JSON.parse(row?.info ?? '{"participants":[]}') as Pick<GroupInfo, 'participants'>
    return new Map(participants.flatMap(({ jid, other }) => (other === null ? [] : [[jid, other] as const])))
  }
  return {
    async receipts(instance, id, { limit, offset }) {
      const none = 'No message of this account to a group has that id.'
      const { id: record, messageid, chatid, status } = await messageNamed(OF_GROUP, instance, id, none)
      const [counts] = await search<Record<'members' | 'delivered' | 'read' | 'played', number>>(COUNTS, [
        instance,
        record,
      ])
      const rows = await search<Person & { delivered: number; read: number | null; played: number | null }>(RECEIPTS, [
        instance,
        record,
        limit,
        offset,
      ])
      const others = rows.some(({ other }) => other === null) ? await othersIn(instance, chatid) : new Map<Jid, Jid>()
      return {
        messageid,
        chatid,
        status,
        ...(counts ?? { members: 0, delivered: 0, read: 0, played: 0 }),
        people: rows.map(({ delivered, read, played, ...person }) => ({
          ...named({ ...person, other: person.other ?? others.get(person.person) ?? null }),
          deliveredMs: Math.round(delivered),
          readMs: read === null ? null : Math.round(read),
          playedMs: played === null ? null : Math.round(played),
        })),
      }
    },

    async votes(instance, id) {
      const none = 'No poll has that id.'
      const { messageid, chatid, text, content } = await messageNamed(POLL, instance, id, none)
      const { options = [], votes } = JSON.parse(content || '{}') as PollContent
      const counted = votes ?? options.map(({ optionName = '' }) => ({ option: optionName, voters: [] }))
      return {
        messageid,
        chatid,
        poll: text,
        voters: new Set(counted.flatMap(({ voters }) => voters)).size,
        options: counted.map(({ option, voters }) => ({
          option,
          votes: voters.length,
          voters: voters.slice(0, PEOPLE_MAX),
        })),
      }
    },

    async reactions(instance, id) {
      const none = 'No message has that id.'
      const { id: record, messageid, chatid, chat_id } = await messageNamed(ANY, instance, id, none)
      const values = [instance, chat_id, messageid, record, PEOPLE_MAX]
      const rows = await search<Person & { emoji: string; fromMe: boolean; messageid: string; at: number }>(
        REACTIONS,
        values,
      )
      return {
        messageid,
        chatid,
        reactions: rows.map(({ emoji, fromMe, messageid: own, at, ...person }) => ({
          ...named(person),
          emoji,
          fromMe,
          messageid: own,
          timestamp: at,
        })),
      }
    },
  }
}

function named({ person, other, name }: Person) {
  return { person: toChatAddress(person, other), name }
}
