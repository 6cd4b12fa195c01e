/** Finds the internal chat of each address in a batch: makes the missing ones, and makes one of two that are the same person. */
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../../lib/entries-max.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { type ChatAddress, isGroupJid, isLidJid, readUser } from '../../../schemas/jid.js'
import { bigintArray, textArray } from '../arrays.js'
import { type Cells, givenRows, prepareStatement } from '../given-rows.js'
import { type Committed, type InstanceFacts, joinKey } from './batch.js'
import type { Statements } from './connection.js'
import { MERGED_LEAD } from './lead-changes.js'

// Bound: 1,000, the chats of a person.

/**
 * Committed aliases and mappings that a node remembers: from instance, epoch and JID to the chat's id.
 * The epoch is part of the key: another owner may have merged chats meanwhile.
 */
export type AliasCache = LRUCache<string, number>

export function createAliasCache(max = 100_000): AliasCache {
  return new LRUCache(entriesMax(max))
}

// Each row is looked for by itself: joined, PostgreSQL would read tables of up to some thousand rows as a whole.
// $1 instances   $2 JIDs
const FIND = `
  SELECT u.instance_id, u.jid,
    (SELECT chat_id FROM chat_alias AS a WHERE a.instance_id = u.instance_id AND a.jid = u.jid) AS chat_id,
    COALESCE(
      (SELECT pn FROM lid_mapping AS m WHERE m.instance_id = u.instance_id AND m.lid = u.jid),
      (SELECT lid FROM lid_mapping AS m WHERE m.instance_id = u.instance_id AND m.pn = u.jid ORDER BY updated DESC LIMIT 1)
    ) AS partner
  FROM unnest($1::text[], $2::text[]) AS u(instance_id, jid)`
// A new chat starts with the names of its contact, or of its group when that is known, and blocked when they are.
const create = prepareStatement(
  givenRows({
    alias: 'u',
    columns: [
      ['instance_id', 'text'],
      // For callers.
      ['chatid', 'text'],
      ['lid', 'text'],
      ['phone', 'text'],
      ['is_group', 'bool'],
    ],
    place: 'ordinal',
  }),
  (source) => `
  INSERT INTO chat (instance_id, "wa_chatid", "wa_chatlid", "phone", "wa_isGroup", "wa_contactName", "wa_name", "name",
    "wa_username", "wa_isBlocked")
  SELECT u.instance_id, u.chatid, u.lid, u.phone, u.is_group, COALESCE(k."contact_name", ''), COALESCE(k.push_name, ''),
    COALESCE(NULLIF(k."contact_name", ''), NULLIF(k.push_name, ''), g.name, ''),
    COALESCE(k.username, ''),
    EXISTS (SELECT FROM blocked AS b WHERE b.instance_id = u.instance_id AND b.jid IN (u.chatid, u.lid))
  FROM ${source}
  LEFT JOIN contact AS k ON k.instance_id = u.instance_id AND k.jid = u.chatid
  LEFT JOIN group_info AS g ON u.is_group AND g.instance_id = u.instance_id AND g.jid = u.chatid
  ORDER BY u.ordinal
  RETURNING id, instance_id, "wa_chatid"`,
)
// $1 instances   $2 JIDs   $3 chats
const ADD_ALIASES = `
  INSERT INTO chat_alias (instance_id, jid, chat_id) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
  ON CONFLICT (instance_id, jid) DO UPDATE SET chat_id = EXCLUDED.chat_id`
// The number and the LID of a chat, learnt later.
// $1 instances   $2 chats   $3 numbers' JIDs, or null   $4 LIDs, or null
const ADD_ADDRESSES = `
  UPDATE chat AS c SET
    "wa_chatid" = COALESCE(u.pn, c."wa_chatid"),
    "wa_chatlid" = COALESCE(u.lid, c."wa_chatlid"),
    "phone" = COALESCE('+' || split_part(u.pn, '@', 1), c."phone"),
    "wa_common_groups" = CASE WHEN c."wa_isGroup" THEN c."wa_common_groups"
      ELSE common_groups(c.instance_id, COALESCE(u.pn, c."wa_chatid"), COALESCE(u.lid, c."wa_chatlid")) END,
    "wa_isBlocked" = c."wa_isBlocked"
      OR EXISTS (SELECT FROM blocked AS b WHERE b.instance_id = u.instance_id AND b.jid IN (u.pn, u.lid))
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS u(instance_id, id, pn, lid)
  WHERE c.instance_id = u.instance_id AND c.id = u.id`
const mappings = givenRows({
  alias: 'u',
  columns: [
    ['instance_id', 'text'],
    ['lid', 'text'],
    ['pn', 'text'],
  ],
})
const addMappings = prepareStatement(
  mappings,
  (source) => `
  INSERT INTO lid_mapping AS m (instance_id, lid, pn) SELECT * FROM ${source}
  ON CONFLICT (instance_id, lid) DO UPDATE SET pn = EXCLUDED.pn, updated = now() WHERE m.pn <> EXCLUDED.pn`,
)
// A contact known by its LID becomes the number's; what the number's row knows already wins.
const moveContacts = prepareStatement(
  mappings,
  (source) => `
  WITH moved AS (
    DELETE FROM contact AS k USING ${source}
    WHERE k.instance_id = u.instance_id AND k.jid = u.lid
    RETURNING k.instance_id, u.pn, u.lid, k."contact_name", k."contact_FirstName", k.push_name, k.username
  )
  INSERT INTO contact AS k (instance_id, jid, lid, "contact_name", "contact_FirstName", push_name, username)
  SELECT * FROM moved
  ON CONFLICT (instance_id, jid) DO UPDATE SET
    lid = EXCLUDED.lid,
    "contact_name" = COALESCE(NULLIF(k."contact_name", ''), EXCLUDED."contact_name"),
    "contact_FirstName" = COALESCE(NULLIF(k."contact_FirstName", ''), EXCLUDED."contact_FirstName"),
    push_name = COALESCE(NULLIF(k.push_name, ''), EXCLUDED.push_name),
    username = COALESCE(NULLIF(EXCLUDED.username, ''), k.username),
    updated = now()`,
)

/** The JIDs of one person or group in one instance. */
interface Party {
  readonly instance: InstanceId
  readonly jids: Set<Jid>
  /** Chats that are known under one of the JIDs. */
  readonly chats: Set<number>
  /** JIDs that have no alias yet. */
  readonly unknown: Set<Jid>
  wanted: boolean
  chatId: number | null
}

export class ChatResolver {
  readonly #cache: AliasCache
  readonly #facts: ReadonlyMap<string, InstanceFacts>
  readonly #parties = new Map<string, Party>()
  readonly #mappings = new Map<string, { instance: InstanceId; lid: Jid; pn: Jid }>()
  readonly #learnt: [key: string, value: number][] = []
  readonly merged: Committed['mergedLanes'][number][] = []
  readonly #dropped = new Map<number, InstanceId>()
  /** Chats that this batch made. */
  readonly created = new Set<number>()

  constructor(cache: AliasCache, facts: ReadonlyMap<string, InstanceFacts>) {
    this.#cache = cache
    this.#facts = facts
  }

  /** `create`: a chat is made when there is none. */
  want(instance: InstanceId, address: ChatAddress, create: boolean): void {
    const jids = listJids(address)
    const first = jids[0]
    if (first === undefined) throw new Error('An address names nobody.')
    let party = this.#party(instance, first)
    for (const jid of jids.slice(1)) party = this.#join(party, this.#party(instance, jid))
    party.wanted ||= create
    if (address.pn !== undefined && address.lid !== undefined) this.map(instance, address.lid, address.pn)
  }

  /** A LID and a number are one. */
  map(instance: InstanceId, lid: Jid, pn: Jid): void {
    this.#join(this.#party(instance, pn), this.#party(instance, lid))
    if (this.#cache.has(this.#mappingKey(instance, lid, pn))) return
    this.#mappings.set(joinKey(instance, lid), { instance, lid, pn })
  }

  /** The chat's id after `resolve`; null when there is none and none was to be made. */
  findChat(instance: InstanceId, address: ChatAddress): number | null {
    const jid = address.group ?? address.pn ?? address.lid
    return jid === undefined ? null : (this.#parties.get(joinKey(instance, jid))?.chatId ?? null)
  }

  async resolve(client: Statements): Promise<void> {
    await this.#find(client)
    const parties = [...new Set(this.#parties.values())]
    const sent: Promise<unknown>[] = []
    for (const party of parties) {
      const [into, ...others] = [...party.chats].sort((a, b) => a - b)
      party.chatId = into ?? null
      if (into === undefined) continue
      for (const from of others) {
        sent.push(...mergeChats(client, party.instance, from, into))
        this.merged.push({ instance: party.instance, from, into })
      }
    }
    // In order on one connection: a merge is done before what follows it.
    sent.push(...this.#sendMappings(client))
    const created = await this.#create(client, parties)
    sent.push(...this.#sendAliases(client, parties, created))
    await Promise.all(sent)
  }

  /** The chat is no more. */
  forget(instance: InstanceId, chatId: number): void {
    this.#dropped.set(chatId, instance)
  }

  /** To be called when the batch is durable. */
  remember(): void {
    // The chat that went may be known under further JIDs.
    for (const instance of [...this.merged.map((one) => one.instance), ...this.#dropped.values()]) {
      for (const key of this.#cache.keys()) if (key.startsWith(`${instance} `)) this.#cache.delete(key)
    }
    for (const [key, value] of this.#learnt) if (!this.#dropped.has(value)) this.#cache.set(key, value)
  }

  async #find(client: Statements): Promise<void> {
    const missing: { instance: InstanceId; jid: Jid; party: Party }[] = []
    for (const party of new Set(this.#parties.values())) {
      for (const jid of party.jids) {
        const chatId = this.#cache.get(this.#aliasKey(party.instance, jid))
        if (chatId !== undefined) party.chats.add(chatId)
        else missing.push({ instance: party.instance, jid, party })
      }
    }
    if (missing.length === 0) return
    const { rows } = await client.query<{
      instance_id: InstanceId
      jid: Jid
      chat_id: number | null
      partner: Jid | null
    }>(FIND, [textArray(missing.map((one) => one.instance)), textArray(missing.map((one) => one.jid))])
    for (const { instance_id, jid, chat_id, partner } of rows) {
      let party = this.#party(instance_id, jid)
      if (chat_id !== null) {
        party.chats.add(chat_id)
        this.#learnt.push([this.#aliasKey(instance_id, jid), chat_id])
      } else party.unknown.add(jid)
      if (partner !== null && chat_id === null && !party.jids.has(partner)) {
        const known = this.#parties.has(joinKey(instance_id, partner))
        party = this.#join(party, this.#party(instance_id, partner))
        // Had the partner a chat, this JID would be known too; so its alias is made with ours.
        if (!known) party.unknown.add(partner)
      }
    }
  }

  #sendMappings(client: Statements): Promise<unknown>[] {
    if (this.#mappings.size === 0) return []
    const all = [...this.#mappings.values()]
    const rows = all.map(({ instance, lid, pn }) => [instance, lid, pn])
    for (const { instance, lid, pn } of all) this.#learnt.push([this.#mappingKey(instance, lid, pn), 1])
    return [client.query(...addMappings(rows)), client.query(...moveContacts(rows))]
  }

  async #create(client: Statements, parties: readonly Party[]): Promise<ReadonlySet<Party>> {
    const made = parties.filter((party) => party.chatId === null && party.wanted)
    if (made.length === 0) return new Set()
    const names = made.map((party) => nameParty(party.jids))
    const cells = made.map(({ instance }, index): Cells => {
      const { chatid = '', lid, phone } = names[index] ?? {}
      return [instance, chatid, lid, phone, isGroupJid(chatid)]
    })
    const { rows } = await client.query<{ id: number; instance_id: string; wa_chatid: string }>(...create(cells))
    const ids = new Map(rows.map((row) => [joinKey(row.instance_id, row.wa_chatid), row.id]))
    for (const [index, party] of made.entries()) {
      const id = ids.get(joinKey(party.instance, names[index]?.chatid ?? ''))
      if (id === undefined) throw new Error('A chat was not made.')
      party.chatId = id
      this.created.add(id)
    }
    return new Set(made)
  }

  #sendAliases(client: Statements, parties: readonly Party[], created: ReadonlySet<Party>): Promise<unknown>[] {
    const aliases: { instance: InstanceId; jid: Jid; chatId: number }[] = []
    const grown: { instance: InstanceId; chatId: number; pn: Jid | null; lid: Jid | null }[] = []
    for (const party of parties) {
      const { chatId, instance } = party
      if (chatId === null) continue
      for (const jid of party.unknown) {
        aliases.push({ instance, jid, chatId })
        this.#learnt.push([this.#aliasKey(instance, jid), chatId])
      }
      if (party.chats.size > 1) for (const jid of party.jids) this.#learnt.push([this.#aliasKey(instance, jid), chatId])
      if (created.has(party)) continue
      const jids = [...(party.chats.size > 1 ? party.jids : party.unknown)]
      const pn = jids.find((jid) => jid.endsWith('@s.whatsapp.net')) ?? null
      const lid = jids.find(isLidJid) ?? null
      if (pn !== null || lid !== null) grown.push({ instance, chatId, pn, lid })
    }
    const sent: Promise<unknown>[] = []
    if (aliases.length > 0) {
      sent.push(
        client.query(ADD_ALIASES, [
          textArray(aliases.map((one) => one.instance)),
          textArray(aliases.map((one) => one.jid)),
          bigintArray(aliases.map((one) => one.chatId)),
        ]),
      )
    }
    if (grown.length > 0) {
      sent.push(
        client.query(ADD_ADDRESSES, [
          textArray(grown.map((one) => one.instance)),
          bigintArray(grown.map((one) => one.chatId)),
          textArray(grown.map((one) => one.pn)),
          textArray(grown.map((one) => one.lid)),
        ]),
      )
    }
    return sent
  }

  #party(instance: InstanceId, jid: Jid): Party {
    const key = joinKey(instance, jid)
    let party = this.#parties.get(key)
    if (party === undefined) {
      party = { instance, jids: new Set([jid]), chats: new Set(), unknown: new Set(), wanted: false, chatId: null }
      this.#parties.set(key, party)
    }
    return party
  }

  #join(one: Party, other: Party): Party {
    if (one === other) return one
    for (const jid of other.jids) {
      one.jids.add(jid)
      this.#parties.set(joinKey(one.instance, jid), one)
    }
    for (const chat of other.chats) one.chats.add(chat)
    for (const jid of other.unknown) one.unknown.add(jid)
    one.wanted ||= other.wanted
    return one
  }

  #aliasKey(instance: InstanceId, jid: Jid): string {
    return joinKey(instance, this.#facts.get(instance)?.epoch ?? 0, jid)
  }

  #mappingKey(instance: InstanceId, lid: Jid, pn: Jid): string {
    return joinKey(instance, this.#facts.get(instance)?.epoch ?? 0, lid, pn)
  }
}

function listJids({ pn, lid, group }: ChatAddress): Jid[] {
  return [group, pn, lid].filter((jid): jid is Jid => jid !== undefined)
}

function nameParty(jids: ReadonlySet<Jid>): { chatid: string; lid: string; phone: string } {
  const all = [...jids]
  const lid = all.find(isLidJid) ?? ''
  const pn = all.find((jid) => jid.endsWith('@s.whatsapp.net'))
  const chatid = pn ?? (lid === '' ? (all[0] ?? '') : lid)
  return { chatid, lid, phone: pn === undefined ? '' : `+${readUser(pn)}` }
}

// Two chats turn out to be one person: a LID's and its number's.

// Each: $1 instance   $2 the chat that goes   $3 the chat that stays
const STEPS = [
  // A message known under both addresses is one message. Its content counts more than its place without content.
  `DELETE FROM message AS kept USING message AS gone
   WHERE gone.instance_id = $1::text AND gone.chat_id = $2::bigint AND kept.instance_id = $1::text AND kept.chat_id = $3::bigint
     AND kept."messageid" = gone."messageid" AND kept."fromMe" = gone."fromMe"
     AND kept."messageType" = 'unreadable' AND kept.proto IS NULL AND gone.proto IS NOT NULL`,
  `DELETE FROM message AS gone USING message AS kept
   WHERE gone.instance_id = $1::text AND gone.chat_id = $2::bigint AND kept.instance_id = $1::text AND kept.chat_id = $3::bigint
     AND kept."messageid" = gone."messageid" AND kept."fromMe" = gone."fromMe"`,
  // The last message of both, before they are in one chat.
  `UPDATE chat AS kept SET "wa_lastMessageTextVote" = gone."wa_lastMessageTextVote", "wa_lastMessageType" = gone."wa_lastMessageType",
     "wa_lastMessageSender" = gone."wa_lastMessageSender"
   FROM chat AS gone, LATERAL (SELECT m."messageTimestamp" AS place, m.position FROM message AS m
     WHERE m.instance_id = $1::text AND m.chat_id = $2::bigint ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT 1) AS newest
   WHERE kept.instance_id = $1::text AND kept.id = $3::bigint AND gone.instance_id = $1::text AND gone.id = $2::bigint
     AND NOT EXISTS (SELECT FROM message AS later WHERE later.instance_id = $1::text AND later.chat_id = $3::bigint
       AND (later."messageTimestamp", later.position) > (newest.place, newest.position))`,
  // The turn of the chat that stays answers the messages of both.
  `WITH gone AS (
     UPDATE agent_turn AS g SET state = 'cancelled', reason = 'merged', ended = now(), updated = now()
     WHERE g.instance_id = $1::text AND g.chat_id = $2::bigint AND g.ended IS NULL AND EXISTS (SELECT FROM agent_turn AS k
       WHERE k.instance_id = $1::text AND k.chat_id = $3::bigint AND k.ended IS NULL)
     RETURNING g.*
   ), skipped AS (
     UPDATE agent_reply AS r SET state = 'skipped', updated = now() FROM gone
     WHERE r.instance_id = $1::text AND r.turn_id = gone.id AND r.state = 'planned'
   )
   UPDATE agent_turn AS k SET
     last_position = CASE WHEN k.state = 'waiting' THEN GREATEST(k.last_position, gone.last_position) ELSE k.last_position END,
     next_due = CASE WHEN k.state = 'waiting' THEN NULL ELSE COALESCE(k.next_due, now()) END,
     next_first_at = CASE WHEN k.state = 'waiting' THEN NULL ELSE COALESCE(k.next_first_at, now()) END,
     next_first = CASE WHEN k.state = 'waiting' THEN NULL ELSE LEAST(k.next_first, gone.first_position) END,
     next_last = CASE WHEN k.state = 'waiting' THEN NULL ELSE GREATEST(k.next_last, gone.last_position) END
   FROM gone WHERE k.instance_id = $1::text AND k.chat_id = $3::bigint AND k.ended IS NULL`,
  'UPDATE agent_turn SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  'UPDATE message SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  // By the primary key: a scan would read whatever waits for all instances.
  `UPDATE delivery SET lane = $3::bigint WHERE instance_id = $1::text AND lane = $2::bigint
     AND webhook_id = ANY(ARRAY(SELECT id FROM webhook WHERE instance_id = $1::text OR instance_id IS NULL))`,
  'UPDATE dead_letter SET lane = $3::bigint WHERE instance_id = $1::text AND lane = $2::bigint',
  // The conversation with the newest message goes on. The carrier merges the contacts and ends the other conversation.
  `UPDATE chatwoot_chat AS kept SET
     merge_contact = gone.contact_id,
     merge_conversation = CASE WHEN gone.newest_id > kept.newest_id THEN kept.conversation_id ELSE gone.conversation_id END,
     conversation_id = CASE WHEN gone.newest_id > kept.newest_id THEN gone.conversation_id ELSE kept.conversation_id END,
     seen_id = CASE WHEN gone.newest_id > kept.newest_id THEN gone.seen_id ELSE kept.seen_id END,
     newest_id = GREATEST(kept.newest_id, gone.newest_id),
     phone = COALESCE(NULLIF(kept.phone, ''), gone.phone)
   FROM chatwoot_chat AS gone
   WHERE kept.instance_id = $1::text AND kept.chat_id = $3::bigint AND gone.instance_id = $1::text AND gone.chat_id = $2::bigint`,
  `DELETE FROM chatwoot_chat AS gone WHERE gone.instance_id = $1::text AND gone.chat_id = $2::bigint
     AND EXISTS (SELECT FROM chatwoot_chat AS kept WHERE kept.instance_id = $1::text AND kept.chat_id = $3::bigint)`,
  'UPDATE chatwoot_chat SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  `UPDATE chat AS kept SET
     "name" = COALESCE(NULLIF(kept."name", ''), gone."name"),
     "image" = COALESCE(NULLIF(kept."image", ''), gone."image"),
     "imagePreview" = COALESCE(NULLIF(kept."imagePreview", ''), gone."imagePreview"),
     "wa_contactName" = COALESCE(NULLIF(kept."wa_contactName", ''), gone."wa_contactName"),
     "wa_name" = COALESCE(NULLIF(kept."wa_name", ''), gone."wa_name"),
     "wa_username" = COALESCE(NULLIF(kept."wa_username", ''), gone."wa_username"),
     "wa_ephemeralExpiration" = GREATEST(kept."wa_ephemeralExpiration", gone."wa_ephemeralExpiration"),
     "wa_archived" = kept."wa_archived" AND gone."wa_archived",
     "wa_isBlocked" = kept."wa_isBlocked" OR gone."wa_isBlocked",
     "wa_isPinned" = kept."wa_isPinned" OR gone."wa_isPinned",
     "wa_muteEndTime" = GREATEST(kept."wa_muteEndTime", gone."wa_muteEndTime"),
     "wa_notes" = CASE WHEN kept.wa_note_id = '' THEN gone."wa_notes" ELSE kept."wa_notes" END,
     wa_note_id = COALESCE(NULLIF(kept.wa_note_id, ''), gone.wa_note_id),
     "wa_label" = list_with(kept."wa_label", gone."wa_label", NULL),
     ${MERGED_LEAD},
     "wa_unreadCount" = GREATEST(kept."wa_unreadCount", 0) + GREATEST(gone."wa_unreadCount", 0),
     "wa_lastMsgTimestamp" = GREATEST(kept."wa_lastMsgTimestamp", gone."wa_lastMsgTimestamp"),
     told = CASE WHEN gone.told_pairing > kept.told_pairing THEN 0 ELSE kept.told END
       | CASE WHEN gone.told_pairing < kept.told_pairing THEN 0 ELSE gone.told END,
     told_pairing = GREATEST(kept.told_pairing, gone.told_pairing),
     updated = now()
   FROM chat AS gone
   WHERE kept.instance_id = $1::text AND kept.id = $3::bigint AND gone.instance_id = $1::text AND gone.id = $2::bigint`,
  `UPDATE chat_activity AS a SET "wa_lastMsgTimestamp" = kept."wa_lastMsgTimestamp", is_unread = kept."wa_unreadCount" <> 0
   FROM chat AS kept
   WHERE kept.instance_id = $1::text AND kept.id = $3::bigint AND $2::bigint <> $3::bigint
     AND a.instance_id = $1::text AND a.chat_id = $3::bigint`,
  'UPDATE chat_alias SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  'DELETE FROM chat WHERE instance_id = $1::text AND id = $2::bigint AND id <> $3::bigint',
]

/** Sends the steps; messages and waiting deliveries are re-pointed, unread counts added, the newest last message kept. */
function mergeChats(client: Statements, instance: InstanceId, from: number, into: number): Promise<unknown>[] {
  return STEPS.map((step) => client.query(step, [instance, from, into]))
}
