import { useEffect, useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { makeLate } from '../../components/late.js'
import { MediaContext, MediaStore } from '../../hooks/use-media.js'
import { useWords } from '../../words/index.js'
import styles from './lead-board.module.css'
import type { LeadSearch } from './search.js'

const Conversation = makeLate(async () => (await import('../conversation/conversation.js')).Conversation)

interface ConversationBesideProps {
  readonly chatId: string
  readonly known: Chat | undefined
  readonly search: LeadSearch
  readonly onSearch: (change: Readonly<Record<string, unknown>>, replace: boolean) => void
}

/** The conversation of a card, beside the board. */
export function ConversationBeside({ chatId, known, search, onSearch }: ConversationBesideProps) {
  const words = useWords()
  const [store] = useState(() => new MediaStore())
  useEffect(() => () => store.end(), [store])
  const { message, text } = search
  return (
    <MediaContext value={store}>
      <div className={styles.conversation}>
        <div>
          <Button onClick={() => onSearch({ chat: undefined, message: undefined, text: undefined }, true)}>
            {words.close}
          </Button>
        </div>
        <Conversation
          key={chatId}
          chatId={chatId}
          known={known}
          search={{
            ...(message === undefined ? {} : { message }),
            ...(text === undefined ? {} : { text }),
          }}
          onSearch={onSearch}
        />
      </div>
    </MediaContext>
  )
}
