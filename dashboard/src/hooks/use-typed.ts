import { useEffect, useRef, useState } from 'react'

/** Time without typing after which the search is asked. */
const TYPING_MS = 250

/**
 * Holds the text of a field whose value is in the address: it goes there when the typing pauses. A value that comes from elsewhere, such as by
 * Back or by a saved filter, takes the place of the text.
 */
export function useTyped(stored: string, onTyped: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(stored)
  const [seen, setSeen] = useState(stored)
  const [sent, setSent] = useState(stored)
  const latest = useRef(onTyped)
  useEffect(() => {
    latest.current = onTyped
  })
  if (seen !== stored) {
    setSeen(stored)
    if (stored !== sent) setTyped(stored)
  }
  useEffect(() => {
    if (typed === stored) return undefined
    const timer = setTimeout(() => {
      setSent(typed)
      latest.current(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, stored])
  return [typed, setTyped]
}
