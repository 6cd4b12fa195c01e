import { useEffect } from 'react'

/** Time in which a dialog that closes gives the focus back by itself. */
const GIVEN_BACK_MS = 50

/** Moves the focus to the nearest part around it when the element that had it goes, so that a person with a keyboard stays at the place. */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: readonly Element[] = []
    /** Where the focus was before a dialog took it. */
    let before: readonly Element[] = []
    const onFocus = ({ target }: FocusEvent) => {
      path = target instanceof Element ? listAncestors(target) : []
      if (target instanceof Element && target.closest('[role=dialog]') === null) before = path
    }
    // A part that a person leaves by a click beside it, and by a window that closes, is left on purpose.
    const observer = new MutationObserver(() => {
      if (path[0]?.isConnected !== false || document.activeElement !== document.body) return
      const isInside = focusIn(path)
      path = []
      // The dialog has gone together with what opened it.
      if (!isInside)
        setTimeout(() => {
          if (document.activeElement === document.body) focusIn(before)
        }, GIVEN_BACK_MS)
    })
    document.addEventListener('focusin', onFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

/** Gives the focus to the innermost part of the path that is still there. Returns false if none is. */
function focusIn(path: readonly Element[]): boolean {
  const place = path.find((one) => one.isConnected && one !== document.body && isPlace(one))
  if (!(place instanceof HTMLElement)) return false
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.focus({ preventScroll: true })
  return true
}

/** Returns true for a part that has a name or a role of its own. */
function isPlace(element: Element): boolean {
  return element.matches(
    'main, section, dialog, form, fieldset, [role=dialog], [role=tabpanel], [role=region], [tabindex]',
  )
}

function listAncestors(element: Element): Element[] {
  const path: Element[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) path.push(one)
  return path
}
