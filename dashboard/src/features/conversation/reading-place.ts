/** The place at which somebody reads a chat: what is drawn, where the view jumps, and when more is read. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MessageList, MessageListState } from '../../hooks/message-list.js'
import type { Row } from './rows.js'

const ROW_PX = 72
/** Rows before an end of the window at which the next page is read. */
const AHEAD = 40
/** Distance from the end within which new messages are followed. */
const NEAR_PX = 80
const FLASH_MS = 1_600

interface ReadingOptions {
  readonly rows: readonly Row[]
  readonly list: MessageList
  readonly state: MessageListState
  /** Set to true while the reader is at the end of the chat. */
  readonly isSeen: { current: boolean }
  /** Message to which the address jumps. */
  readonly target: string | undefined
}

export type ReadingPlace = ReturnType<typeof useReadingPlace>

export function useReadingPlace({ rows, list, state, isSeen, target }: ReadingOptions) {
  const place = useRef<HTMLDivElement>(null)
  const [isAtBottom, setAtBottom] = useState(true)
  /** Row that has the focus. */
  const [active, setActive] = useState<number | null>(null)
  // The virtualizer computes the place of each row again when this function changes.
  const getKey = useCallback((index: number) => rows[index]?.key ?? index, [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: getKey,
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_PX,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // The row that has the focus stays in the document.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return active === null || active >= range.count || shown.includes(active)
        ? shown
        : [...shown, active].sort((a, b) => a - b)
    },
  })
  const flashed = useJumps(virtualizer, rows, state, target)
  useEffect(() => {
    if (active === null) return
    place.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus({ preventScroll: true })
  }, [active])

  const { loading, error, older, isAtEnd } = state
  const items = virtualizer.getVirtualItems()
  const firstIndex = items[0]?.index ?? 0
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length === 0 || loading !== null || error !== null) return
    if (firstIndex < AHEAD && older !== null) void list.loadOlder()
    else if (lastIndex > rows.length - AHEAD && !isAtEnd) void list.loadNewer()
  }, [firstIndex, lastIndex, rows.length, loading, error, older, isAtEnd, list])

  const onScroll = () => {
    const element = place.current
    if (element === null) return
    const isNear = isAtEnd && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    isSeen.current = isNear
    if (isNear !== isAtBottom) setAtBottom(isNear)
    if (isNear) list.sawEnd()
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!place.current?.contains(relatedTarget)) setActive(null)
  }
  return { place, virtualizer, flashed, isAtBottom, active, setActive, onScroll, onBlur }
}

/** Begins at the end of each window, or at the message of the address, whose key it returns for a moment. */
function useJumps(
  virtualizer: ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>,
  rows: readonly Row[],
  { version, anchor }: MessageListState,
  target: string | undefined,
): string | null {
  const [flashed, setFlashed] = useState<string | null>(null)
  const begun = useRef('')
  useLayoutEffect(() => {
    const now = `${version} ${target ?? ''}`
    if (version === 0 || begun.current === now) return
    if (target === undefined) {
      const isNewWindow = !begun.current.startsWith(`${version} `)
      begun.current = now
      if (isNewWindow && anchor === null && rows.length > 0) virtualizer.scrollToEnd()
      return
    }
    const index = rows.findIndex(({ message }) => message?.id === target || message?.messageid === target)
    if (index < 0) return
    begun.current = now
    virtualizer.scrollToIndex(index, { align: 'center' })
    setFlashed(rows[index]?.key ?? null)
  }, [version, target, anchor, rows, virtualizer])
  useEffect(() => {
    if (flashed === null) return undefined
    const timer = setTimeout(() => setFlashed(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [flashed])
  return flashed
}
