import { useState } from 'react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { useChats } from '../../hooks/use-chats.js'
import { useForward } from '../../hooks/use-inbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { Avatar } from './avatar.js'
import { TypedField } from './chat-filters.js'
import { describeChat } from './names.js'
import styles from './writing.module.css'

/** Chats to which messages are forwarded at once, at most. Many at once look like an abuse to WhatsApp. */
const CHATS_MAX = 5
const SHOWN_MAX = 50

interface ForwardDialogProps {
  readonly messages: readonly Message[]
  readonly onClose: () => void
  /** Called in the end if all were forwarded. */
  readonly onDone?: () => void
}

/** Asks to which chats messages are forwarded. */
export function ForwardDialog({ messages, onClose, onDone }: ForwardDialogProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chat>>(new Map())
  const { state } = useChats(search === '' ? {} : { search })
  const forward = useForward()
  const shown = (state?.chats ?? []).slice(0, SHOWN_MAX)
  const toggle = (chat: Chat, isOn: boolean) => {
    const next = new Map(chosen)
    if (isOn) next.set(chat.wa_chatid, chat)
    else next.delete(chat.wa_chatid)
    setChosen(next)
  }
  const submit = () => {
    if (chosen.size > 0 && !forward.isPending) forward.mutate({ messages, chats: [...chosen.keys()] })
  }
  const close = () => {
    onClose()
    if (forward.data === 0) onDone?.()
  }
  return (
    <Dialog isOpen onClose={close} title={inbox.forwardTitle(messages.length)}>
      {forward.isSuccess ? (
        <>
          <p role="status">{inbox.forwarded(chosen.size)}</p>
          {forward.data === 0 ? null : <p role="alert">{inbox.notForwarded(forward.data)}</p>}
          <div>
            <Button look="main" onClick={close}>
              {inbox.close}
            </Button>
          </div>
        </>
      ) : (
        <form
          className={layout.form}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <TypedField label={said.search} value={search} onTyped={setSearch} isFocused />
          <fieldset className={styles.targets} aria-label={inbox.forwardTo}>
            {shown.map((chat) => (
              <label key={chat.wa_chatid} className={styles.target}>
                <input
                  type="checkbox"
                  checked={chosen.has(chat.wa_chatid)}
                  disabled={chosen.size >= CHATS_MAX && !chosen.has(chat.wa_chatid)}
                  onChange={({ target }) => toggle(chat, target.checked)}
                />
                <Avatar
                  chatId={chat.wa_chatid}
                  name={describeChat(chat)}
                  isGroup={chat.wa_isGroup === true}
                  size={36}
                />
                <bdi>{describeChat(chat)}</bdi>
              </label>
            ))}
          </fieldset>
          <p role="status" className={layout.muted}>
            {chosen.size >= CHATS_MAX
              ? inbox.atMost(CHATS_MAX)
              : chosen.size === 0
                ? inbox.forwardTo
                : inbox.chosenChats(chosen.size)}
          </p>
          {forward.error === null ? null : <Failure error={forward.error} />}
          <div>
            <Button type="submit" look="main" isBusy={forward.isPending} disabled={chosen.size === 0}>
              {inbox.forward}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
