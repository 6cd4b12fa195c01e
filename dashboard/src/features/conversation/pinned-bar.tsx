import { Pin } from 'lucide-react'
import type { Message } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { usePinnedMessages } from '../../hooks/use-pinned-messages.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { usePinWords } from '../../words/pins.js'

const TEXT_MAX = 120

interface PinnedBarProps {
  readonly chatId: string
  /** Shows a message in the chat. */
  readonly onChoose: (id: string) => void
}

/** The pinned messages of a chat, over its messages. */
export function PinnedBar({ chatId, onChoose }: PinnedBarProps) {
  const pins = usePinWords()
  const { messages, hasMore, more } = usePinnedMessages(chatId)
  if (messages.length === 0 && !hasMore) return null
  return (
    <nav
      aria-label={pins.pinned}
      className="flex max-h-24 flex-wrap items-center gap-x-3 gap-y-1 overflow-y-auto border-b border-line bg-surface px-4 py-1.5 text-sm"
    >
      <Pin size={16} aria-hidden="true" className="shrink-0 text-muted" />
      {messages.map((message) => (
        <button
          key={message.id}
          type="button"
          className="min-h-6 max-w-72 truncate rounded text-left hover:underline"
          onClick={() => onChoose(message.id)}
        >
          <Text message={message} />
        </button>
      ))}
      {hasMore ? (
        <button type="button" className="min-h-6 text-muted hover:underline" onClick={more}>
          {pins.more}
        </button>
      ) : null}
    </nav>
  )
}

function Text({ message: { text = '', messageType } }: { readonly message: Message }) {
  const pins = usePinWords()
  const said = useConversationWords()
  return text === '' ? (
    <em>{said.kinds[messageType] ?? pins.withoutText}</em>
  ) : (
    <bdi>{showUnseen(text.slice(0, TEXT_MAX))}</bdi>
  )
}
