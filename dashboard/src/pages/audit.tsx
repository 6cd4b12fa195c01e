import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ClipboardList } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { AuditEntry } from '../../../schemas/generated.js'
import { Button } from '../components/button.js'
import { DataTable } from '../components/data-table.js'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { CheckField, InputField } from '../components/field.js'
import { Moment } from '../components/moment.js'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { Skeleton } from '../components/skeleton.js'
import { showUnseen } from '../format/visible.js'
import { isAdmin, useAudit } from '../hooks/use-fleet.js'
import type { AuditSearch } from '../routes.js'
import { useFleetWords } from '../words/fleet/index.js'
import { useLanguage, useWords } from '../words/index.js'
import styles from './audit.module.css'

/** Operations that change nothing, or only sign in: pages of the dashboard call them all the time. */
const QUIET = /^(find|list|show|search|tell|stream|give|download)|^open(InstancePass|Pass|PassCode)$|^endPass$/

const INSTANCE_ID = /^i[a-z0-9]{15}$/

/** Changes that people and programs have made, newest first. */
export function Audit() {
  const words = useWords()
  const own = useFleetWords()
  const search = useSearch({ from: '/audit' })
  const titleId = useId()
  const { data, error, refetch, isFetching } = useAudit(makeQuery(search))
  if (!isAdmin()) return <Notice>{own.needsAdmin}</Notice>
  // Who asks for an operation or a pass gets all of it.
  const hidesQuiet = search.all !== true && search.operation === undefined && search.pass === undefined
  const entries = data?.entries.filter(({ operation }) => !hidesQuiet || !QUIET.test(operation))
  return (
    <>
      <PageHeader titleId={titleId} title={words.pages.audit} about={words.abouts.audit} />
      <Filters key={JSON.stringify(search)} search={search} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <AllChoice search={search} />
      {data === undefined && error === null ? <Skeleton /> : null}
      {entries?.length === 0 ? <EmptyState icon={ClipboardList} title={own.noEntries} /> : null}
      {entries === undefined || entries.length === 0 ? null : (
        <div aria-busy={isFetching}>
          <Entries entries={entries} labelledBy={titleId} />
        </div>
      )}
      <nav className={styles.pages} aria-label={words.pages.audit}>
        {search.before === undefined ? null : (
          <Link to="/audit" search={({ before: _, ...rest }) => rest}>
            {own.newest}
          </Link>
        )}
        {data?.next == null ? null : (
          <Link to="/audit" search={{ ...search, before: data.next }}>
            {own.older}
          </Link>
        )}
      </nav>
    </>
  )
}

function AllChoice({ search }: { readonly search: AuditSearch }) {
  const own = useFleetWords()
  const navigate = useNavigate({ from: '/audit' })
  const { all = false, before: _, ...rest } = search
  return (
    <CheckField
      label={own.withReads}
      checked={all}
      onChange={({ target }) =>
        void navigate({ search: target.checked ? { ...rest, all: true } : rest, replace: true })
      }
    />
  )
}

function makeQuery({ from, all: _, ...rest }: AuditSearch) {
  return { ...rest, ...(from === undefined ? {} : { from: `${from}T00:00:00Z` }) }
}

function Filters({ search }: { readonly search: AuditSearch }) {
  const words = useFleetWords()
  const navigate = useNavigate({ from: '/audit' })
  const [typed, setTyped] = useState({
    operation: search.operation ?? '',
    subject: search.subject ?? '',
    pass: search.pass ?? '',
    from: search.from ?? '',
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = Object.entries(typed).map(([name, value]) => [name, value.trim()])
    const all = search.all === true ? { all: true as const } : {}
    void navigate({
      search: { ...(Object.fromEntries(given.filter(([, value]) => value !== '')) as AuditSearch), ...all },
    })
  }
  const fields = [
    ['operation', words.operation, 'text'],
    ['subject', words.subject, 'text'],
    ['pass', words.pass, 'text'],
    ['from', words.fromDay, 'date'],
  ] as const
  return (
    <search>
      <form className={styles.filters} onSubmit={submit}>
        {fields.map(([name, label, type]) => (
          <InputField
            key={name}
            label={label}
            type={type}
            maxLength={100}
            autoComplete="off"
            value={typed[name]}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        ))}
        <Button type="submit" look="main">
          {words.filter}
        </Button>
        <Button onClick={() => void navigate({ search: {} })}>{words.clear}</Button>
      </form>
    </search>
  )
}

function Entries({ entries, labelledBy }: { readonly entries: readonly AuditEntry[]; readonly labelledBy: string }) {
  const words = useFleetWords()
  const language = useLanguage()
  return (
    <DataTable
      labelledBy={labelledBy}
      heads={[words.at, words.who, words.operation, words.subject, words.outcome, words.request]}
      rows={entries}
      row={(entry) => ({
        key: String(entry.position),
        cells: [
          <Moment key="at" at={entry.at} language={language} />,
          <Who key="who" entry={entry} />,
          <Link key="operation" to="/audit" search={{ operation: entry.operation }}>
            <code>{entry.operation}</code>
          </Link>,
          linkSubject(entry),
          entry.status === null ? words.underWay : <code key="status">{`${entry.status} ${entry.code}`.trim()}</code>,
          <span key="request" className={styles.small}>
            <bdi>{showUnseen(entry.requestId)}</bdi>
            <br />
            <bdi>{showUnseen(entry.address)}</bdi>
          </span>,
        ],
      })}
    />
  )
}

function Who({ entry: { actorKind, actor, pass } }: { readonly entry: AuditEntry }) {
  const words = useFleetWords()
  return (
    <span className={styles.small}>
      {words.actors[actorKind]} <bdi>{showUnseen(actor)}</bdi>
      {pass === '' ? null : (
        <>
          <br />
          <Link to="/audit" search={{ pass }}>
            {words.passOf(pass)}
          </Link>
        </>
      )}
    </span>
  )
}

/** Links to the thing that the entry is about, if it has a page. */
function linkSubject({ subject, operation }: AuditEntry): ReactNode {
  if (INSTANCE_ID.test(subject))
    return (
      <Link key="subject" to="/instances/$id" params={{ id: subject }}>
        {subject}
      </Link>
    )
  if (operation === 'drainNode')
    return (
      <Link key="subject" to="/cluster">
        <bdi>{showUnseen(subject)}</bdi>
      </Link>
    )
  if (subject === '') return ''
  return (
    <Link key="subject" to="/audit" search={{ subject }}>
      <bdi>{showUnseen(subject)}</bdi>
    </Link>
  )
}
