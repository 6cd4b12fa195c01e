import { useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { buildShownCall, type ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { CallLines } from '../../components/call-lines.js'
import { Confirm } from '../../components/confirm.js'
import { Dialog } from '../../components/dialog.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { TextField } from '../../components/field.js'
import { makeLate } from '../../components/late.js'
import { ShowCurl } from '../../components/show-curl.js'
import { listEdits } from '../../hooks/message-window.js'
import type { useChangeMessage } from '../../hooks/use-conversation.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import styles from './conversation.module.css'
import { type Asked, isWaiting } from './message-entries.js'

const PinDialog = makeLate(async () => (await import('./pin-dialog.js')).PinDialog)
const Receipts = makeLate(async () => (await import('./receipts.js')).Receipts)
const MessageTrace = makeLate(async () => (await import('./message-trace.js')).MessageTrace)

interface MessageDialogProps {
  readonly what: Asked
  readonly message: Message
  readonly change: ReturnType<typeof useChangeMessage>
  readonly onClose: () => void
}

/** The dialog of an action on a message. */
export function MessageDialog({ what, message, change, onClose }: MessageDialogProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const [text, setText] = useState(listEdits(message).at(-1)?.text ?? message.text ?? '')
  const close = () => {
    change.reset()
    onClose()
  }
  const isBefore = isWaiting(message)
  if (what === 'delete')
    return (
      <Confirm
        isOpen
        onClose={close}
        title={isBefore ? said.cancelTitle : said.deleteTitle}
        action={isBefore ? said.cancelSend : said.delete}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate({ kind: 'delete', message }, { onSuccess: close })}
        call={buildShownCall('deleteMessage', { body: { id: message.id } })}
      >
        <p>{isBefore ? said.cancelHelp : said.deleteHelp}</p>
      </Confirm>
    )
  if (what === 'pin') return <PinDialog message={message} change={change} onClose={close} />
  if (what === 'trace') return <MessageTrace message={message} onClose={close} />
  if (what === 'curl' || what === 'receipts')
    return (
      <Dialog isOpen onClose={close} title={what === 'curl' ? said.asCurl : inbox.whoRead}>
        {what === 'curl' ? <CallLines call={buildCall(message)} /> : <Receipts message={message} />}
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={close} title={said.edit}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!change.isPending && text.trim() !== '')
            change.mutate({ kind: 'edit', message, text }, { onSuccess: close })
        }}
      >
        <TextField
          label={said.text}
          rows={4}
          maxLength={65_536}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {change.error === null ? null : <Failure error={change.error} />}
        <div className={dialog.actions}>
          <ShowCurl call={buildShownCall('editMessage', { body: { id: message.id, text } })} />
          <Button type="submit" look="main" isBusy={change.isPending}>
            {said.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The call that sends the same text again, or that reads another message. */
function buildCall({ fromMe, messageType, chatid, text = '', id }: Message): ShownCall {
  return fromMe && messageType === 'text'
    ? buildShownCall('sendText', { body: { number: chatid, text } })
    : buildShownCall('findMessages', { body: { id } })
}
