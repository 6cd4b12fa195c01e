import { CalendarClock, FileText, Mic, Paperclip, SendHorizontal, Smile } from 'lucide-react'
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Chat, Message, QuickReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { makeLate } from '../../components/late.js'
import { showUnseen } from '../../format/visible.js'
import { dropSend, type NewSend, type OutgoingSend } from '../../hooks/outbox.js'
import { type Mentionable, useQuickReplies } from '../../hooks/use-inbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { type Completion, Completions, useCompletions } from './completions.js'
import { CloseIcon, IconButton } from './icon-button.js'
import { findMessageBox } from './message-entries.js'
import { describeSender } from './names.js'
import { makeTextSend } from './text-send.js'
import styles from './writing.module.css'

const EmojiPicker = makeLate(async () => (await import('./emoji-picker.js')).EmojiPicker)
const VoiceBar = makeLate(async () => (await import('./voice-bar.js')).VoiceBar)
const ScheduleDialog = makeLate(async () => (await import('./schedule-dialog.js')).ScheduleDialog)

const ROWS_MAX = 7

interface MessageBoxProps {
  readonly chatId: string
  readonly chat: Chat | undefined
  readonly people: readonly Mentionable[]
  readonly replyTo: Message | null
  readonly onReplied: () => void
  /** Sends that the gateway refused. Their text returns to the box. */
  readonly failed: readonly OutgoingSend[]
  /** Stands before the box. */
  readonly more: ReactNode
  readonly onSend: (send: Omit<NewSend, 'instanceId' | 'chatId'>) => void
  readonly onFiles: (files: readonly File[]) => void
  /** Opens the composer with what it had. */
  readonly onMend: (send: OutgoingSend) => void
}

/** A text to send, with the message that it answers, its mentions and the file of a quick reply. */
export function MessageBox(props: MessageBoxProps) {
  const { chatId, replyTo, onReplied, failed, more, onSend, onFiles, onMend } = props
  const [open, setOpen] = useState<Open>(null)
  const writing = useWriting(props)
  const { box, attached, setAttached, isEmpty, send, written, finish } = writing
  if (open === 'voice')
    return (
      <VoiceBar
        chatId={chatId}
        replyTo={replyTo}
        onSend={(one) => {
          onSend(one)
          onReplied()
        }}
        onClose={() => {
          setOpen(null)
          requestAnimationFrame(() => findMessageBox()?.focus())
        }}
      />
    )
  return (
    <form
      className={styles.box}
      onSubmit={(event: FormEvent) => {
        // A dialog that stands in the form has a form of its own.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        send()
      }}
    >
      <Returned box={box} failed={failed} onMend={onMend} />
      {replyTo === null ? null : <Replying to={replyTo} onStop={onReplied} />}
      {attached === null ? null : <Attached reply={attached} onRemove={() => setAttached(null)} />}
      <div className={styles.writing}>
        <Tools open={open} onOpen={setOpen} onFiles={onFiles} />
        {more}
        <Field writing={writing} open={open} onOpen={setOpen} onFiles={onFiles} />
        <End isEmpty={isEmpty} canSchedule={!isEmpty && attached === null} onOpen={setOpen} />
      </div>
      {open === 'schedule' ? (
        <ScheduleDialog send={written()} onScheduled={finish} onClose={() => setOpen(null)} />
      ) : null}
    </form>
  )
}

type Open = 'emoji' | 'voice' | 'schedule' | null

/** What is written: the text, what it answers, and the keys of the box. */
function useWriting({ chatId, chat, people, replyTo, onReplied, failed, onSend }: MessageBoxProps) {
  const { data: quickReplies = NO_REPLIES } = useQuickReplies()
  const [attached, setAttached] = useState<QuickReply | null>(null)
  const box = useBox(failed)
  const { text, setText, area } = box
  const completions = useCompletions({ text, area, quickReplies, people, chat })
  const isEmpty = text.trim() === '' && attached === null
  const written = () => makeTextSend({ chatId, text, attached, replyTo, people })
  const finish = () => {
    setText('')
    setAttached(null)
    onReplied()
  }
  const send = () => {
    if (isEmpty) return
    if (box.refused !== undefined) dropSend(box.refused.key)
    onSend(written())
    finish()
  }
  const choose = (one: Completion) => {
    const { next, caret, reply } = one.apply()
    if (reply !== undefined && reply.type !== 'text') setAttached(reply)
    area.current?.focus()
    box.write(next, caret)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || completions.onKey(event, choose)) return
    if (event.key === 'Escape' && (replyTo !== null || attached !== null)) {
      // The key does no more than this.
      event.preventDefault()
      if (replyTo === null) setAttached(null)
      else onReplied()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return { box, completions, attached, setAttached, isEmpty, written, finish, send, choose, onKey }
}

interface OpenProps {
  readonly open: Open
  readonly onOpen: (open: Open) => void
  readonly onFiles: (files: readonly File[]) => void
}

/** What stands before the text: emoji and files. */
function Tools({ open, onOpen, onFiles }: OpenProps) {
  const inbox = useInboxWords()
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={inbox.emoji}
        hasPopup="dialog"
        isOpen={open === 'emoji'}
        onClick={() => onOpen(open === 'emoji' ? null : 'emoji')}
      >
        <Smile size={22} aria-hidden="true" />
      </IconButton>
      <IconButton label={inbox.attach} onClick={() => picker.current?.click()}>
        <Paperclip size={21} aria-hidden="true" />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-hidden="true"
        tabIndex={-1}
        data-attach=""
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

interface FieldProps extends OpenProps {
  readonly writing: ReturnType<typeof useWriting>
}

/** The text, with what completes it and the emoji over it. */
function Field({ writing: { box, completions, choose, onKey }, open, onOpen, onFiles }: FieldProps) {
  const said = useConversationWords()
  const id = useId()
  const { text, setText, area } = box
  const { title, offered, active } = completions
  return (
    <div className={styles.field}>
      {open === 'emoji' ? (
        <EmojiPicker
          onChoose={(emoji) => box.insert(emoji)}
          onClose={() => {
            onOpen(null)
            area.current?.focus()
          }}
        />
      ) : null}
      <Completions id={id} title={title} offered={offered} active={active} onChoose={choose} />
      <textarea
        ref={area}
        aria-label={said.write}
        placeholder={said.write}
        title={said.sendHelp}
        rows={1}
        maxLength={65_536}
        value={text}
        aria-autocomplete="list"
        aria-controls={offered.length === 0 ? undefined : id}
        aria-activedescendant={offered.length === 0 ? undefined : `${id}-${active}`}
        onChange={({ target }) => {
          setText(target.value)
          completions.onText(target.selectionStart)
        }}
        onKeyDown={(event) => {
          if (event.key === 'e' && event.ctrlKey) {
            event.preventDefault()
            onOpen('emoji')
          } else onKey(event)
        }}
        onBlur={completions.onBlur}
        onPaste={(event: ClipboardEvent) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0) return
          event.preventDefault()
          onFiles(files)
        }}
      />
    </div>
  )
}

interface EndProps {
  readonly isEmpty: boolean
  readonly canSchedule: boolean
  readonly onOpen: (open: Open) => void
}

/** What stands behind the text: send, now or later; a voice message while there is no text. */
function End({ isEmpty, canSchedule, onOpen }: EndProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  return (
    <>
      {canSchedule ? (
        <IconButton label={inbox.schedule} hasPopup="dialog" onClick={() => onOpen('schedule')}>
          <CalendarClock size={21} aria-hidden="true" />
        </IconButton>
      ) : null}
      {isEmpty ? (
        <IconButton label={inbox.recordVoice} onClick={() => onOpen('voice')}>
          <Mic size={22} aria-hidden="true" />
        </IconButton>
      ) : (
        <IconButton label={said.send} look="main" type="submit">
          <SendHorizontal size={20} aria-hidden="true" />
        </IconButton>
      )}
    </>
  )
}

const NO_REPLIES: readonly QuickReply[] = []

type Box = ReturnType<typeof useBox>

/** The text of the box, its height and its caret. The text of a refused send returns at once, unless another one is being written. */
function useBox(failed: readonly OutgoingSend[]) {
  const [text, setText] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)
  const refused = failed.find(({ written }) => written === undefined)
  const [returned, setReturned] = useState<string | null>(null)
  const putBack = () => {
    if (refused === undefined) return
    setReturned(refused.key)
    setText(refused.shown.text)
  }
  if (refused !== undefined && returned !== refused.key && text === '') putBack()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = 'auto'
    const line = Number.parseFloat(getComputedStyle(element).lineHeight) || 22
    element.style.height = `${Math.min(element.scrollHeight, line * ROWS_MAX + 18)}px`
  }, [text])
  /** Changes the text and puts the caret where it was asked for, before the next key arrives. */
  const write = (next: string, caret: number) => {
    flushSync(() => setText(next))
    area.current?.setSelectionRange(caret, caret)
  }
  return {
    text,
    setText,
    area,
    refused,
    /** Undefined: the text of the refused send is in the box already. */
    putBack: refused === undefined || returned === refused.key ? undefined : putBack,
    write,
    insert: (part: string) => {
      const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {}
      write(text.slice(0, selectionStart) + part + text.slice(selectionEnd), selectionStart + part.length)
    },
  }
}

interface ReturnedProps extends Pick<MessageBoxProps, 'failed' | 'onMend'> {
  readonly box: Box
}

/** Sends that were refused, and what can be done about each. */
function Returned({ box: { refused, putBack }, failed, onMend }: ReturnedProps) {
  const said = useConversationWords()
  const mendable = failed.find(({ written }) => written !== undefined)
  return (
    <>
      {refused === undefined ? null : <Refused send={refused} back={said.putBack} onBack={putBack} />}
      {mendable === undefined ? null : (
        <Refused send={mendable} back={said.openAgain} onBack={() => onMend(mendable)} />
      )}
    </>
  )
}

function Attached({ reply, onRemove }: { readonly reply: QuickReply; readonly onRemove: () => void }) {
  const inbox = useInboxWords()
  const said = useConversationWords()
  const name = reply.docName || said.kinds[reply.type] || reply.shortCut
  return (
    <div className={styles.replying}>
      <FileText size={22} aria-hidden="true" />
      <p>
        <bdi>{showUnseen(name.slice(0, 200))}</bdi>
      </p>
      <IconButton label={inbox.removeFile(name)} onClick={onRemove}>
        <CloseIcon size={18} />
      </IconButton>
    </div>
  )
}

function Replying({ to, onStop }: { readonly to: Message; readonly onStop: () => void }) {
  const said = useConversationWords()
  return (
    <div className={styles.replying}>
      <p>
        <strong>{said.replyTo(to.fromMe ? said.you : describeSender(to))}</strong>{' '}
        <bdi>{showUnseen((to.text || said.kinds[to.messageType] || '').slice(0, 200))}</bdi>
      </p>
      <IconButton label={said.stopReply} onClick={onStop}>
        <CloseIcon size={18} />
      </IconButton>
    </div>
  )
}

interface RefusedProps {
  readonly send: OutgoingSend
  readonly back: string
  /** Left out: what was refused is in the box already. */
  readonly onBack: (() => void) | undefined
}

function Refused({ send, back, onBack }: RefusedProps) {
  const said = useConversationWords()
  return (
    <div className={styles.refused} role="alert">
      <p>
        {said.notSent} <bdi>{showUnseen(send.problem?.message ?? '')}</bdi>
      </p>
      {onBack === undefined ? null : <Button onClick={onBack}>{back}</Button>}
      <Button onClick={() => dropSend(send.key)}>{said.discard}</Button>
    </div>
  )
}
