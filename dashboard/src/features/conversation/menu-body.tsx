import { Copy, ExternalLink, List, Phone, Reply } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { Formatted } from './formatted.js'
import { type MenuAction, type MenuCard, readMenu } from './menu-facts.js'
import styles from './message.module.css'

const SIGNS: Readonly<Record<MenuAction['does'], ComponentType<{ size?: number; 'aria-hidden'?: 'true' }>>> = {
  reply: Reply,
  open: ExternalLink,
  call: Phone,
  copy: Copy,
}

/** Buttons, lists and cards of a message as phones draw them. They do nothing here: a phone taps them. */
export function MenuBody({ message }: { readonly message: Message }) {
  const inbox = useInboxWords()
  const said = useConversationWords()
  const [isOpen, setOpen] = useState(false)
  const menu = readMenu(message)
  if (menu === null) return null
  const { footer, actions, sections, cards, listButton } = menu
  return (
    <>
      {footer === '' ? null : <p className={styles.footer}>{showUnseen(footer)}</p>}
      <Actions actions={actions} />
      {sections.length === 0 ? null : (
        <>
          <button
            type="button"
            className={styles.tap}
            aria-expanded={isOpen}
            aria-label={inbox.openList}
            onClick={() => setOpen(!isOpen)}
          >
            <List size={16} aria-hidden="true" /> <bdi>{showUnseen(listButton) || inbox.openList}</bdi>
          </button>
          {isOpen
            ? sections.map(({ title, rows }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two sections may have the same title.
                <div key={place} className={styles.section}>
                  {title === '' ? null : <strong>{showUnseen(title)}</strong>}
                  <ul>
                    {rows.map((row, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same text.
                      <li key={at}>
                        <bdi>{showUnseen(row.title)}</bdi>
                        {row.description === '' ? null : (
                          <bdi className={styles.footer}>{showUnseen(row.description)}</bdi>
                        )}
                      </li>
                    ))}
                  </ul>
                </div>
              ))
            : null}
        </>
      )}
      {cards.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
        <section className={styles.cards} tabIndex={0} aria-label={said.kinds.button}>
          {cards.map((card, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two cards may be the same.
            <Card key={place} card={card} />
          ))}
        </section>
      )}
    </>
  )
}

function Card({ card: { title, text, footer, thumbnail, actions } }: { readonly card: MenuCard }) {
  return (
    <div className={styles.menuCard}>
      {thumbnail === null ? null : <img src={thumbnail} alt="" />}
      {title === '' ? null : <strong>{showUnseen(title)}</strong>}
      {text === '' ? null : <Formatted text={text} />}
      {footer === '' ? null : <p className={styles.footer}>{showUnseen(footer)}</p>}
      <Actions actions={actions} />
    </div>
  )
}

function Actions({ actions }: { readonly actions: readonly MenuAction[] }) {
  if (actions.length === 0) return null
  return (
    <ul className={styles.taps}>
      {actions.map(({ text, does }, place) => {
        const Sign = SIGNS[does]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may have the same text.
          <li key={place} className={styles.tap}>
            <Sign size={15} aria-hidden="true" /> <bdi>{showUnseen(text)}</bdi>
          </li>
        )
      })}
    </ul>
  )
}
