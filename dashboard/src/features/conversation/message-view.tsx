import { ChevronDown, CornerUpLeft } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { Notice } from '../../components/notice.js'
import { RowGuard } from '../../components/row-guard.js'
import { makeDateFormat } from '../../format/formats.js'
import { showUnseen } from '../../format/visible.js'
import type { MessageList, MessageListState } from '../../hooks/message-list.js'
import { groupReactions } from '../../hooks/message-window.js'
import type { OutgoingSend } from '../../hooks/outbox.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import styles from './conversation.module.css'
import { collectNames, NamesContext } from './mentions.js'
import { MessageRow, type MessageRowProps, OutgoingRow } from './message-row.js'
import { describeSender } from './names.js'
import { useReadingPlace } from './reading-place.js'
import { findFirstUnread, makeRows, type Row } from './rows.js'
import { useKeys } from './use-keys.js'

interface MessageViewProps {
  readonly list: MessageList
  readonly state: MessageListState
  readonly sends: readonly OutgoingSend[]
  /** True while the reader is at the end. */
  readonly isSeen: { current: boolean }
  /** Unread messages of the chat when it was opened. */
  readonly unread: number
  /** Message to which the address jumps. */
  readonly target: string | undefined
  readonly onTarget: (id: string | undefined) => void
  readonly onActions: (message: Message, button: HTMLElement) => void
  readonly onReply: (message: Message) => void
  /** Internal ids of the selected messages; null while nothing is selected. */
  readonly selected: ReadonlySet<string> | null
  readonly onSelect: (message: Message) => void
  /** Opens a picture or video in the viewer. */
  readonly onOpen: (message: Message) => void
}

/** The messages of a chat. Draws only those in sight, and keeps the reading place when others come before or after them. */
export function MessageView(props: MessageViewProps) {
  const { list, state, sends, isSeen, unread, target, onTarget, onActions, onReply, selected, onSelect, onOpen } = props
  const words = useWords()
  const said = useConversationWords()
  const firstNew = useFirstNew(state, unread)
  const shownSends = state.isAtEnd ? sends : NO_SENDS
  const rows = useMemo(() => makeRows(state.items, shownSends, firstNew), [state.items, shownSends, firstNew])
  const reactions = useMemo(() => groupReactions(state.items), [state.items])
  const byMessageId = useMemo(() => new Map(state.items.map((one) => [one.messageid, one])), [state.items])
  const reading = useReadingPlace({ rows, list, state, isSeen, target })
  const { place, virtualizer, flashed, isAtBottom } = reading
  const move = useKeys(reading, rows, { onActions, onReply, onSelect })
  const names = useMemo(() => collectNames(state.items), [state.items])
  const { from, jump, goBack, toEnd } = useJumps(target, onTarget, () => {
    if (state.isAtEnd) virtualizer.scrollToEnd()
    else void list.open(null)
  })
  useEndOnSend(sends, toEnd)
  const { version, loading, error } = state
  return (
    <NamesContext value={names}>
      <div className={styles.view}>
        <div
          ref={place}
          className={styles.scroller}
          role="log"
          aria-live="off"
          aria-label={said.messages}
          aria-busy={loading !== null}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
          tabIndex={0}
          onScroll={reading.onScroll}
          onKeyDown={move}
          onBlur={reading.onBlur}
        >
          <div ref={virtualizer.containerRef} className={styles.sizer}>
            {virtualizer.getVirtualItems().map(({ index, key }) => {
              const row = rows[index]
              return row === undefined ? null : (
                <article
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={styles.item}
                  data-selected={row.message !== undefined && selected?.has(row.message.id) ? '' : undefined}
                  tabIndex={-1}
                >
                  {index === 0 && state.older === null ? <p className={styles.day}>{said.begin}</p> : null}
                  <RowGuard instead={<p className={styles.day}>{words.brokenRow}</p>}>
                    <DrawnRow
                      row={row}
                      quoted={row.message?.quoted ? byMessageId.get(row.message.quoted) : undefined}
                      reactions={row.message === undefined ? undefined : reactions.get(row.message.messageid)}
                      isFlashed={flashed === row.key}
                      stateAt={row.message === undefined ? undefined : state.stateTimes.get(row.message.messageid)}
                      isSelected={row.message === undefined ? undefined : selected?.has(row.message.id)}
                      onJump={jump}
                      onActions={onActions}
                      onSelect={onSelect}
                      onOpen={onOpen}
                    />
                  </RowGuard>
                </article>
              )
            })}
          </div>
          {version > 0 && rows.length === 0 && error === null ? (
            <p className={styles.empty}>{said.noMessages}</p>
          ) : null}
        </div>
        {loading === 'older' || loading === 'first' ? <Above /> : null}
        {error === null ? null : <Failed error={error} list={list} state={state} target={target} onEnd={toEnd} />}
        <div className={styles.jumps}>
          {from === null ? null : (
            <button type="button" className={styles.jump} onClick={goBack}>
              <CornerUpLeft size={18} aria-hidden="true" /> {said.back}
            </button>
          )}
          {isAtBottom && state.isAtEnd ? null : (
            <button type="button" className={styles.jump} title={said.toEnd} onClick={toEnd}>
              <ChevronDown size={20} aria-hidden="true" />
              {state.missed > 0 ? said.newMessages(state.missed) : <span className="sr-only">{said.toEnd}</span>}
            </button>
          )}
        </div>
        <Announced items={state.items} version={version} />
      </div>
    </NamesContext>
  )
}

/** Jumps to a quoted message, back to the one that quotes it, and to the end. */
function useJumps(target: string | undefined, onTarget: MessageViewProps['onTarget'], showEnd: () => void) {
  const [from, setFrom] = useState<string | null>(null)
  const jump = useCallback(
    (id: string, origin: string) => {
      setFrom(origin)
      onTarget(id)
    },
    [onTarget],
  )
  const goBack = () => {
    onTarget(from ?? undefined)
    setFrom(null)
  }
  const toEnd = () => {
    setFrom(null)
    if (target !== undefined) onTarget(undefined)
    showEnd()
  }
  return { from, jump, goBack, toEnd }
}

/** Shows the end of the chat when the person sends something, wherever they read. */
function useEndOnSend(sends: readonly OutgoingSend[], toEnd: () => void): void {
  const last = sends.at(-1)?.key
  const seen = useRef(last)
  const latest = useRef(toEnd)
  useEffect(() => {
    latest.current = toEnd
  })
  useEffect(() => {
    if (last !== undefined && last !== seen.current) latest.current()
    seen.current = last
  }, [last])
}

interface FailedProps extends Pick<MessageViewProps, 'list' | 'state' | 'target'> {
  readonly error: Error
  readonly onEnd: () => void
}

function Failed({ error, list, state: { version }, target, onEnd }: FailedProps) {
  const said = useConversationWords()
  if (error instanceof Problem && error.code === 'MESSAGE_NOT_FOUND')
    return (
      <Notice look="busy">
        {said.quotedGone}
        <Button onClick={onEnd}>{said.toEnd}</Button>
      </Notice>
    )
  return <Failure error={error} onRetry={() => void (version === 0 ? list.open(target ?? null) : list.catchUp())} />
}

/** Returns the message before which the mark of what is new stands. */
function useFirstNew({ version, anchor, items, missed }: MessageListState, unread: number): string | null {
  const [firstNew, setFirstNew] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark is set once for each window.
  useEffect(() => {
    if (version > 0 && anchor === null) setFirstNew(findFirstUnread(items, Math.max(0, unread)))
  }, [version])
  useEffect(() => {
    if (missed > 0) setFirstNew((known) => known ?? findFirstUnread(items, missed))
  }, [missed, items])
  return firstNew
}

const NO_SENDS: readonly OutgoingSend[] = []

interface DrawnRowProps extends Omit<MessageRowProps, 'message' | 'album' | 'isStart' | 'isWaiting'> {
  readonly row: Row
}

function DrawnRow({ row, ...rest }: DrawnRowProps) {
  const said = useConversationWords()
  return (
    <>
      {row.day === null ? null : <DayLine at={row.day} />}
      {row.isFirstNew ? <p className={styles.newMark}>{said.newMark}</p> : null}
      {row.message === undefined ? (
        <OutgoingRow send={row.send} isStart={row.isStart} />
      ) : (
        <MessageRow message={row.message} album={row.album} isStart={row.isStart} isWaiting={row.isWaiting} {...rest} />
      )}
    </>
  )
}

const DayLine = memo(function DayLine({ at }: { readonly at: number }) {
  const language = useLanguage()
  const day = new Date(at)
  if (Number.isNaN(day.getTime())) return null
  return (
    <p className={styles.day}>
      <time dateTime={day.toISOString().slice(0, 10)}>
        {makeDateFormat(language, { dateStyle: 'full' }).format(day)}
      </time>
    </p>
  )
})

function Above() {
  const words = useWords()
  return (
    <p className={styles.above} aria-live="off">
      {words.loading}
    </p>
  )
}

/** Tells screen readers of messages that arrive, and not of those that scrolling brings. */
function Announced({ items, version }: { readonly items: readonly Message[]; readonly version: number }) {
  const said = useConversationWords()
  const [text, setText] = useState('')
  const last = items.at(-1)
  const known = useRef<{ version: number; id: string | undefined }>({ version: 0, id: undefined })
  useEffect(() => {
    const { version: before, id } = known.current
    known.current = { version, id: last?.id }
    if (before !== version || last === undefined || last.id === id || last.fromMe) return
    setText(`${describeSender(last)}: ${showUnseen((last.text || said.kinds[last.messageType] || '').slice(0, 300))}`)
  }, [last, version, said])
  return (
    <p className="sr-only" aria-live="polite">
      {text}
    </p>
  )
}
