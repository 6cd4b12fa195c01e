import { type FormEvent, type ReactNode, useId } from 'react'
import type { ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { Card } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { useSettingsWords } from '../../words/settings/index.js'
import styles from './settings.module.css'

interface Change {
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly error: Error | null
}

interface SettingsFormProps {
  readonly title: string
  readonly help?: string
  readonly change: Change
  /** The call behind it, for programs. */
  readonly call?: ShownCall
  /** Words of the button and of success, if they are not the usual ones. */
  readonly words?: { readonly save: string; readonly saved: string }
  readonly onSave: () => void
  readonly children: ReactNode
}

/** One group of settings that is saved at once. */
export function SettingsForm({ title, help, change, call, words: given, onSave, children }: SettingsFormProps) {
  const usual = useSettingsWords()
  const words = given ?? usual
  const titleId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) onSave()
  }
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{title}</h2>
      {help === undefined ? null : <p>{help}</p>}
      <form className={styles.form} onSubmit={submit}>
        {children}
        {change.error === null ? null : <Failure error={change.error} />}
        <div className={styles.actions}>
          <Button type="submit" look="main" isBusy={change.isPending}>
            {words.save}
          </Button>
          {call === undefined ? null : <ShowCurl call={call} />}
          <span role="status">{change.isSuccess ? words.saved : ''}</span>
        </div>
      </form>
    </Card>
  )
}
