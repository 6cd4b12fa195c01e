import { useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { useChatMedia } from '../../hooks/use-inbox.js'
import { useInboxWords } from '../../words/inbox.js'
import { useWords } from '../../words/index.js'
import styles from './gallery.module.css'
import { Media, Thumb } from './media.js'
import { Part } from './part.js'

const SECTIONS = ['media', 'documents', 'voices'] as const
type Section = (typeof SECTIONS)[number]

interface GalleryProps {
  readonly chatId: string
  readonly onOpen: (message: Message) => void
}

/** The files of a chat: pictures and videos as tiles, documents and audio as lines. It is read when somebody asks for it. */
export function Gallery({ chatId, onOpen }: GalleryProps) {
  const inbox = useInboxWords()
  const [section, setSection] = useState<Section | null>(null)
  return (
    <Part title={inbox.gallery}>
      <div className={styles.tabs}>
        {SECTIONS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={section === name}
            onClick={() => setSection(section === name ? null : name)}
          >
            {inbox[name]}
          </button>
        ))}
      </div>
      {section === null ? null : <Found chatId={chatId} section={section} onOpen={onOpen} />}
    </Part>
  )
}

function Found({ chatId, section, onOpen }: GalleryProps & { readonly section: Section }) {
  const words = useWords()
  const inbox = useInboxWords()
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useChatMedia(chatId)
  const all = data?.pages.flatMap(({ found }) => found) ?? []
  const shown = all.filter((message) => chooseSection(message) === section)
  return (
    <>
      {section === 'media' ? (
        <ul className={styles.tiles}>
          {shown.map((message) => (
            <li key={message.id}>
              <Thumb message={message} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      ) : (
        <ul className={styles.lines}>
          {shown.map((message) => (
            <li key={message.id}>
              <Media message={message} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
      <p role="status">{isFetching ? words.loading : shown.length === 0 && error === null ? inbox.noMedia : ''}</p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {hasNextPage && !isFetching ? (
        <div>
          <Button onClick={() => void fetchNextPage()}>{inbox.lookFurther}</Button>
        </div>
      ) : null}
    </>
  )
}

function chooseSection({ messageType }: Message): Section {
  return messageType === 'document' ? 'documents' : messageType === 'audio' ? 'voices' : 'media'
}
