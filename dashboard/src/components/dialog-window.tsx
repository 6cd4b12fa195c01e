import { Dialog as Parts } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useWords } from '../words/index.js'
import type { DialogProps } from './dialog.js'
import styles from './dialog.module.css'

/** Draws a dialog. */
export function DialogWindow({ isOpen, onClose, title, children }: DialogProps) {
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
              <X size={18} aria-hidden />
            </Parts.Close>
          </div>
          {children}
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  )
}
