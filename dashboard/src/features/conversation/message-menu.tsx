import { Menu } from '@base-ui/react/menu'
import { lazy, Suspense, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { type ShownCall, shownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { CallLines } from '../../components/call-lines.js'
import { Confirm } from '../../components/confirm.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { TextField } from '../../components/field.js'
import { editsOf } from '../../hooks/message-window.js'
import { useChangeMessage } from '../../hooks/use-conversation.js'
import { mayReadAll, maySend } from '../../hooks/use-instance.js'
import { useDownload } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import styles from './conversation.module.css'

const MessageTrace = lazy(async () => ({ default: (await import('./message-trace.js')).MessageTrace }))

const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
const WITH_FILE = new Set(['image', 'video', 'document', 'audio', 'sticker'])
const NOT_LEFT = new Set(['scheduled', 'queued'])
const ENDED = new Set(['failed', 'canceled', 'deleted'])

export interface MenuPlace {
  readonly message: Message
  readonly button: HTMLElement
}

interface MessageMenuProps {
  /** The message whose menu is open; null if none is. */
  readonly place: MenuPlace | null
  readonly onClose: () => void
  readonly onReply: (message: Message) => void
}

type Asked = 'edit' | 'delete' | 'curl' | 'trace'

/** The actions on a message. One menu serves all rows, so that a row is cheap to draw. */
export function MessageMenu({ place, onClose, onReply }: MessageMenuProps) {
  const said = useConversationWords()
  const download = useDownload()
  const change = useChangeMessage()
  const [asked, setAsked] = useState<{ readonly what: Asked; readonly message: Message } | null>(null)
  const [failed, setFailed] = useState<Error | null>(null)
  const message = place?.message
  const error = change.error ?? failed
  const run = (what: Parameters<typeof change.mutate>[0]) => change.mutate(what)
  return (
    <>
      <Menu.Root open={place !== null} onOpenChange={(next) => (next ? undefined : onClose())}>
        <Menu.Portal>
          <Menu.Positioner className={styles.menuPlace} anchor={place?.button ?? null} align="end" sideOffset={4}>
            <Menu.Popup className={styles.menu} finalFocus={() => place?.button ?? null}>
              {message === undefined ? null : (
                <Items
                  message={message}
                  onReply={() => onReply(message)}
                  onAsk={(what) => setAsked({ what, message })}
                  onReact={(emoji) => run({ kind: 'react', message, emoji })}
                  onRead={() => run({ kind: 'read', message })}
                  onDownload={() => {
                    setFailed(null)
                    download(message.id).catch((problem: unknown) => setFailed(problem as Error))
                  }}
                />
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {error === null || asked !== null ? null : (
        <div className={styles.refused}>
          <Failure error={error} />
          <Button
            onClick={() => {
              change.reset()
              setFailed(null)
            }}
          >
            {said.close}
          </Button>
        </div>
      )}
      {asked === null ? null : <Asked {...asked} change={change} onClose={() => setAsked(null)} />}
    </>
  )
}

interface ItemsProps {
  readonly message: Message
  readonly onReply: () => void
  readonly onAsk: (what: Asked) => void
  readonly onReact: (emoji: string) => void
  readonly onRead: () => void
  readonly onDownload: () => void
}

function Items({ message, onReply, onAsk, onReact, onRead, onDownload }: ItemsProps) {
  const said = useConversationWords()
  const { fromMe, messageType, status } = message
  const hasEnded = ENDED.has(status)
  const mayWrite = maySend() && !hasEnded
  const text = editsOf(message).at(-1)?.text ?? message.text ?? ''
  const item = (label: string, onClick: () => void) => (
    <Menu.Item className={styles.menuItem} onClick={onClick}>
      {label}
    </Menu.Item>
  )
  return (
    <>
      {mayWrite && !fromMe ? (
        <Menu.Group className={styles.emojis} aria-label={said.react}>
          {EMOJIS.map((emoji) => (
            <Menu.Item
              key={emoji}
              className={styles.menuItem}
              aria-label={`${said.react}: ${emoji}`}
              onClick={() => onReact(emoji)}
            >
              {emoji}
            </Menu.Item>
          ))}
        </Menu.Group>
      ) : null}
      {mayWrite && !fromMe ? item(said.takeBack, () => onReact('')) : null}
      {mayWrite ? item(said.reply, onReply) : null}
      {mayWrite && fromMe && messageType === 'text' && !NOT_LEFT.has(status)
        ? item(said.edit, () => onAsk('edit'))
        : null}
      {mayWrite && !fromMe && messageType !== 'unreadable' ? item(said.markRead, onRead) : null}
      {text === '' ? null : item(said.copyText, () => void navigator.clipboard?.writeText(text).catch(() => undefined))}
      {WITH_FILE.has(messageType) && status !== 'deleted' ? item(said.download, onDownload) : null}
      {message.ai_metadata?.agent_id && mayReadAll() ? item(said.trace, () => onAsk('trace')) : null}
      {item(said.asCurl, () => onAsk('curl'))}
      {mayWrite && fromMe ? item(NOT_LEFT.has(status) ? said.cancelSend : said.delete, () => onAsk('delete')) : null}
    </>
  )
}

interface AskedProps {
  readonly what: Asked
  readonly message: Message
  readonly change: ReturnType<typeof useChangeMessage>
  readonly onClose: () => void
}

function Asked({ what, message, change, onClose }: AskedProps) {
  const said = useConversationWords()
  const [text, setText] = useState(editsOf(message).at(-1)?.text ?? message.text ?? '')
  const close = () => {
    change.reset()
    onClose()
  }
  const isWaiting = NOT_LEFT.has(message.status)
  if (what === 'delete')
    return (
      <Confirm
        isOpen
        onClose={close}
        title={isWaiting ? said.cancelTitle : said.deleteTitle}
        action={isWaiting ? said.cancelSend : said.delete}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate({ kind: 'delete', message }, { onSuccess: close })}
      >
        <p>{isWaiting ? said.cancelHelp : said.deleteHelp}</p>
      </Confirm>
    )
  if (what === 'trace')
    return (
      <Suspense>
        <MessageTrace message={message} onClose={close} />
      </Suspense>
    )
  if (what === 'curl')
    return (
      <Dialog isOpen onClose={close} title={said.asCurl}>
        <CallLines call={callOf(message)} />
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
        <div>
          <Button type="submit" look="main" isBusy={change.isPending}>
            {said.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The call that sends the same text again, or that reads another message. */
function callOf({ fromMe, messageType, chatid, text = '', id }: Message): ShownCall {
  return fromMe && messageType === 'text'
    ? shownCall('sendText', { body: { number: chatid, text } })
    : shownCall('findMessages', { body: { id } })
}
