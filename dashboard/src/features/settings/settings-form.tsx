import { type FormEvent, type ReactNode, useId } from 'react'
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
  /** The call as a line for a shell. */
  readonly curl?: string
  readonly onSave: () => void
  readonly children: ReactNode
}

/** One group of settings that is saved at once. */
export function SettingsForm({ title, help, change, curl, onSave, children }: SettingsFormProps) {
  const words = useSettingsWords()
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
          {curl === undefined ? null : <ShowCurl line={curl} />}
          <span role="status">{change.isSuccess ? words.saved : ''}</span>
        </div>
      </form>
    </Card>
  )
}
