import type { Chat } from '../../../../schemas/generated.js'
import { formatCsv } from '../../format/csv.js'
import type { LeadWords } from '../../words/leads/en.js'
import { describeLead, listNamedFields, readTags } from '../lead/lead-fields.js'

/** Returns leads as a table for spreadsheets. */
export function formatLeadCsv(
  leads: readonly Chat[],
  lead: LeadWords,
  fieldsMap: Readonly<Record<string, string>> | undefined,
): string {
  const own = listNamedFields(fieldsMap)
  const columns: readonly (readonly [string, (chat: Chat) => string])[] = [
    [lead.name, describeLead],
    [lead.phone, ({ phone = '' }) => phone],
    [lead.fullName, ({ lead_fullName = '' }) => lead_fullName],
    [lead.email, ({ lead_email = '' }) => lead_email],
    [lead.personalId, ({ lead_personalid = '' }) => lead_personalid],
    [lead.status, ({ lead_status = '' }) => lead_status],
    [lead.tags, (chat) => readTags(chat).join(', ')],
    [lead.notes, ({ lead_notes = '' }) => lead_notes],
    [lead.ticket, ({ lead_isTicketOpen }) => String(lead_isTicketOpen === true)],
    [lead.attendant, ({ lead_assignedAttendant_id = '' }) => lead_assignedAttendant_id],
    ...own.map(([field, name]) => [name, (chat: Chat) => String(chat[field as keyof Chat] ?? '')] as const),
  ]
  return formatCsv([columns.map(([head]) => head), ...leads.map((chat) => columns.map(([, of]) => of(chat)))])
}
