import { useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { makeLate } from '../../components/late.js'
import { Menu } from '../../components/menu.js'
import { useChangeMessage } from '../../hooks/use-conversation.js'
import { useDownload } from '../../hooks/use-media.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { usePinWords } from '../../words/pins.js'
import styles from './conversation.module.css'
import { type Asked, listMessageEntries } from './message-entries.js'
import { describeSender } from './names.js'

const MessageDialog = makeLate(async () => (await import('./message-dialog.js')).MessageDialog, { isAhead: true })

export interface MenuPlace {
  readonly message: Message
  readonly button: HTMLElement
}

interface MessageMenuProps {
  /** The message whose menu is open; null if none is. */
  readonly place: MenuPlace | null
  readonly onClose: () => void
  readonly onReply: (message: Message) => void
  readonly onForward: (message: Message) => void
  readonly onSelect: (message: Message) => void
}

/** The actions on a message. One menu serves all rows, so that a row is cheap to draw. */
export function MessageMenu({ place, onClose, onReply, onForward, onSelect }: MessageMenuProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const pins = usePinWords()
  const download = useDownload()
  const change = useChangeMessage()
  const [asked, setAsked] = useState<{ readonly what: Asked; readonly message: Message } | null>(null)
  const [failed, setFailed] = useState<Error | null>(null)
  const message = place?.message
  const error = change.error ?? failed
  const entries =
    message === undefined
      ? []
      : listMessageEntries(message, said, inbox, pins, {
          onReply: () => onReply(message),
          onAsk: (what) => setAsked({ what, message }),
          onReact: (emoji) => change.mutate({ kind: 'react', message, emoji }),
          onForward: () => onForward(message),
          onSelect: () => onSelect(message),
          onStar: (on) => change.mutate({ kind: 'star', message, on }),
          onUnpin: () => change.mutate({ kind: 'pin', message, days: 0 }),
          onRead: () => change.mutate({ kind: 'read', message }),
          onDownload: () => {
            setFailed(null)
            download(message.id).catch((problem: unknown) => setFailed(problem as Error))
          },
        })
  return (
    <>
      <Menu
        label={message === undefined ? '' : said.actionsOf(message.fromMe ? said.you : describeSender(message))}
        anchor={place?.button ?? null}
        entries={entries}
        onClose={onClose}
      />
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
      {asked === null ? null : <MessageDialog {...asked} change={change} onClose={() => setAsked(null)} />}
    </>
  )
}
