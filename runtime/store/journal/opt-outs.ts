/** Suppresses people who have sent a word of opting out, in the transaction that stores their message. */
import type { Change } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { personAddresses } from '../../../schemas/jid.js'
import { OPT_OUT_DAYS, OPT_OUT_WORDS } from '../../../schemas/opt-out.js'
import { intArray, textArray } from '../arrays.js'
import { personAddressSql, spellingsSql } from '../suppressions.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'

type OptOutChange = Extract<Change, { type: 'optOut' }>

// A person has up to four addresses. The number counts, where it is known, in the spelling of such lists. The recipient of the last message of a campaign shows it. The words count for those who got a campaign lately, and an entry
// that has not ended stays as it is.
// $1 instances   $2 positions   $3 addresses   $4 messages as words are compared   $5 default words
const SUPPRESS = `
  WITH u AS (SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[]) AS u(instance_id, position, address, word)),
  people AS (
    SELECT * FROM u
    UNION SELECT u.instance_id, position, unnest(${spellingsSql('m.pn')}), word FROM u JOIN lid_mapping AS m
      ON m.instance_id = u.instance_id AND m.lid = u.address
    UNION SELECT u.instance_id, position, m.lid, word FROM u JOIN lid_mapping AS m
      ON m.instance_id = u.instance_id AND m.pn = u.address
  ), reached AS (
    SELECT instance_id, position, min(word) AS word,
      COALESCE(min(${personAddressSql('people.address')}) FILTER (WHERE people.address LIKE '%@s.whatsapp.net'), min(people.address)) AS address
    FROM people JOIN instance AS i ON i.id = people.instance_id GROUP BY instance_id, position
    HAVING bool_or(word = ANY(CASE WHEN opt_out_words = '' THEN $5::text[] ELSE string_to_array(opt_out_words, E'\\n') END))
      AND bool_or(EXISTS (SELECT FROM campaign_contact AS c WHERE c.instance_id = people.instance_id AND c.address = people.address
      AND c.last_at > now() - interval '${OPT_OUT_DAYS} days'))
      AND NOT bool_or(EXISTS (SELECT FROM suppression AS s WHERE s.instance_id = people.instance_id AND s.address = people.address
        AND s.until IS NULL))
  ), added AS (
    INSERT INTO suppression AS s (instance_id, address, reason, source)
    SELECT DISTINCT ON (instance_id, address) instance_id, address, word, 'opt_out' FROM reached ORDER BY instance_id, address, position
    ON CONFLICT (instance_id, address) DO UPDATE SET reason = EXCLUDED.reason, source = EXCLUDED.source,
      created = EXCLUDED.created, until = NULL
    WHERE s.until IS NOT NULL
    RETURNING instance_id, address
  ), left_by AS (
    SELECT DISTINCT c.instance_id, c.folder_id, c.ordinal FROM reached JOIN added USING (instance_id, address)
    JOIN people AS p USING (instance_id, position) JOIN campaign_contact AS c ON c.instance_id = p.instance_id AND c.address = p.address
    WHERE c.folder_id IS NOT NULL AND c.last_at > now() - interval '${OPT_OUT_DAYS} days'
  ), noted AS (
    UPDATE campaign_recipient AS r SET reason = 'opted_out', updated = now() FROM left_by AS l
    WHERE r.instance_id = l.instance_id AND r.folder_id = l.folder_id AND r.ordinal = l.ordinal AND r.status BETWEEN 1 AND 5
  )
  SELECT DISTINCT ON (instance_id, address) position, address FROM reached JOIN added USING (instance_id, address)
  ORDER BY instance_id, address, position`

export class JournalOptOuts {
  readonly #wanted: { readonly instance: InstanceId; readonly change: OptOutChange }[] = []
  readonly #suppressed = new Map<OptOutChange, string>()

  constructor(writes: readonly Write[]) {
    for (const { instance, changes } of writes)
      for (const change of changes) if (change.type === 'optOut') this.#wanted.push({ instance, change })
  }

  async apply(client: Statements): Promise<void> {
    if (this.#wanted.length === 0) return
    const spellings = this.#wanted.flatMap(({ instance, change: { chat, word } }, position) =>
      personAddresses(chat).map((address) => ({ instance, position, address, word })),
    )
    const { rows } = await client.query<{ position: number; address: string }>(SUPPRESS, [
      textArray(spellings.map(({ instance }) => instance)),
      intArray(spellings.map(({ position }) => position)),
      textArray(spellings.map(({ address }) => address)),
      textArray(spellings.map(({ word }) => word)),
      textArray(OPT_OUT_WORDS),
    ])
    for (const { position, address } of rows) {
      const wanted = this.#wanted[position]
      if (wanted !== undefined) this.#suppressed.set(wanted.change, address)
    }
  }

  /** Returns the address under which this change has suppressed the person; undefined if it has not. */
  suppressedBy(change: OptOutChange): string | undefined {
    return this.#suppressed.get(change)
  }
}
