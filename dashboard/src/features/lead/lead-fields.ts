/** Fields of a lead, and their names. */
import type { Chat } from '../../../../schemas/generated.js'

const ownFields = Array.from({ length: 20 }, (_, index) => `lead_field${String(index + 1).padStart(2, '0')}`)
export type LeadField = keyof Chat

/** Returns the own fields that have a name, as the instance named them, and those that have a value. */
export function listNamedFields(
  fieldsMap: Readonly<Record<string, string>> | undefined,
  chat?: Chat,
): readonly (readonly [field: string, name: string])[] {
  return ownFields.flatMap((field) => {
    const name = fieldsMap?.[field] ?? ''
    const value = chat?.[field as LeadField]
    return name === '' && (value === undefined || value === '') ? [] : [[field, name === '' ? field : name] as const]
  })
}

/** Tags are one text in records, joined by commas. */
export function readTags({ lead_tags = '' }: Pick<Chat, 'lead_tags'>): string[] {
  const tags = Array.isArray(lead_tags) ? lead_tags : lead_tags.split(',')
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
}

export function describeLead({
  lead_name,
  lead_fullName,
  name,
  wa_contactName,
  wa_name,
  wa_username,
  phone,
  wa_chatid,
}: Chat): string {
  return (
    lead_name ||
    lead_fullName ||
    name ||
    wa_contactName ||
    wa_name ||
    phone ||
    (wa_username ? `@${wa_username}` : wa_chatid)
  )
}
