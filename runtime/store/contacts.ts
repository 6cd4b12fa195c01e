/** Contacts as the API lists them. */
import type pg from 'pg'
import type { ContactDirectory, ContactRecord, ContactScope } from '../../api/ports.js'
import type { InstanceId } from '../../schemas/ids.js'

const COLUMNS = 'k.jid, k."contact_name", k."contact_FirstName", k.lid, k.push_name'
// As the partial index of the address book says it.
const IN_BOOK = `(k."contact_name" <> '' OR k."contact_FirstName" <> '')`
const IN_SCOPE: Readonly<Record<ContactScope, string>> = {
  all: 'true',
  address_book: IN_BOOK,
  outside_address_book: `NOT ${IN_BOOK}`,
}
const COUNTS = `
  SELECT COALESCE(sum(contacts) FILTER (WHERE is_in_book), 0)::bigint AS book, COALESCE(sum(contacts), 0)::bigint AS total
  FROM contact_count WHERE instance_id = $1`

/** One page, for an instance, a limit and an offset. What is passed over is passed over in an index. */
export function pageOfContacts(scope: ContactScope): string {
  return `
    SELECT ${COLUMNS} FROM contact AS k
    WHERE k.instance_id = $1 AND ${IN_SCOPE[scope]} AND k.jid >= (
      SELECT k.jid FROM contact AS k WHERE k.instance_id = $1 AND ${IN_SCOPE[scope]} ORDER BY k.jid LIMIT 1 OFFSET $3
    )
    ORDER BY k.jid LIMIT $2`
}

/** Read at once of a list that is told as a whole. */
const CHUNK = 2_000

export function createContacts(pool: pg.Pool): ContactDirectory {
  return {
    async page(instance, { scope, limit, offset }) {
      const [contacts, counts] = await Promise.all([
        pool.query<ContactRecord>(pageOfContacts(scope), [instance, limit, offset]),
        pool.query<{ book: number; total: number }>(COUNTS, [instance]),
      ])
      const { book, total } = counts.rows[0] ?? { book: 0, total: 0 }
      return {
        contacts: contacts.rows,
        inBook: book,
        total: { all: total, address_book: book, outside_address_book: total - book }[scope],
      }
    },

    async *all(instance: InstanceId, scope: ContactScope) {
      for (let after = ''; ; ) {
        const { rows } = await pool.query<ContactRecord>(
          `SELECT ${COLUMNS} FROM contact AS k WHERE k.instance_id = $1 AND k.jid > $2 AND ${IN_SCOPE[scope]} ORDER BY k.jid LIMIT $3`,
          [instance, after, CHUNK],
        )
        if (rows.length > 0) yield rows
        if (rows.length < CHUNK) return
        after = rows.at(-1)?.jid ?? ''
      }
    },
  }
}
