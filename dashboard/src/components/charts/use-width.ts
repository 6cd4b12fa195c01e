import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Returns the width of an element, in whole pixels, as it changes. `first` holds until it is measured. */
export function useWidth<Element extends HTMLElement>(first: number): readonly [RefObject<Element | null>, number] {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const measure = () => {
      const next = Math.floor(measured.clientWidth)
      if (next > 0) setWidth(next)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
