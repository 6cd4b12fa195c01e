import { Copy, Download, Forward, Star, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Confirm } from '../../components/confirm.js'
import { makeLate } from '../../components/late.js'
import { listEdits } from '../../hooks/message-window.js'
import { mayManageChats } from '../../hooks/rights.js'
import { type MessageChange, useChangeMessage } from '../../hooks/use-conversation.js'
import { mayReadAll } from '../../hooks/use-instance.js'
import { useDownload } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { CloseIcon, IconButton } from './icon-button.js'
import { describeSender } from './names.js'
import styles from './writing.module.css'

const ForwardDialog = makeLate(async () => (await import('./forward-dialog.js')).ForwardDialog)

const WITH_FILE = new Set(['image', 'video', 'document', 'audio', 'sticker'])
const GONE = new Set(['deleted', 'failed', 'canceled'])

interface SelectionBarProps {
  readonly messages: readonly Message[]
  readonly onDone: () => void
}

/** What can be done with the selected messages, in the place of the box. */
export function SelectionBar({ messages, onDone }: SelectionBarProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const download = useDownload()
  const { run, failed } = useRunAll(onDone)
  const [asked, setAsked] = useState<'forward' | 'delete' | null>(null)
  useEscape(onDone)
  const own = messages.filter(({ fromMe, status }) => fromMe && !GONE.has(status))
  const files = messages.filter(({ messageType, status }) => WITH_FILE.has(messageType) && !GONE.has(status))
  const isStarred = messages.every(({ starred }) => starred === true)
  const copy = async () => {
    await navigator.clipboard
      ?.writeText(messages.map((one) => formatLine(one, said.you)).join('\n'))
      .catch(() => undefined)
    onDone()
  }
  return (
    <div className={styles.selection} role="toolbar" aria-label={inbox.select}>
      <IconButton label={inbox.cancel} onClick={onDone}>
        <CloseIcon size={22} />
      </IconButton>
      <p role="status">
        {inbox.selected(messages.length)} {failed === 0 ? '' : inbox.failedSome(failed)}
      </p>
      {mayManageChats() ? (
        <IconButton
          label={isStarred ? inbox.unstar : inbox.star}
          onClick={() => void run(messages.map((message) => ({ kind: 'star', message, on: !isStarred })))}
        >
          <Star size={20} aria-hidden="true" />
        </IconButton>
      ) : null}
      <IconButton label={inbox.copy} onClick={() => void copy()}>
        <Copy size={20} aria-hidden="true" />
      </IconButton>
      {files.length === 0 ? null : (
        <IconButton
          label={said.download}
          onClick={() =>
            void (async () => {
              for (const { id } of files) await download(id).catch(() => undefined)
              onDone()
            })()
          }
        >
          <Download size={20} aria-hidden="true" />
        </IconButton>
      )}
      {own.length === 0 ? null : (
        <IconButton label={inbox.deleteOwn} look="danger" hasPopup="dialog" onClick={() => setAsked('delete')}>
          <Trash2 size={20} aria-hidden="true" />
        </IconButton>
      )}
      {mayReadAll() ? (
        <IconButton label={inbox.forward} hasPopup="dialog" onClick={() => setAsked('forward')}>
          <Forward size={22} aria-hidden="true" />
        </IconButton>
      ) : null}
      {asked === 'forward' ? (
        <ForwardDialog messages={messages} onClose={() => setAsked(null)} onDone={onDone} />
      ) : null}
      <Confirm
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={inbox.deleteTitle(own.length)}
        action={inbox.deleteOwn}
        isBusy={false}
        error={null}
        onConfirm={() => {
          setAsked(null)
          void run(own.map((message) => ({ kind: 'delete', message })))
        }}
        call={buildShownCall('deleteMessage', { body: { id: own[0]?.id ?? '' } })}
      >
        <p>{inbox.deleteHelp}</p>
      </Confirm>
    </div>
  )
}

/** Ends the selection by Escape, before the inbox moves the focus to its list. A dialog keeps the key. */
function useEscape(end: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog], [role=menu]') !== null
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || isInDialog) return
      event.preventDefault()
      end()
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [end])
}

/** Makes several changes, each in turn. Ends the selection when all were made. */
function useRunAll(onDone: () => void) {
  const change = useChangeMessage()
  const [failed, setFailed] = useState(0)
  const run = async (changes: readonly MessageChange[]) => {
    let lost = 0
    for (const one of changes)
      await change.mutateAsync(one).catch(() => {
        lost += 1
      })
    setFailed(lost)
    if (lost === 0) onDone()
  }
  return { run, failed }
}

function formatLine(message: Message, you: string): string {
  const text = listEdits(message).at(-1)?.text ?? message.text ?? ''
  return `[${new Date(message.messageTimestamp).toLocaleString()}] ${message.fromMe ? you : describeSender(message)}: ${text}`
}
