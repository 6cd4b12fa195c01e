/**
 * Placeholders of functions that the gateway fills. The model can neither see nor choose their values, so it cannot ask for the data of
 * another customer.
 */
import { customLeadFields } from '../lead-fields.js'

// Bound: 100, a number.

/** Facts that many customers lack: an empty one counts as absent. */
const NAMES = [
  'chat.name',
  'chat.lead_name',
  'chat.lead_fullName',
  'chat.lead_status',
  'chat.lead_notes',
  'instance.name',
] as const

/** Facts that say who the customer is. If one is empty, the function is not called: without it, an API may answer for all customers. */
const IDENTITIES = [
  'chat.id',
  'chat.phone',
  'chat.lead_personalid',
  'chat.lead_email',
  ...customLeadFields.map((field) => `chat.${field}`),
  'instance.id',
  'instance.phone',
]

const names: ReadonlySet<string> = new Set(NAMES)
const identities: ReadonlySet<string> = new Set(IDENTITIES)

export function reservedNames(): readonly string[] {
  return [...names, ...identities]
}

export function isReserved(placeholder: string): boolean {
  return names.has(placeholder) || identities.has(placeholder)
}

export function isIdentity(placeholder: string): boolean {
  return identities.has(placeholder)
}

/** Returns the values for a chat, by its record and that of its instance. Empty ones are left out. */
export function reservedValues(
  chat: Readonly<Record<string, unknown>>,
  instance: { readonly id: string; readonly name: string; readonly owner: string },
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const set = (placeholder: string, value: unknown) => {
    if (typeof value === 'string' && value.trim() !== '') values.set(placeholder, value.trim())
  }
  for (const placeholder of reservedNames())
    if (placeholder.startsWith('chat.lead_')) set(placeholder, chat[placeholder.slice('chat.'.length)])
  set('chat.id', chat.wa_chatid)
  set('chat.phone', toDigits(chat.phone))
  set('chat.name', chat.name || chat.wa_contactName || chat.wa_name)
  set('instance.id', instance.id)
  set('instance.name', instance.name)
  set('instance.phone', instance.owner)
  return values
}

/** The record has a `+` before the digits, which most APIs do not take. */
function toDigits(phone: unknown): string {
  return typeof phone === 'string' ? phone.replace(/\D/g, '') : ''
}
