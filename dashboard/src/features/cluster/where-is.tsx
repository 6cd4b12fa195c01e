import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import { Card } from '../../components/notice.js'
import { StatusPill } from '../../components/status-pill.js'
import { showUnseen } from '../../format/visible.js'
import { useSearchedInstances } from '../../hooks/use-fleet.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useWords } from '../../words/index.js'
import { Placement } from '../settings/placement.js'
import styles from './cluster.module.css'

const FOUND_MAX = 20

/** Finds the node that holds an instance. */
export function WhereIs() {
  const common = useWords()
  const words = useFleetWords()
  const titleId = useId()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const { data, error, refetch } = useSearchedInstances(asked, FOUND_MAX)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(typed.trim())
  }
  const found = asked === '' ? [] : (data?.instances ?? [])
  const [only] = found
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.whereIs}</h2>
      <form className={styles.search} onSubmit={submit}>
        <InputField
          label={words.whereLabel}
          maxLength={100}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit">{words.find}</Button>
      </form>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {asked !== '' && data !== undefined && found.length === 0 ? (
        <p role="status">{common.instances.noMatch}</p>
      ) : null}
      {found.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[common.instances.name, common.instances.status, words.node]}
          rows={found}
          row={({ instance, node }) => ({
            key: instance.id,
            cells: [
              <Link key="name" to="/instances/$id" params={{ id: instance.id }}>
                <bdi>{showUnseen(instance.name) || instance.id}</bdi>
              </Link>,
              <StatusPill key="status" status={instance.status} word={common.status[instance.status]} />,
              <bdi key="node">{showUnseen(node)}</bdi>,
            ],
          })}
        />
      )}
      {found.length === 1 && only !== undefined ? <Placement id={only.instance.id} /> : null}
    </Card>
  )
}
