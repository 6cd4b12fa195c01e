import { type RefObject, useEffect, useRef } from 'react'

interface RowKeys {
  readonly place: RefObject<HTMLElement | null>
  readonly searchPlace: RefObject<HTMLInputElement | null>
  readonly count: number
  readonly reveal: (index: number) => void
  readonly toggle: (index: number) => void
}

/** Moves the focus from row to row by j and k, selects by x, and goes to the search by `/`. Enter follows the link that has the focus. */
export function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys)
  /** Row that gets the focus as soon as it is drawn. */
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    latest.current = keys
    const { place } = keys
    if (wanted.current === null) return
    const link = place.current?.querySelector<HTMLElement>(`tr[data-index="${wanted.current}"] a`)
    if (link == null) return
    wanted.current = null
    link.focus({ preventScroll: true })
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      const { place, searchPlace, count, reveal, toggle } = latest.current
      const row = document.activeElement?.closest<HTMLElement>('tr[data-index]')
      const index = row != null && place.current?.contains(row) === true ? Number(row.dataset.index) : -1
      if (event.key === '/') searchPlace.current?.focus()
      else if (event.key === 'x' && index >= 0) toggle(index)
      else if (event.key === 'j' || event.key === 'k') {
        const next = Math.min(count - 1, Math.max(0, index + (event.key === 'j' ? 1 : -1)))
        wanted.current = next
        reveal(next)
        place.current?.querySelector<HTMLElement>(`tr[data-index="${next}"] a`)?.focus({ preventScroll: true })
      } else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isBox = target instanceof HTMLInputElement && target.type === 'checkbox'
  return (!isBox && target.matches('input, textarea, select')) || target.closest('[role="dialog"]') !== null
}
