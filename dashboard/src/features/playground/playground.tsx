import { type FormEvent, useId, useState } from 'react'
import type { Credential } from '../../api/client.js'
import type { ApiOperation } from '../../api/operations.js'
import { gatewayUrl } from '../../api/places.js'
import { Button } from '../../components/button.js'
import { CallLines } from '../../components/call-lines.js'
import { Confirm } from '../../components/confirm.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { useNarrow } from '../../components/use-narrow.js'
import type { ShownCall } from '../../format/shown.js'
import { useOperations, useTrial } from '../../hooks/use-playground.js'
import { useWords } from '../../words/index.js'
import { usePlaygroundWords } from '../../words/playground.js'
import { Answer } from './answer.js'
import { OperationFields } from './operation-fields.js'
import styles from './playground.module.css'
import { makeCallParts, type Typed } from './values.js'

/** Calls that take something away, by how their names begin. */
const ENDING = /^(delete|remove|reset|clear|disconnect|end|leave|rotate|drain|cancel)/
const FOUND_MAX = 30

interface PlaygroundProps {
  /** Token of each kind that the reader has. */
  readonly credentials: Readonly<Partial<Record<Credential['header'], Credential>>>
  readonly chosen: string | undefined
  readonly onChoose: (operation: string | undefined) => void
}

/** Every operation with a form, its call as code, and its answer. */
export function Playground({ credentials, chosen, onChoose }: PlaygroundProps) {
  const common = useWords()
  const words = usePlaygroundWords()
  const { data, error, refetch } = useOperations()
  const allowed = data?.filter(({ header }) => credentials[header] !== undefined) ?? []
  const operation = allowed.find(({ name }) => name === chosen)
  // On a phone the form would begin below the whole list.
  const isNarrow = useNarrow()
  const isListed = !isNarrow || operation === undefined
  const credential = operation === undefined ? undefined : credentials[operation.header]
  return (
    <div className={styles.sides}>
      {isListed ? (
        <Card>
          {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null ? <p role="status">{common.loading}</p> : null}
          {data === undefined ? null : (
            <OperationList operations={allowed} chosen={operation?.name} onChoose={onChoose} />
          )}
        </Card>
      ) : (
        <div>
          <Button onClick={() => onChoose(undefined)}>{words.all}</Button>
        </div>
      )}
      {operation === undefined || credential === undefined ? (
        <Hint />
      ) : (
        <Trial key={operation.name} operation={operation} credential={credential} />
      )}
    </div>
  )
}

function Hint() {
  const words = usePlaygroundWords()
  return (
    <Card>
      <p className={layout.muted}>{words.hint}</p>
    </Card>
  )
}

interface OperationListProps {
  readonly operations: readonly ApiOperation[]
  readonly chosen: string | undefined
  readonly onChoose: (operation: string | undefined) => void
}

/** The operations by area, or those that fit what is typed. */
function OperationList({ operations, chosen, onChoose }: OperationListProps) {
  const words = usePlaygroundWords()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = operations.filter(({ name, path, summary }) =>
    `${name} ${path} ${summary}`.toLowerCase().includes(wanted),
  )
  const areas = [...new Set(operations.map(({ area }) => area))]
  const button = (one: ApiOperation) => (
    <li key={one.name}>
      <button
        type="button"
        className={styles.operation}
        aria-current={one.name === chosen ? 'true' : undefined}
        onClick={() => onChoose(one.name)}
      >
        <span>{one.summary}</span>
        <code>
          {one.method} {one.path}
        </code>
      </button>
    </li>
  )
  return (
    <>
      <InputField
        label={words.search}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {wanted === '' ? (
        areas.map((area) => (
          <details key={area} open={operations.some((one) => one.area === area && one.name === chosen)}>
            <summary>{area}</summary>
            <ul className={styles.operations}>{operations.filter((one) => one.area === area).map(button)}</ul>
          </details>
        ))
      ) : found.length === 0 ? (
        <p role="status">{words.nothingFound}</p>
      ) : (
        <ul className={styles.operations}>{found.slice(0, FOUND_MAX).map(button)}</ul>
      )}
    </>
  )
}

interface TrialProps {
  readonly operation: ApiOperation
  readonly credential: Credential
}

function Trial({ operation, credential }: TrialProps) {
  const words = usePlaygroundWords()
  const titleId = useId()
  const codeId = useId()
  const [typed, setTyped] = useState<Typed>({})
  const [isAsked, setAsked] = useState(false)
  const trial = useTrial(credential)
  const parts = makeCallParts(operation, typed)
  const shown: ShownCall = {
    operation: operation.name,
    method: operation.method,
    base: gatewayUrl,
    path: parts.path,
    params: parts.params,
    query: parts.query,
    body: parts.body,
    files: new Map(),
    header: operation.header,
  }
  const wrong = Object.fromEntries(parts.wrong.map((key) => [key, words.wrong]))
  const isEnding = operation.method === 'DELETE' || ENDING.test(operation.name)
  const run = () => {
    setAsked(false)
    trial.mutate(shown)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (trial.isPending || parts.wrong.length > 0) return
    if (isEnding) setAsked(true)
    else run()
  }
  return (
    <Card labelledBy={titleId}>
      <div>
        <h2 id={titleId}>{operation.summary}</h2>
        <p>
          <code>
            {operation.method} {operation.path}
          </code>
        </p>
        {operation.description === '' ? null : <p className={layout.muted}>{operation.description}</p>}
      </div>
      <form className={layout.form} onSubmit={submit}>
        <OperationFields
          fields={operation.fields}
          typed={typed}
          wrong={wrong}
          onType={(key, value) => setTyped((before) => ({ ...before, [key]: value }))}
        />
        <div className={layout.row}>
          <Button type="submit" look={isEnding ? 'danger' : 'main'} isBusy={trial.isPending}>
            {words.run}
          </Button>
          <span className={layout.muted}>{words.real}</span>
        </div>
      </form>
      {trial.error === null ? null : <Failure error={trial.error} />}
      {trial.data === undefined ? null : <Answer answer={trial.data} />}
      <section aria-labelledby={codeId} className={layout.form}>
        <h3 id={codeId}>{words.code}</h3>
        <CallLines call={shown} />
      </section>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={words.sure(operation.summary)}
        action={words.run}
        isBusy={trial.isPending}
        error={null}
        onConfirm={run}
        call={shown}
      >
        <p>{words.real}</p>
      </Confirm>
    </Card>
  )
}
