import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useKeptFocus } from '../../components/use-kept-focus.js'
import { PhoneBottom } from './phone-bottom.js'
import { type NavigationProps, Sidebar } from './sidebar.js'

const KEY = 'posthorn.sidebar'
/** Width of the window, in letters, below which the names of the pages take more room than they give. */
const TIGHT_REM = 64

/** The ways to all pages: a sidebar on a desk, two bars on a phone. It is there for as long as somebody is signed in, and so is the care for its focus. */
export function Navigation({ isNarrow, ...props }: NavigationProps & { readonly isNarrow: boolean }) {
  const [probe, isTight] = useTight()
  const [chosen, setChosen] = useState(readChoice)
  useKeptFocus()
  return (
    <>
      <Sidebar
        {...props}
        isTop={isNarrow}
        isSmall={chosen ?? isTight}
        onSmall={(next) => {
          setChosen(next)
          keep(next)
        }}
      />
      {isNarrow ? <PhoneBottom signedIn={props.signedIn} /> : null}
      <span ref={probe} className="pointer-events-none absolute h-px w-4 opacity-0" aria-hidden="true" />
    </>
  )
}

/** Returns true while the window is small for the size of its text, which a query of the window alone does not know. */
function useTight() {
  const probe = useRef<HTMLSpanElement>(null)
  const [isTight, setTight] = useState(() => matchMedia(`(max-width: ${TIGHT_REM}rem)`).matches)
  useEffect(() => {
    const look = () => {
      const rem = probe.current?.getBoundingClientRect().width ?? 0
      // At once, so that nobody sees the page between the two widths.
      if (rem > 0) flushSync(() => setTight(innerWidth / rem < TIGHT_REM))
    }
    const observer = new ResizeObserver(look)
    if (probe.current !== null) observer.observe(probe.current)
    addEventListener('resize', look)
    return () => {
      observer.disconnect()
      removeEventListener('resize', look)
    }
  }, [])
  return [probe, isTight] as const
}

/** Returns the choice of a person; undefined before the first one. */
function readChoice(): boolean | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === null ? undefined : value === 'small'
  } catch {
    return undefined
  }
}

function keep(isSmall: boolean): void {
  try {
    localStorage.setItem(KEY, isSmall ? 'small' : 'wide')
  } catch {
    // Without storage the choice holds until the page is left.
  }
}
