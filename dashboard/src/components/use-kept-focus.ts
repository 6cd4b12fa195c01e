import { useEffect } from 'react'

/** Moves the focus to the nearest part around it when the element that had it goes, so that a person with a keyboard stays at the place. */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: readonly Element[] = []
    const onFocus = ({ target }: FocusEvent) => {
      path = target instanceof Element ? ancestors(target) : []
    }
    // A part that a person leaves by a click beside it, and by a window that closes, is left on purpose.
    const observer = new MutationObserver(() => {
      if (path[0]?.isConnected !== false || document.activeElement !== document.body) return
      const place = path.find((one) => one.isConnected && one !== document.body && isPlace(one))
      path = []
      if (place instanceof HTMLElement) {
        if (!place.hasAttribute('tabindex')) place.tabIndex = -1
        place.focus({ preventScroll: true })
      }
    })
    document.addEventListener('focusin', onFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

/** Returns true for a part that has a name or a role of its own. */
function isPlace(element: Element): boolean {
  return element.matches('main, section, dialog, form, [role=dialog], [role=tabpanel], [role=region], [tabindex]')
}

function ancestors(element: Element): Element[] {
  const path: Element[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) path.push(one)
  return path
}
