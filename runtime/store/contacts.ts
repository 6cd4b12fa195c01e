/** Contacts as the API lists them. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import type { ContactDirectory, ContactRecord, ContactScope, PersonAddresses } from '../../schemas/ports/chats.js'
import { searchedDigits } from '../../schemas/searched-numbers.js'
import { textArray, withoutNul } from './arrays.js'
import { containing } from './chat-search.js'
import { countLetters, mayContain } from './name-pairs.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

// Bound: 65,536, a filter of a request.

const COLUMNS = 'k.jid, k."contact_name", k."contact_FirstName", k.lid, k.push_name, k.username'
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

/**
 * One page, for an instance, a limit, and how many of the list are passed over before its first, or `isFromEnd` after it. These are passed
 * over in an index.
 */
export function pageOfContacts(scope: ContactScope, isFromEnd: boolean): string {
  const first = `SELECT k.jid FROM contact AS k WHERE k.instance_id = $1 AND ${IN_SCOPE[scope]}
      ORDER BY k.jid ${isFromEnd ? 'DESC' : 'ASC'} LIMIT 1 OFFSET $3`
  return `
    SELECT ${COLUMNS} FROM contact AS k
    WHERE k.instance_id = $1 AND ${IN_SCOPE[scope]} AND k.jid >= (${first}) ORDER BY k.jid LIMIT $2`
}

/**
 * Returns a statement whose only row has one page of the contacts that match, and how many match. It reads all contacts of the instance, or those
 * whose names may contain one of `names`, parameters with texts.
 * $1 instance   $2 limit   $3 offset   $4 pattern for names   $5 patterns for numbers   $6 pattern for usernames
 */
function pageOfFound(scope: ContactScope, names: readonly string[]): string {
  const candidates = names.length === 0 ? 'true' : `(${names.map((name) => mayContain('contact', name)).join(' OR ')})`
  return `
    WITH found AS MATERIALIZED (
      SELECT ${COLUMNS} FROM contact AS k
      WHERE k.instance_id = $1 AND ${IN_SCOPE[scope]} AND ${candidates} AND (
        k."contact_name" ILIKE $4 OR k."contact_FirstName" ILIKE $4 OR k.push_name ILIKE $4 OR k.username ILIKE $6
        OR split_part(k.jid, '@', 1) LIKE ANY($5::text[]) OR split_part(k.lid, '@', 1) LIKE ANY($5::text[]))
    )
    SELECT (SELECT count(*)::int FROM found) AS total,
      (SELECT COALESCE(json_agg(page ORDER BY page.jid), '[]') FROM (SELECT * FROM found ORDER BY jid LIMIT $2 OFFSET $3) AS page) AS contacts`
}

// A number may have had several LIDs; the newest counts.
// $2 JID
const MAPPING = `
  SELECT lid, pn FROM lid_mapping WHERE instance_id = $1 AND lid = $2
  UNION ALL (SELECT lid, pn FROM lid_mapping WHERE instance_id = $1 AND pn = $2 ORDER BY updated DESC LIMIT 1)`
// $2 the last LID before   $3 limit
const LIDS = 'SELECT lid, pn FROM lid_mapping WHERE instance_id = $1 AND lid > $2 ORDER BY lid LIMIT $3'
/** Maximum of rows in one read of a streamed list. */
const CHUNK = 2_000

export function createContacts(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): ContactDirectory {
  const search = createSearch(pool, searchTimeoutMs, { mayLag: true })
  return {
    async page(instance, { scope, search: text, country = '', limit, offset }) {
      const { rows } = await pool.query<{ book: number; total: number }>(COUNTS, [instance])
      const { book, total: all } = rows[0] ?? { book: 0, total: 0 }
      if (text !== '') {
        const name = withoutNul(text)
        const username = name.replace(/^@/, '')
        const digits = searchedDigits(text, country)
        const patterns = [containing(name), textArray(digits.map(containing)), containing(username)]
        const values = [instance, limit, offset, ...patterns]
        // Numbers have no pairs.
        const names = digits.length === 0 && countLetters(username) >= 2 ? [...new Set([name, username])] : []
        const parameters = names.map((one) => `$${values.push(one)}`)
        const statement = pageOfFound(scope, parameters)
        const [found] = await search<{ total: number; contacts: ContactRecord[] }>(statement, values)
        return { contacts: found?.contacts ?? [], inBook: book, total: found?.total ?? 0 }
      }
      const total = { all, address_book: book, outside_address_book: all - book }[scope]
      if (offset >= total) return { contacts: [], inBook: book, total }
      const isFromEnd = offset > total / 2
      const passedOver = isFromEnd ? total - 1 - offset : offset
      const page = await search<ContactRecord>(pageOfContacts(scope, isFromEnd), [instance, limit, passedOver])
      return { contacts: page, inBook: book, total }
    },

    async *all(instance: InstanceId, scope: ContactScope) {
      for (let after = ''; ; ) {
        const rows = await search<ContactRecord>(
          `SELECT ${COLUMNS} FROM contact AS k WHERE k.instance_id = $1 AND k.jid > $2 AND ${IN_SCOPE[scope]} ORDER BY k.jid LIMIT $3`,
          [instance, after, CHUNK],
        )
        if (rows.length > 0) yield rows
        if (rows.length < CHUNK) return
        after = rows.at(-1)?.jid ?? ''
      }
    },

    async mapping(instance, jid) {
      const [found] = await search<PersonAddresses>(MAPPING, [instance, jid])
      return found ?? null
    },

    async lids(instance, { limit, after }) {
      const people = await search<PersonAddresses>(LIDS, [instance, after, limit + 1])
      return { people: people.slice(0, limit), hasMore: people.length > limit }
    },
  }
}
