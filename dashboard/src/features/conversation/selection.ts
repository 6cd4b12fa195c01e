import { useCallback, useMemo, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'

/** Messages that can be selected at once. Each is a call of its own when something is done with them. */
const SELECTED_MAX = 100

/** The messages that a person has selected, by their internal ids; null while nothing is selected. */
export function useSelection(items: readonly Message[]) {
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const select = useCallback(({ id }: Message) => {
    setSelected((before) => {
      const next = new Set(before)
      if (next.has(id)) next.delete(id)
      else if (next.size < SELECTED_MAX) next.add(id)
      return next.size === 0 ? null : next
    })
  }, [])
  const clear = useCallback(() => setSelected(null), [])
  const chosen = useMemo(() => (selected === null ? [] : items.filter(({ id }) => selected.has(id))), [items, selected])
  return { selected, select, clear, chosen }
}
