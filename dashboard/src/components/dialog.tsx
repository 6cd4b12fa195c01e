import { Dialog as Parts } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import { useWords } from '../words/index.js'
import { Button } from './button.js'
import styles from './dialog.module.css'
import { Failure } from './failure.js'
import { InputField } from './field.js'

interface DialogProps {
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

interface ConfirmProps extends Omit<DialogProps, 'children'> {
  /** Sentences that name what happens. */
  readonly children: ReactNode
  /** Verb on the button. */
  readonly action: string
  /** Text that must be typed first, for what cannot be undone. */
  readonly typed?: string
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
}

/** Asks before something that cannot be undone, or that concerns many. The caller closes it when the call has succeeded. */
export function Confirm({ children, action, typed, isBusy, error, onConfirm, ...dialog }: ConfirmProps) {
  const words = useWords()
  const [text, setText] = useState('')
  return (
    <Dialog {...dialog}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && (typed === undefined || text === typed)) onConfirm()
        }}
      >
        {children}
        {typed === undefined ? null : (
          <InputField
            label={words.typeToConfirm(typed)}
            value={text}
            autoComplete="off"
            onChange={({ target }) => setText(target.value)}
          />
        )}
        {error === null ? null : <Failure error={error} />}
        <div className={styles.actions}>
          <Button onClick={dialog.onClose}>{words.cancel}</Button>
          <Button look="danger" type="submit" isBusy={isBusy} disabled={typed !== undefined && text !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
