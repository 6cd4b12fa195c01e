import { lazy, Suspense, useMemo, useState } from 'react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useWords } from '../../words/index.js'
import { senderName } from './names.js'

/** Most people send texts: the builders of the other kinds load when they are wanted. */
const Composer = lazy(async () => ({ default: (await import('../composer/composer.js')).Composer }))

interface MoreKindsProps {
  readonly chatId: string
  readonly chat: Chat | undefined
  readonly replyTo: Message | null
  readonly onReplied: () => void
  readonly onSent: (message: Message) => void
}

/** A button that opens the composer for files, places, contacts, buttons, lists, polls and the like. */
export function MoreKinds({ chatId, chat, replyTo, onReplied, onSent }: MoreKindsProps) {
  const words = useWords()
  const said = useConversationWords()
  const [isOpen, setOpen] = useState(false)
  const values = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(chat ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    [chat],
  )
  const reply =
    replyTo === null
      ? undefined
      : { id: replyTo.id, text: replyTo.text ?? '', name: replyTo.fromMe ? said.you : senderName(replyTo) }
  return (
    <>
      <Button aria-haspopup="dialog" aria-label={said.moreKinds} title={said.moreKinds} onClick={() => setOpen(true)}>
        +
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={said.moreKinds}>
        <Suspense fallback={<p role="status">{words.loading}</p>}>
          <Composer
            chatId={chatId}
            replyTo={reply}
            onReplyEnd={onReplied}
            values={values}
            onSent={(message) => {
              setOpen(false)
              onReplied()
              onSent(message)
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
