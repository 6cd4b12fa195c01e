/** The custom lead fields and the names that an instance gives them. */
import { GatewayError } from './errors.js'
import type { Jid } from './ids.js'
import { type ChatAddress, parseAddress } from './jid.js'

/** `lead_field01` to `lead_field20`. */
export const customLeadFields: readonly string[] = Array.from(
  { length: 20 },
  (_, index) => `lead_field${String(index + 1).padStart(2, '0')}`,
)

/** Chat fields that a text may name as they are called; the specification's list. */
export const placeholderFields: ReadonlySet<string> = new Set([
  'wa_name',
  'wa_contactName',
  'lead_name',
  'lead_fullName',
  'lead_personalid',
  'lead_email',
  'lead_status',
  'lead_notes',
  'lead_assignedAttendant_id',
  ...customLeadFields,
])

/** From field to name: `{ lead_field01: 'city' }`. Fields without a name are not in it. */
export type FieldsMap = Readonly<Record<string, string>>

/**
 * The names after a change; an empty one takes a field's name away, and what is not given stays.
 * @throws GatewayError INVALID_REQUEST: a placeholder of this name would mean something else
 */
export function changedFieldsMap(before: FieldsMap, set: FieldsMap): FieldsMap {
  const after: Record<string, string> = {}
  for (const field of customLeadFields) {
    const name = (set[field] ?? before[field] ?? '').trim()
    if (name === '' || name === field) continue
    if (name === 'name' || name === 'first_name' || placeholderFields.has(name))
      throw refused(field, `must not be ${name}: that is a placeholder already`)
    const other = Object.keys(after).find((one) => after[one] === name)
    // Told of the one that was asked for.
    if (other !== undefined)
      throw refused(field in set ? field : other, `has the name of ${field in set ? other : field}`)
    after[field] = name
  }
  return after
}

function refused(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} ${why}.`,
    details: [{ field, why }],
  })
}

/** How a caller names a chat whose lead is edited. */

interface LeadChats {
  /** Digits of the own number, as the short name tells it; null when it tells none. */
  readonly owner: string | null
  /** The short name does not say whether its digits are a number, a LID or a group: each is looked for, in this order. */
  readonly chats: readonly ChatAddress[]
}

/**
 * `wa_chatid`, or `wa_fastid`, which is `<owner>:<digits>`.
 * @throws GatewayError INVALID_NUMBER
 */
export function parseLeadId(id: string): LeadChats {
  // Bound: 1,048,576, a field of a request.
  const fast = /^(\d{5,15}):([\d-]{5,40})$/.exec(id.trim())
  if (fast === null) return { owner: null, chats: [parseAddress(id, 'id')] }
  const [, owner = '', user = ''] = fast
  return {
    owner,
    chats: [{ pn: `${user}@s.whatsapp.net` as Jid }, { lid: `${user}@lid` as Jid }, { group: `${user}@g.us` as Jid }],
  }
}
