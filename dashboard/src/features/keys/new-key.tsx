import { type FormEvent, useId, useState } from 'react'
import type { CreateKeyRequest } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Copyable } from '../../components/copyable.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField, SelectField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { useCreateKey } from '../../hooks/use-keys.js'
import { useWords } from '../../words/index.js'
import { useKeysWords } from '../../words/keys/index.js'
import styles from './keys.module.css'

const SCOPES = ['read', 'send', 'change'] as const
type Scope = (typeof SCOPES)[number]
const DAY_SECONDS = 86_400
/** Lives of a key in days; 0 is until it is deleted. */
const DAYS = [0, 1, 7, 30, 365] as const

/** Makes a key, which is shown once. */
export function NewKey() {
  const common = useWords()
  const words = useKeysWords()
  const titleId = useId()
  const create = useCreateKey()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [chat, setChat] = useState('')
  const [days, setDays] = useState(0)
  const fields = create.error instanceof Problem ? create.error.fields : {}
  const isWithoutScope = scopes.length === 0
  const body: CreateKeyRequest = {
    name: name.trim(),
    scopes: [...scopes],
    ...(chat.trim() === '' ? {} : { chat: chat.trim() }),
    ...(days === 0 ? {} : { expiresInSeconds: days * DAY_SECONDS }),
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!create.isPending && !isWithoutScope) create.mutate(body, { onSuccess: () => setName('') })
  }

  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.newKey}</h2>
      <form className={styles.form} onSubmit={submit}>
        <InputField
          label={words.name}
          help={words.nameHelp}
          required
          maxLength={100}
          autoComplete="off"
          wrong={fields.name}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Scopes chosen={scopes} onChange={setScopes} />
        <InputField
          label={words.chat}
          help={words.chatHelp}
          maxLength={100}
          autoComplete="off"
          wrong={fields.chat}
          value={chat}
          onChange={({ target }) => setChat(target.value)}
        />
        <SelectField label={words.ends} value={String(days)} onChange={({ target }) => setDays(Number(target.value))}>
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {one === 0 ? words.whenDeleted : words.inDays(one)}
            </option>
          ))}
        </SelectField>
        {create.error !== null && Object.keys(fields).length === 0 ? <Failure error={create.error} /> : null}
        <div className={styles.row}>
          <Button type="submit" look="main" isBusy={create.isPending}>
            {words.create}
          </Button>
          <ShowCurl call={buildShownCall('createKey', { body })} />
        </div>
      </form>
      <Dialog isOpen={create.data !== undefined} onClose={create.reset} title={words.made}>
        <p>{words.shownOnce}</p>
        <Copyable text={create.data?.token ?? ''} copy={common.copy} copied={common.copied} />
        <div className={styles.row}>
          <Button look="main" onClick={create.reset}>
            {words.stored}
          </Button>
        </div>
      </Dialog>
    </Card>
  )
}

interface ScopesProps {
  readonly chosen: readonly Scope[]
  readonly onChange: (scopes: readonly Scope[]) => void
}

function Scopes({ chosen, onChange }: ScopesProps) {
  const words = useKeysWords()
  return (
    <fieldset className={styles.choices}>
      <legend>{words.scopes}</legend>
      {SCOPES.map((scope) => (
        <CheckField
          key={scope}
          label={words.scope[scope]}
          help={words.scopeHelp[scope]}
          checked={chosen.includes(scope)}
          onChange={({ target }) =>
            onChange(SCOPES.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
          }
        />
      ))}
      {chosen.length === 0 ? <p role="alert">{words.noScope}</p> : null}
    </fieldset>
  )
}
