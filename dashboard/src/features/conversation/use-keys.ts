import type { KeyboardEvent } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import type { ReadingPlace } from './reading-place.js'
import type { Row } from './rows.js'

interface Actions {
  readonly onActions: (message: Message, button: HTMLElement) => void
  readonly onReply: (message: Message) => void
  readonly onSelect: (message: Message) => void
}

/** Returns the keys of the list of messages: arrows and j/k move, Enter opens the actions, r replies, x selects. */
export function useKeys(
  { place, virtualizer, active, setActive }: ReadingPlace,
  rows: readonly Row[],
  { onActions, onReply, onSelect }: Actions,
) {
  return (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement
    const isOurs = target === place.current || target.hasAttribute('data-index')
    if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return
    const now = active ?? (virtualizer.range?.endIndex ?? rows.length) + 1
    const next = { ArrowUp: now - 1, k: now - 1, ArrowDown: now + 1, j: now + 1, End: rows.length - 1 }[event.key]
    const message = active === null ? undefined : rows[active]?.message
    if (next !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(rows.length - 1, next))
      setActive(index)
      virtualizer.scrollToIndex(index, { align: 'auto' })
    } else if (message !== undefined && event.key === 'Enter') {
      const button = place.current?.querySelector<HTMLElement>(`[data-index="${active}"] [aria-haspopup]`)
      if (button) onActions(message, button)
    } else if (message !== undefined && event.key === 'r') {
      event.preventDefault()
      onReply(message)
    } else if (message !== undefined && event.key === 'x') {
      event.preventDefault()
      onSelect(message)
    }
  }
}
