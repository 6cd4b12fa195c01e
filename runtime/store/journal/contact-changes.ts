/** The contact rows of a batch; only what really changed is written and announced. */
import type { ContactFields } from '../../../actors/instance/ports.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { chatIdOf } from '../../../schemas/jid.js'
import { textArray } from '../arrays.js'
import { keyOf } from './batch.js'
import type { Statements } from './connection.js'

// '' keeps what is known.
// $1 instances   $2 JIDs   $3 LIDs   $4 names in the address book   $5 first names   $6 own names
const UPSERT = `
  INSERT INTO contact AS k (instance_id, jid, lid, "contact_name", "contact_FirstName", push_name)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
  ON CONFLICT (instance_id, jid) DO UPDATE SET
    lid = COALESCE(NULLIF(EXCLUDED.lid, ''), k.lid),
    "contact_name" = COALESCE(NULLIF(EXCLUDED."contact_name", ''), k."contact_name"),
    "contact_FirstName" = COALESCE(NULLIF(EXCLUDED."contact_FirstName", ''), k."contact_FirstName"),
    push_name = COALESCE(NULLIF(EXCLUDED.push_name, ''), k.push_name),
    updated = now()
  WHERE EXCLUDED.lid NOT IN ('', k.lid) OR EXCLUDED."contact_name" NOT IN ('', k."contact_name")
    OR EXCLUDED."contact_FirstName" NOT IN ('', k."contact_FirstName") OR EXCLUDED.push_name NOT IN ('', k.push_name)
  RETURNING instance_id, jid, lid, "contact_name", "contact_FirstName", push_name`

export interface ContactRow {
  readonly instance_id: string
  readonly jid: string
  readonly lid: string
  readonly contact_name: string
  readonly contact_FirstName: string
  readonly push_name: string
}

export class ContactChanges {
  readonly #all = new Map<string, { instance: InstanceId; jid: Jid; contact: ContactFields }>()
  #changed: ReadonlyMap<string, ContactRow> = new Map()

  add(instance: InstanceId, contact: ContactFields): void {
    const jid = chatIdOf(contact.address)
    const key = keyOf(instance, jid)
    const known = this.#all.get(key)
    this.#all.set(key, { instance, jid, contact: { ...known?.contact, ...contact } })
  }

  async apply(client: Statements): Promise<void> {
    const all = [...this.#all.values()]
    if (all.length === 0) return
    const { rows } = await client.query<ContactRow>(UPSERT, [
      textArray(all.map((one) => one.instance)),
      textArray(all.map((one) => one.jid)),
      textArray(all.map(({ contact, jid }) => (contact.address.lid === jid ? '' : (contact.address.lid ?? '')))),
      textArray(all.map(({ contact }) => contact.contactName ?? '')),
      textArray(all.map(({ contact }) => contact.firstName ?? '')),
      textArray(all.map(({ contact }) => contact.pushName ?? '')),
    ])
    this.#changed = new Map(rows.map((row) => [keyOf(row.instance_id, row.jid), row]))
  }

  changedRow(instance: InstanceId, contact: ContactFields): ContactRow | undefined {
    return this.#changed.get(keyOf(instance, chatIdOf(contact.address)))
  }
}
