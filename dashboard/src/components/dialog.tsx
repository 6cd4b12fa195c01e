import { Dialog as Parts } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useWords } from '../words/index.js'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** A dialog over the page. It takes the focus, gives it back, and closes by Escape. */
export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  const words = useWords()
  return (
    <Parts.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Backdrop className={styles.backdrop} />
        <Parts.Popup className={styles.popup}>
          <div className={styles.head}>
            <Parts.Title className={styles.title}>
              <bdi>{title}</bdi>
            </Parts.Title>
            <Parts.Close className={styles.close} aria-label={words.close}>
              ✕
            </Parts.Close>
          </div>
          {children}
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  )
}
