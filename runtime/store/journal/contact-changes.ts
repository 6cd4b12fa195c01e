/** The contact rows of a batch; only what really changed is written and announced. */

import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { toChatId } from '../../../schemas/jid.js'
import type { ContactFields } from '../../../schemas/stored-fields.js'
import { boolArray, textArray } from '../arrays.js'
import { joinKey } from './batch.js'
import type { Statements } from './connection.js'

// Null keeps a name; '' removes a name of the address book. A contact without any name is not created.
// A name of the history does not replace one that changed since the pairing.
// $1 instances   $2 JIDs   $3 LIDs   $4 names in the address book   $5 first names   $6 own names   $7 of the history   $8 usernames, where '' removes one
const UPSERT = `
  INSERT INTO contact AS k (instance_id, jid, lid, "contact_name", "contact_FirstName", push_name, username)
  SELECT u.instance_id, u.jid, COALESCE(NULLIF(u.lid, ''), NULLIF(o.lid, ''),
      (SELECT m.lid FROM lid_mapping AS m WHERE m.instance_id = u.instance_id AND m.pn = u.jid ORDER BY m.updated DESC LIMIT 1), ''),
    COALESCE(CASE WHEN t.is_kept THEN o."contact_name" ELSE u.contact_name END, o."contact_name", ''),
    COALESCE(CASE WHEN t.is_kept THEN o."contact_FirstName" ELSE u.first_name END, o."contact_FirstName", ''), COALESCE(NULLIF(u.push_name, ''), o.push_name, ''),
    COALESCE(u.username, o.username, '')
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bool[], $8::text[])
    AS u(instance_id, jid, lid, contact_name, first_name, push_name, is_history, username)
  JOIN instance AS i ON i.id = u.instance_id
  LEFT JOIN contact AS o ON o.instance_id = u.instance_id AND o.jid = u.jid
  CROSS JOIN LATERAL (SELECT u.is_history AND o.told_pairing IS NOT DISTINCT FROM i.pairing AS is_kept) AS t
  WHERE o.jid IS NOT NULL OR COALESCE(u.contact_name, '') <> '' OR COALESCE(u.push_name, '') <> '' OR COALESCE(u.username, '') <> ''
  ON CONFLICT (instance_id, jid) DO UPDATE SET
    lid = EXCLUDED.lid,
    "contact_name" = EXCLUDED."contact_name",
    "contact_FirstName" = EXCLUDED."contact_FirstName",
    push_name = EXCLUDED.push_name,
    username = EXCLUDED.username,
    updated = now()
  WHERE (EXCLUDED.lid, EXCLUDED."contact_name", EXCLUDED."contact_FirstName", EXCLUDED.push_name, EXCLUDED.username)
    IS DISTINCT FROM (k.lid, k."contact_name", k."contact_FirstName", k.push_name, k.username)
  RETURNING instance_id, jid, lid, "contact_name", "contact_FirstName", push_name, username`
// A statement of its own, so that a repeated name is no change.
// $1 instances   $2 JIDs
const NOTE_TOLD = `
  UPDATE contact AS k SET told_pairing = i.pairing
  FROM unnest($1::text[], $2::text[]) AS u(instance_id, jid) JOIN instance AS i ON i.id = u.instance_id
  WHERE k.instance_id = u.instance_id AND k.jid = u.jid AND k.told_pairing IS DISTINCT FROM i.pairing`
// $1 instances   $2 LIDs
const FIND_NUMBERS = `
  SELECT m.instance_id, m.lid, m.pn FROM unnest($1::text[], $2::text[]) AS u(instance_id, lid)
  JOIN lid_mapping AS m ON m.instance_id = u.instance_id AND m.lid = u.lid`

export interface ContactRow {
  readonly instance_id: string
  readonly jid: string
  readonly lid: string
  readonly contact_name: string
  readonly contact_FirstName: string
  readonly push_name: string
  readonly username: string
}

interface Known {
  readonly instance: InstanceId
  readonly contact: ContactFields
  readonly isHistory: boolean
}

export class ContactChanges {
  readonly #all = new Map<string, Known>()
  readonly #numbers = new Map<string, Jid>()
  #changed: ReadonlyMap<string, ContactRow> = new Map()

  add(instance: InstanceId, contact: ContactFields, isHistory = false): void {
    const key = joinKey(instance, toChatId(contact.address))
    this.#all.set(key, merged(this.#all.get(key), { instance, contact, isHistory }))
  }

  /** Runs after the mappings of the batch are written, so that a contact with a LID finds the contact of its number. */
  async apply(client: Statements): Promise<void> {
    if (this.#all.size === 0) return
    await this.#findNumbers(client)
    const byJid = new Map<string, Known & { readonly jid: Jid }>()
    for (const known of this.#all.values()) {
      const jid = this.#chooseJid(known.instance, known.contact)
      const key = joinKey(known.instance, jid)
      byJid.set(key, { ...merged(byJid.get(key), known), jid })
    }
    const all = [...byJid.values()]
    const { rows } = await client.query<ContactRow>(UPSERT, [
      textArray(all.map((one) => one.instance)),
      textArray(all.map((one) => one.jid)),
      textArray(all.map(({ contact, jid }) => (contact.address.lid === jid ? '' : (contact.address.lid ?? '')))),
      textArray(all.map(({ contact }) => contact.contactName)),
      textArray(all.map(({ contact }) => contact.firstName)),
      textArray(all.map(({ contact }) => contact.pushName)),
      boolArray(all.map(({ isHistory }) => isHistory)),
      textArray(all.map(({ contact }) => contact.username)),
    ])
    const told = all.filter(({ contact, isHistory }) => !isHistory && contact.contactName !== undefined)
    if (told.length > 0)
      await client.query(NOTE_TOLD, [
        textArray(told.map(({ instance }) => instance)),
        textArray(told.map(({ jid }) => jid)),
      ])
    this.#changed = new Map(rows.map((row) => [joinKey(row.instance_id, row.jid), row]))
  }

  changedRow(instance: InstanceId, contact: ContactFields): ContactRow | undefined {
    return this.#changed.get(joinKey(instance, this.#chooseJid(instance, contact)))
  }

  async #findNumbers(client: Statements): Promise<void> {
    const unknown = [...this.#all.values()].filter(({ contact }) => contact.address.pn === undefined)
    if (unknown.length === 0) return
    const { rows } = await client.query<{ instance_id: string; lid: string; pn: Jid }>(FIND_NUMBERS, [
      textArray(unknown.map((one) => one.instance)),
      textArray(unknown.map(({ contact }) => contact.address.lid)),
    ])
    for (const { instance_id, lid, pn } of rows) this.#numbers.set(joinKey(instance_id, lid), pn)
  }

  #chooseJid(instance: InstanceId, { address }: ContactFields): Jid {
    const { lid, pn } = address
    return (pn === undefined && lid !== undefined ? this.#numbers.get(joinKey(instance, lid)) : pn) ?? toChatId(address)
  }
}

/** Merges two contacts. The later one counts, and a change counts before the history. */
function merged(known: Known | undefined, one: Known): Known {
  if (known === undefined) return one
  const [under, over] = one.isHistory && !known.isHistory ? [one, known] : [known, one]
  const address = { ...known.contact.address, ...one.contact.address }
  const isHistory = known.isHistory && one.isHistory
  return { instance: one.instance, contact: { ...under.contact, ...over.contact, address }, isHistory }
}
