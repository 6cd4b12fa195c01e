/** The keys of the whole inbox, beside those of the list and of the messages. */
import { useEffect, useRef } from 'react'
import { findMessageBox } from './message-entries.js'

interface InboxKeys {
  readonly onHelp: () => void
  /** Opens the next chat of the list (1), or the one before (-1). */
  readonly onStep: (step: 1 | -1) => void
}

export function useInboxKeys(keys: InboxKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body
      if (target.closest('[role=dialog], [role=menu]') !== null || event.defaultPrevented || event.isComposing) return
      const { key, altKey, ctrlKey, metaKey } = event
      if (altKey && !ctrlKey && !metaKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
        event.preventDefault()
        return latest.current.onStep(key === 'ArrowDown' ? 1 : -1)
      }
      if (altKey || ctrlKey || metaKey) return
      if (key === 'Escape' && findChatList() !== null) return findChatList()?.focus()
      if (isWriting(target)) return
      const focused = key === '/' ? findSearchField() : key === 'i' ? findMessageBox() : null
      if (focused) {
        event.preventDefault()
        focused.focus()
      } else if (key === '?') {
        event.preventDefault()
        latest.current.onHelp()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isWriting(target: HTMLElement): boolean {
  return target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=range])')
}

function findSearchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-inbox] search input[type=search]')
}

function findChatList(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-chats]')
}
