import { type DragEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { Chat } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import layout from '../../components/layout.module.css'
import { RowGuard } from '../../components/row-guard.js'
import { showUnseen } from '../../format/visible.js'
import { useWords } from '../../words/index.js'
import { useLeadWords } from '../../words/leads/index.js'
import { describeLead, readTags } from '../lead/lead-fields.js'
import { type Column, findBeside, findCardPlace, makeColumns, moveCard, type Place } from './board.js'
import { BesideLink } from './chat-link.js'
import styles from './lead-board.module.css'

interface LeadBoardProps {
  readonly leads: readonly Chat[]
  readonly mayEdit: boolean
  readonly onMove: (columns: readonly Column[], chatId: string, place: Place) => void
  readonly onEdit: (chat: Chat) => void
}

/** A card that was lifted by the keyboard, and the place where it would be dropped. */
interface Lifted {
  readonly chatId: string
  readonly place: Place
}

/** Leads as cards in a column for each status. Cards move by the pointer, and by Space, arrows, Enter and Escape. */
export function LeadBoard({ leads, mayEdit, onMove, onEdit }: LeadBoardProps) {
  const words = useWords()
  const lead = useLeadWords()
  const helpId = useId()
  const board = useRef<HTMLDivElement>(null)
  const columns = makeColumns(leads)
  const getName = (status: string) => (status === '' ? lead.noStatus : status)
  const { lifted, told, drop, onKey } = useMoves({ board, columns, getName, mayEdit, onMove })
  const shown = lifted === undefined ? columns : moveCard(columns, lifted.chatId, lifted.place)

  return (
    <>
      {mayEdit ? (
        <p id={helpId} className={layout.muted}>
          {lead.keys}
        </p>
      ) : null}
      <p role="status" className={layout.muted}>
        {told}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys. */}
      {/* biome-ignore lint/a11y/useSemanticElements: the columns are sections of this group. */}
      <div className={styles.board} ref={board} role="group" tabIndex={0} aria-label={lead.board}>
        {shown.map((column) => (
          <section
            key={column.status}
            className={styles.column}
            aria-label={showUnseen(getName(column.status))}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              const chatId = event.dataTransfer.getData('text/plain')
              if (mayEdit) drop(chatId, { status: column.status, index: findIndexAt(event, chatId) })
            }}
          >
            <h2>
              <bdi>{showUnseen(getName(column.status))}</bdi> {column.leads.length}
            </h2>
            <ol className={styles.cards}>
              {column.leads.map((chat) => (
                <RowGuard
                  key={chat.wa_chatid}
                  record={chat}
                  instead={<li className={styles.card}>{words.brokenRow}</li>}
                >
                  <LeadCard
                    chat={chat}
                    helpId={helpId}
                    isLifted={lifted?.chatId === chat.wa_chatid}
                    mayEdit={mayEdit}
                    onKey={onKey}
                    onEdit={onEdit}
                  />
                </RowGuard>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </>
  )
}

interface LeadCardProps extends Pick<LeadBoardProps, 'mayEdit' | 'onEdit'> {
  readonly chat: Chat
  /** Element that names the keys. */
  readonly helpId: string
  readonly isLifted: boolean
  readonly onKey: (event: KeyboardEvent, chat: Chat) => void
}

function LeadCard({ chat, helpId, isLifted, mayEdit, onKey, onEdit }: LeadCardProps) {
  const lead = useLeadWords()
  return (
    <li
      className={`${styles.card} ${isLifted ? styles.lifted : ''}`}
      data-chat={chat.wa_chatid}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a card is lifted, moved and dropped by keys.
      tabIndex={0}
      draggable={mayEdit}
      aria-label={showUnseen(describeLead(chat))}
      aria-describedby={mayEdit ? helpId : undefined}
      onKeyDown={(event) => onKey(event, chat)}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', chat.wa_chatid)}
    >
      <CardText chat={chat} />
      {mayEdit ? <Button onClick={() => onEdit(chat)}>{lead.edit}</Button> : null}
    </li>
  )
}

function CardText({ chat }: { readonly chat: Chat }) {
  const tags = readTags(chat)
  return (
    <>
      <BesideLink chat={chat} />
      {tags.length === 0 ? null : (
        <span className={layout.row}>
          {tags.map((tag) => (
            <span key={tag} className={layout.tag}>
              <bdi>{showUnseen(tag)}</bdi>
            </span>
          ))}
        </span>
      )}
    </>
  )
}

interface MovesOptions extends Pick<LeadBoardProps, 'mayEdit' | 'onMove'> {
  readonly board: RefObject<HTMLDivElement | null>
  readonly columns: readonly Column[]
  readonly getName: (status: string) => string
}

/** Lifts, moves and drops cards by keys, and tells each step to screen readers. */
function useMoves({ board, columns, getName, mayEdit, onMove }: MovesOptions) {
  const lead = useLeadWords()
  const [lifted, setLifted] = useState<Lifted | undefined>(undefined)
  const [told, setTold] = useState('')
  const follow = useFollowedCard(board)

  function drop(chatId: string, place: Place): void {
    setLifted(undefined)
    follow(chatId)
    const from = findCardPlace(columns, chatId)
    if (from?.status === place.status && from.index === place.index) return
    setTold(lead.dropped(getName(place.status), place.index + 1))
    onMove(columns, chatId, place)
  }

  function onKey(event: KeyboardEvent, chat: Chat): void {
    if (!mayEdit || event.target !== event.currentTarget) return
    const chatId = chat.wa_chatid
    if (lifted === undefined) {
      const place = findCardPlace(columns, chatId)
      if (event.key !== ' ' || place === undefined) return
      event.preventDefault()
      setLifted({ chatId, place })
      follow(chatId)
      setTold(lead.lifted(describeLead(chat)))
      return
    }
    if (event.key === 'Escape') {
      setLifted(undefined)
      setTold(lead.putBack)
    } else if (event.key === 'Enter' || event.key === ' ') drop(lifted.chatId, lifted.place)
    else if (event.key.startsWith('Arrow')) {
      const place = findBeside(columns, lifted.place, event.key, lifted.chatId)
      setLifted({ ...lifted, place })
      setTold(lead.over(getName(place.status), place.index + 1))
    } else return
    event.preventDefault()
  }

  return { lifted, told, drop, onKey }
}

/** Keeps the focus on a card that was moved by keys: in another column it is another element. Ends when the focus or the pointer goes elsewhere. */
function useFollowedCard(board: RefObject<HTMLDivElement | null>): (chatId: string) => void {
  const followed = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (followed.current === undefined || document.activeElement !== document.body) return
    for (const card of board.current?.querySelectorAll<HTMLElement>('[data-chat]') ?? [])
      if (card.dataset.chat === followed.current) card.focus()
  })
  useEffect(() => {
    const end = ({ target, type }: Event) => {
      const isCard = target instanceof HTMLElement && target.dataset.chat === followed.current
      if (type === 'pointerdown' || !isCard) followed.current = undefined
    }
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, end)
    return () => {
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, end)
    }
  }, [])
  return (chatId) => {
    followed.current = chatId
  }
}

/** Returns the place in the column at which the pointer is: before the first card whose middle is below it. */
function findIndexAt({ currentTarget, clientY }: DragEvent<HTMLElement>, chatId: string): number {
  const cards = [...currentTarget.querySelectorAll<HTMLElement>('[data-chat]')].filter(
    ({ dataset }) => dataset.chat !== chatId,
  )
  const below = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect()
    return clientY < top + height / 2
  })
  return below < 0 ? cards.length : below
}
