import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { Chat, Message } from '../../../../schemas/generated.js'
import { Dialog } from '../../components/dialog.js'
import { makeLate } from '../../components/late.js'
import { dropSend, type NewSend, type OutgoingSend } from '../../hooks/outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { summarise } from '../composer/summary.js'
import { IconButton } from './icon-button.js'
import { describeSender } from './names.js'

/** Most people send texts: the builders of the other kinds load when the page is idle. */
const Composer = makeLate(async () => (await import('../composer/composer.js')).Composer, { isAhead: true })

interface MoreKindsProps {
  readonly chatId: string
  readonly chat: Chat | undefined
  readonly replyTo: Message | null
  readonly onReplied: () => void
  readonly onSend: (send: Omit<NewSend, 'instanceId' | 'chatId'>) => void
  /** `new`, or a refused send that is mended; null: it is closed. */
  readonly open: 'new' | OutgoingSend | null
  readonly onOpen: (open: 'new' | null) => void
}

/** A button that opens the composer for files, places, contacts, buttons, lists, polls and the like. */
export function MoreKinds({ chatId, chat, replyTo, onReplied, onSend, open, onOpen }: MoreKindsProps) {
  const said = useConversationWords()
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
      : { id: replyTo.id, text: replyTo.text ?? '', name: replyTo.fromMe ? said.you : describeSender(replyTo) }
  const mended = open === 'new' || open?.written === undefined ? undefined : open
  return (
    <>
      <IconButton label={said.moreKinds} hasPopup="dialog" onClick={() => onOpen('new')}>
        <Plus size={22} aria-hidden="true" />
      </IconButton>
      <Dialog isOpen={open !== null} onClose={() => onOpen(null)} title={said.moreKinds}>
        <Composer
          key={mended?.key ?? 'new'}
          chatId={chatId}
          replyTo={reply}
          onReplyEnd={onReplied}
          values={values}
          refused={mended?.written === undefined ? undefined : { written: mended.written, problem: mended.problem }}
          onPost={({ operation, body, files }, written) => {
            if (mended !== undefined) dropSend(mended.key)
            onSend({
              operation,
              // The builders make a body of the operation; the gateway checks it again.
              body: body as never,
              files,
              written,
              shown: { ...summarise(written.draft), ...(replyTo === null ? {} : { quoted: replyTo.messageid }) },
            })
            onOpen(null)
            onReplied()
          }}
        />
      </Dialog>
    </>
  )
}
