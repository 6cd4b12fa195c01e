import type { Message } from '../../../../schemas/generated.js'
import { useInboxWords } from '../../words/inbox.js'
import { Thumb } from './media.js'
import styles from './media.module.css'

/** Pictures of an album that are drawn; the last one says how many more there are. */
const SHOWN = 4

interface AlbumProps {
  readonly messages: readonly Message[]
  readonly onOpen: (message: Message) => void
}

/** Pictures that were sent together, as a grid. Each opens the viewer. */
export function Album({ messages, onOpen }: AlbumProps) {
  const inbox = useInboxWords()
  const more = messages.length - SHOWN
  return (
    <fieldset
      className={styles.album}
      aria-label={inbox.album(messages.length)}
      data-count={Math.min(SHOWN, messages.length)}
    >
      {messages.slice(0, SHOWN).map((message, place) => (
        <span key={message.id} className={styles.tile}>
          <Thumb message={message} onOpen={onOpen} />
          {more > 0 && place === SHOWN - 1 ? (
            <span className={styles.moreTiles} title={inbox.morePictures(more)}>
              +{more}
            </span>
          ) : null}
        </span>
      ))}
    </fieldset>
  )
}
