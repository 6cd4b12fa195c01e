import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { CreateInstanceReply } from '../../../schemas/generated.js'
import { Problem } from '../api/problem.js'
import { buildShownCall } from '../api/shown-call.js'
import { Button } from '../components/button.js'
import { Copyable } from '../components/copyable.js'
import { Failure } from '../components/failure.js'
import { CheckField, InputField } from '../components/field.js'
import { Card } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { ShowCurl } from '../components/show-curl.js'
import { showUnseen } from '../format/visible.js'
import { useCreateInstance } from '../hooks/use-instances.js'
import { useWords } from '../words/index.js'
import styles from './sign-in.module.css'

/** Creates an instance, shows its token this once, and goes on to its pairing. */
export function NewInstance() {
  const create = useCreateInstance()
  return (
    <div className={styles.page}>
      {create.data === undefined ? <Form create={create} /> : <Made made={create.data} />}
    </div>
  )
}

function Form({ create }: { readonly create: ReturnType<typeof useCreateInstance> }) {
  const words = useWords()
  const [name, setName] = useState('')
  const wrong = create.error instanceof Problem ? create.error.fields.name : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate(name.trim())
  }
  return (
    <>
      <PageHeader title={words.create.title} about={words.abouts.createInstance} />
      <Card>
        <form className={styles.form} onSubmit={submit}>
          <InputField
            label={words.create.name}
            help={words.create.nameHelp}
            wrong={wrong}
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <div className={styles.actions}>
            <Button type="submit" look="main" isBusy={create.isPending}>
              {words.create.submit}
            </Button>
            <ShowCurl call={buildShownCall('createInstance', { body: { name: name.trim() } }, 'admintoken')} />
          </div>
          {create.error !== null && wrong === undefined ? <Failure error={create.error} /> : null}
        </form>
      </Card>
    </>
  )
}

function Made({ made: { instance, token } }: { readonly made: CreateInstanceReply }) {
  const words = useWords()
  const navigate = useNavigate()
  const [isStored, setStored] = useState(false)
  const go = () => void navigate({ to: '/instances/$id', params: { id: instance.id }, replace: true })
  return (
    <>
      <div role="status">
        <h1>
          <bdi>{words.create.done(showUnseen(instance.name))}</bdi>
        </h1>
      </div>
      <Card>
        <h2>{words.create.token}</h2>
        <p>{words.create.tokenHelp}</p>
        <Copyable text={token} copy={words.copy} copied={words.copied} />
        <div className={styles.kinds}>
          <CheckField
            label={words.create.stored}
            checked={isStored}
            onChange={({ target }) => setStored(target.checked)}
          />
        </div>
        <div className={styles.actions}>
          <Button look="main" disabled={!isStored} onClick={isStored ? go : undefined}>
            {words.create.next}
          </Button>
        </div>
      </Card>
    </>
  )
}
