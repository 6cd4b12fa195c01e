import type { ReactNode } from 'react'
import { makeLate } from './late.js'
import { useWasTrue } from './use-was-true.js'

const DialogWindow = makeLate<DialogProps>(async () => (await import('./dialog-window.js')).DialogWindow, {
  isAhead: true,
})

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** A dialog over the page. It takes the focus, gives it back, and closes by Escape. Pages open without its code. */
export function Dialog(props: DialogProps) {
  // One that was open stays, so that it can give the focus back.
  const wasOpen = useWasTrue(props.isOpen)
  return wasOpen ? <DialogWindow {...props} /> : null
}
