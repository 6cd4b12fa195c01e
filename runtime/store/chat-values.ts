/** Reads what chats hold for placeholders of campaigns. */
import type pg from 'pg'
import type { Jid } from '../../schemas/ids.js'
import { placeholderFields } from '../../schemas/lead-fields.js'
import type { PlaceholderValues } from '../../schemas/placeholders.js'
import type { ChatValuesOf } from '../../schemas/ports/chats.js'
import { textArray } from './arrays.js'
import { personAddressesSql, spellingsSql } from './suppressions.js'

/** `$1` instance   `$2` addresses   `$3` characters of each value */
function composeStatement(fields: readonly string[]): string {
  // The names go into the statement, so only known ones may.
  const columns = fields
    .filter((field) => placeholderFields.has(field))
    .map((field) => `left(c."${field}", $3) AS "${field}"`)
  return `
    SELECT ${['u.address', ...columns].join(', ')} FROM unnest($2::text[]) AS u(address)
    CROSS JOIN LATERAL (
      SELECT a.chat_id FROM chat_alias AS a
      WHERE a.instance_id = $1 AND a.jid = ANY(${spellingsSql('u.address')} || ${personAddressesSql('u.address')}) LIMIT 1) AS a
    JOIN chat AS c ON c.instance_id = $1 AND c.id = a.chat_id`
}

export function createChatValues(pool: pg.Pool): ChatValuesOf {
  return (instance) => ({
    async readValues(addresses, fields, lengthMax) {
      const values = [instance, textArray(addresses), lengthMax]
      const { rows } = await pool.query<PlaceholderValues & { address: Jid }>(composeStatement(fields), values)
      return new Map(rows.map(({ address, ...row }) => [address, row]))
    },
  })
}
