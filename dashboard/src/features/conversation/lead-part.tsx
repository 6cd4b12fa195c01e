import { useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { makeLate } from '../../components/late.js'
import { showUnseen } from '../../format/visible.js'
import { mayManageChats } from '../../hooks/rights.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { listNamedFields } from '../lead/lead-fields.js'
import styles from './conversation.module.css'
import { describeChat } from './names.js'
import { Part } from './part.js'

const LeadForm = makeLate(async () => (await import('../lead/lead-form.js')).LeadForm)

/** Shows the lead of a chat, and edits it where the token may. */
export function LeadPart({ chat }: { readonly chat: Chat }) {
  const said = useConversationWords()
  const { id, credential, told } = useThisInstance()
  const [isEdited, setEdited] = useState(false)
  const { fieldsMap } = told.instance
  const own = Object.entries(said.leadFields).map(([field, word]) => [field, word] as const)
  const known = [...own, ...listNamedFields(fieldsMap, chat)]
    .map(([field, word]) => [field, word, chat[field as keyof Chat]] as const)
    .filter(([, , value]) => value !== undefined && value !== '' && value !== null)
  const close = () => setEdited(false)
  return (
    <Part title={said.lead}>
      {chat.lead_isTicketOpen ? <p>{said.ticketOpen}</p> : null}
      {known.length === 0 ? <p className={styles.muted}>{said.noLead}</p> : null}
      <dl className={styles.facts}>
        {known.map(([field, word, value]) => (
          <div key={field}>
            <dt>
              <bdi>{showUnseen(word)}</bdi>
            </dt>
            <dd>
              <bdi>{showUnseen(String(value).slice(0, 2_000))}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {mayManageChats() ? (
        <div>
          <Button onClick={() => setEdited(true)}>{said.editLead}</Button>
        </div>
      ) : null}
      <Dialog isOpen={isEdited} onClose={close} title={said.leadOf(describeChat(chat))}>
        <LeadForm scope={{ id, credential }} chat={chat} fieldsMap={fieldsMap} onDone={close} onCancel={close} />
      </Dialog>
    </Part>
  )
}
