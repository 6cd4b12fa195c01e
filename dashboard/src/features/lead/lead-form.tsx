import type { Chat, EditLeadRequest } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useLeadWords } from '../../words/leads/index.js'
import type { FieldSpec } from '../records/field-spec.js'
import { RecordForm } from '../records/record-form.js'
import { listNamedFields, readTags } from './lead-fields.js'

interface LeadFormProps {
  readonly scope: Scope
  readonly chat: Chat
  /** Names of the own fields, from the record of the instance. */
  readonly fieldsMap: Readonly<Record<string, string>> | undefined
  /** Called with the chat after the change. */
  readonly onDone: (chat: Chat) => void
  readonly onCancel?: () => void
}

/** Edits the lead of a chat. Only people whose token may do so should see it. */
export function LeadForm({ scope, chat, fieldsMap, onDone, onCancel }: LeadFormProps) {
  const lead = useLeadWords()
  const edit = useWrite(scope, 'editLead', ['findChats', 'tellChatDetails'])
  const specs: readonly FieldSpec[] = [
    { name: 'lead_name', label: lead.name, kind: 'text', maxLength: 255 },
    { name: 'lead_fullName', label: lead.fullName, kind: 'text', maxLength: 255 },
    { name: 'lead_email', label: lead.email, kind: 'text', maxLength: 255 },
    { name: 'lead_personalid', label: lead.personalId, kind: 'text', maxLength: 255 },
    { name: 'lead_status', label: lead.status, kind: 'text', maxLength: 255 },
    { name: 'lead_tags', label: lead.tags, kind: 'text', help: lead.tagsHelp },
    { name: 'lead_notes', label: lead.notes, kind: 'long' },
    { name: 'lead_isTicketOpen', label: lead.ticket, kind: 'check' },
    { name: 'lead_assignedAttendant_id', label: lead.attendant, kind: 'text', maxLength: 255 },
    ...listNamedFields(fieldsMap, chat).map(([name, label]): FieldSpec => ({ name, label, kind: 'text' })),
  ]
  return (
    <RecordForm
      specs={specs}
      initial={{ ...chat, lead_tags: readTags(chat).join(', ') }}
      submit={lead.save}
      isBusy={edit.isPending}
      error={edit.error}
      onSubmit={(changed) => edit.mutate({ body: makeBody(chat, changed) }, { onSuccess: onDone })}
      createCall={(changed) => buildShownCall('editLead', { body: makeBody(chat, changed) })}
      {...(onCancel === undefined ? {} : { onCancel })}
    />
  )
}

function makeBody({ wa_chatid }: Chat, { lead_tags, ...changed }: Record<string, unknown>): EditLeadRequest {
  return { id: wa_chatid, ...changed, ...(typeof lead_tags === 'string' ? { lead_tags: readTags({ lead_tags }) } : {}) }
}
