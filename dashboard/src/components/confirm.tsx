import { type ReactNode, useState } from 'react'
import type { ShownCall } from '../api/shown-call.js'
import { useWords } from '../words/index.js'
import { Button } from './button.js'
import { Dialog, type DialogProps } from './dialog.js'
import styles from './dialog.module.css'
import { Failure } from './failure.js'
import { InputField } from './field.js'
import { ShowCurl } from './show-curl.js'

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
  /** The call that it makes, for programs; the first one where it makes several. Null for the download of a file. */
  readonly call: ShownCall | null
}

/** Asks before something that cannot be undone, or that concerns many. The caller closes it when the call has succeeded. */
export function Confirm({ children, action, typed, isBusy, error, onConfirm, call, ...dialog }: ConfirmProps) {
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
          {call === null ? null : <ShowCurl call={call} />}
          <Button onClick={dialog.onClose}>{words.cancel}</Button>
          <Button look="danger" type="submit" isBusy={isBusy} disabled={typed !== undefined && text !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
