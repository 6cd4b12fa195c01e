import { useId, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { Copyable } from '../../components/copyable.js'
import { Dialog } from '../../components/dialog.js'
import { SelectField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { useRotateToken } from '../../hooks/use-settings.js'
import { useWords } from '../../words/index.js'
import { useSettingsWords } from '../../words/settings/index.js'
import styles from './settings.module.css'

/** Seconds for which the former token may stay valid. */
const GRACES = [0, 3_600, 86_400, 604_800] as const

/** Makes another token, which is shown once. */
export function Token() {
  const common = useWords()
  const words = useSettingsWords()
  const titleId = useId()
  const rotate = useRotateToken()
  const [grace, setGrace] = useState<number>(3_600)
  const [isAsked, setAsked] = useState(false)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.token}</h2>
      <p>{words.tokenHelp}</p>
      <div className={styles.actions}>
        <Button look="danger" onClick={() => setAsked(true)}>
          {words.rotate}
        </Button>
      </div>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={words.rotate}
        action={words.rotate}
        isBusy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate(grace, { onSuccess: () => setAsked(false) })}
        call={buildShownCall('rotateToken', { body: { graceSeconds: grace } })}
      >
        <p>{words.rotateHelp}</p>
        <SelectField
          label={words.formerEnds}
          value={String(grace)}
          onChange={({ target }) => setGrace(Number(target.value))}
        >
          {GRACES.map((seconds) => (
            <option key={seconds} value={seconds}>
              {words.graces[seconds]}
            </option>
          ))}
        </SelectField>
      </Confirm>
      <Dialog isOpen={rotate.data !== undefined} onClose={rotate.reset} title={words.newToken}>
        <p>{words.shownOnce}</p>
        <Copyable text={rotate.data?.token ?? ''} copy={common.copy} copied={common.copied} />
        <div className={styles.actions}>
          <Button look="main" onClick={rotate.reset}>
            {words.stored}
          </Button>
        </div>
      </Dialog>
    </Card>
  )
}
