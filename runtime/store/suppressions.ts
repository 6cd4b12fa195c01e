/** People to whom campaigns send nothing. Any node edits the list: no actor has it in memory. */
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import { type ChatAddress, personAddress, personAddresses } from '../../schemas/jid.js'
import type { SuppressionRow, Suppressions } from '../../schemas/ports/records.js'
import { suppressionLimit } from '../../schemas/record-limits.js'
import { intArray, textArray } from './arrays.js'
import { runInTransaction, writeOnce } from './in-transaction.js'

/** The first half of the advisory locks of this list: 'supp' in ASCII. */
const ADD_LOCK = 0x73757070

const COLUMNS = 's.address, s.reason, s.source, s.created, s.until'
const IS_VALID = '(s.until IS NULL OR s.until > clock_timestamp())'

/** SQL that spells a number as lists of people have it, as `personAddress` does. */
export function personAddressSql(jid: string): string {
  return `CASE left(${jid}, 2)
    WHEN '55' THEN regexp_replace(${jid}, '^(55[1-9][0-9])([6-9][0-9]{7})@s', '\\19\\2@s')
    WHEN '52' THEN regexp_replace(${jid}, '^521([2-9][0-9]{9})@s', '52\\1@s')
    WHEN '54' THEN regexp_replace(${jid}, '^54([1-8][0-9]{9})@s', '549\\1@s') ELSE ${jid} END`
}

function otherSpellingSql(jid: string): string {
  return `CASE left(${jid}, 2)
    WHEN '55' THEN regexp_replace(${jid}, '^(55[1-9][0-9])9([6-9][0-9]{7})@s', '\\1\\2@s')
    WHEN '52' THEN regexp_replace(${jid}, '^52([2-9][0-9]{9})@s', '521\\1@s')
    WHEN '54' THEN regexp_replace(${jid}, '^549([1-8][0-9]{9})@s', '54\\1@s') ELSE ${jid} END`
}

/** SQL of an array with both spellings of a number that has two; of another address, that address twice. */
export function spellingsSql(jid: string): string {
  return `ARRAY[${personAddressSql(jid)}, ${otherSpellingSql(jid)}]`
}

/**
 * SQL of an array with the addresses under which lists of the instance `$1` may have the person of an address. Releases up to 0.4 stored
 * numbers of Mexico and Argentina as they were given, so that both spellings count.
 */
export function personAddressesSql(address: string): string {
  const both = spellingsSql(address)
  return `(${both}
    || ARRAY(SELECT unnest(${spellingsSql('m.pn')}) FROM lid_mapping AS m WHERE m.instance_id = $1 AND m.lid = ${address})
    || ARRAY(SELECT m.lid FROM lid_mapping AS m WHERE m.instance_id = $1 AND m.pn = ANY(${both})))`
}

/** SQL that tells whether campaigns of the instance `$1` send nothing to an address. */
export function isSuppressedSql(address: string): string {
  return `EXISTS (SELECT FROM suppression AS s WHERE s.instance_id = $1 AND ${IS_VALID} AND s.address = ANY(${personAddressesSql(address)}))`
}

// Every address under which the list may know the people. Those of a LID or a number follow from the known mappings.
// $1 instance   $2 position of the person (int[])   $3 spellings of their addresses (text[])
const PEOPLE = `
  asked AS (SELECT * FROM unnest($2::int[], $3::text[]) AS a(position, address)),
  people AS (
    SELECT position, address FROM asked
    UNION
    SELECT position, m.lid FROM asked JOIN lid_mapping AS m ON m.instance_id = $1 AND m.pn = asked.address
    UNION
    SELECT position, unnest(${spellingsSql('m.pn')}) FROM asked JOIN lid_mapping AS m ON m.instance_id = $1 AND m.lid = asked.address
  )`
const LIST = `
  SELECT ${COLUMNS} FROM suppression AS s WHERE s.instance_id = $1 AND s.address > $2 AND ${IS_VALID} ORDER BY s.address LIMIT $3`
const FIND = `
  WITH ${PEOPLE}
  SELECT DISTINCT ON (position) position, ${COLUMNS} FROM people JOIN suppression AS s ON s.instance_id = $1 AND s.address = people.address
  WHERE ${IS_VALID} ORDER BY position, s.created`
const REMOVE = `
  WITH ${PEOPLE}
  DELETE FROM suppression AS s WHERE s.instance_id = $1 AND s.address IN (SELECT address FROM people)`
const COUNT = `SELECT count(*)::int AS count FROM (SELECT FROM suppression WHERE instance_id = $1 LIMIT $2) AS kept`
// An entry that has ended is a new one. The row of the instance is held: one that is being deleted gets no more rows.
// $1 instance   $2 addresses (text[])   $3 reason   $4 until
const ADD = `
  WITH held AS (SELECT id FROM instance WHERE id = $1 FOR SHARE),
  people AS (
    SELECT DISTINCT COALESCE(${personAddressSql('m.pn')}, a.address) AS address
    FROM unnest($2::text[]) AS a(address) LEFT JOIN lid_mapping AS m ON m.instance_id = $1 AND m.lid = a.address
  ), added AS (
    INSERT INTO suppression AS s (instance_id, address, reason, source, until)
    SELECT held.id, people.address, $3, 'api', $4::timestamptz FROM held, people ORDER BY people.address
    ON CONFLICT (instance_id, address) DO UPDATE SET
      reason = CASE WHEN ${IS_VALID} THEN s.reason ELSE EXCLUDED.reason END,
      source = CASE WHEN ${IS_VALID} THEN s.source ELSE EXCLUDED.source END,
      created = CASE WHEN ${IS_VALID} THEN s.created ELSE EXCLUDED.created END,
      until = CASE WHEN s.until IS NULL OR EXCLUDED.until IS NULL THEN NULL ELSE GREATEST(s.until, EXCLUDED.until) END
    RETURNING s.created >= statement_timestamp() AS is_new
  )
  SELECT (SELECT count(*)::int FROM held) AS held, (SELECT count(*)::int FROM added WHERE is_new) AS added`

/** `countMax`: maximum of entries of an instance. */
export function createSuppressions(pool: pg.Pool, countMax = suppressionLimit.countMax): Suppressions {
  return {
    async list(instance, { after, limit }) {
      const { rows } = await pool.query<SuppressionRow>(LIST, [instance, after, limit + 1])
      return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
    },

    async add(instance, people, { reason, until }) {
      return await runInTransaction(instance, pool, async (client) => {
        // One at a time, so that many at once do not make too many.
        await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADD_LOCK, instance])
        const kept = await client.query<{ count: number }>(COUNT, [instance, countMax])
        if ((kept.rows[0]?.count ?? 0) + people.length > countMax) refuseMore(countMax)
        const addresses = textArray(people.map(personAddress))
        const values = [instance, addresses, reason.replaceAll('\0', ''), until]
        const { rows } = await client.query<{ held: number; added: number }>(ADD, values)
        if (rows[0]?.held !== 1) throw new GatewayError('INSTANCE_NOT_FOUND')
        return rows[0].added
      })
    },

    async remove(instance, people) {
      return (await writeOnce(pool, REMOVE, [instance, ...encodeSpellings(people)])).rowCount ?? 0
    },

    async find(instance, people) {
      type Found = SuppressionRow & { readonly position: number }
      const { rows } = await pool.query<Found>(FIND, [instance, ...encodeSpellings(people)])
      const found = new Map(rows.map(({ position, ...row }) => [position, row]))
      return people.map((_, position) => found.get(position) ?? null)
    },
  }
}

function refuseMore(countMax: number): never {
  throw new GatewayError('RECORD_LIMIT', {
    message: `The list would have more than ${countMax} suppressed people; remove some.`,
    details: [{ field: 'numbers', why: `would make more than ${countMax} suppressed people` }],
  })
}

/** Returns positions and addresses. A mapping may have the number in either spelling, and so may an entry. */
function encodeSpellings(people: readonly ChatAddress[]): [Buffer, Buffer] {
  const spellings = people.flatMap((person, position) =>
    personAddresses(person).map((address) => ({ position, address })),
  )
  return [intArray(spellings.map(({ position }) => position)), textArray(spellings.map(({ address }) => address))]
}
