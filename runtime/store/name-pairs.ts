/** Names by the keys of their pairs of letters (0147_name_pairs.sql), for searches that trigrams do not serve. */

/** Fields of a chat whose pairs are in its index. */
export const PAIRED_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'wa_name',
  'wa_contactName',
  'lead_name',
  'lead_fullName',
])

// As the indices say them: another expression would be computed for each row.
const CHAT_NAMES = `c."name" || E'\\n' || COALESCE(NULLIF(c."wa_name", c."name"), '') || E'\\n' || COALESCE(NULLIF(c."wa_contactName", c."name"), '')
  || E'\\n' || COALESCE(NULLIF(c."lead_name", c."name"), '') || E'\\n' || COALESCE(NULLIF(c."lead_fullName", c."name"), '')`
const CONTACT_NAMES = `k."contact_name" || E'\\n'
  || CASE WHEN starts_with(k."contact_name", k."contact_FirstName") THEN '' ELSE k."contact_FirstName" END
  || E'\\n' || COALESCE(NULLIF(k.push_name, k."contact_name"), '') || E'\\n' || k.username`

const KEYS = {
  chat: `text_pairs(c.instance_id, ${CHAT_NAMES})`,
  contact: `text_pairs(k.instance_id, ${CONTACT_NAMES})`,
} as const

/**
 * Returns a condition that holds for each row, `c` of chats or `k` of contacts, one of whose names contains the text, and for some others. `text`: its
 * parameter; the text has two letters or more.
 */
export function mayContain(table: keyof typeof KEYS, text: string): string {
  const keys = KEYS[table]
  return `(${keys} @> text_pairs($1, ${text}) OR ${keys} @> ARRAY[hashtext($1)])`
}

/** Returns the number of letters as PostgreSQL counts them. */
export function countLetters(text: string): number {
  return [...text].length
}
