import { useId, useState } from 'react'
import type { RequestsReply } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { CheckField, SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card, Notice } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { useKeys } from '../../hooks/use-keys.js'
import { type LogFilter, useOperations, useRequestLog } from '../../hooks/use-playground.js'
import { useLanguage, useNumbers, useWords } from '../../words/index.js'
import { usePlaygroundWords } from '../../words/playground.js'

type Request = RequestsReply['requests'][number]

/** The account's calls of the last day: who, which operation, how it ended and how long it took. */
export function RequestLog() {
  const common = useWords()
  const words = usePlaygroundWords()
  const number = useNumbers()
  const titleId = useId()
  const [filter, setFilter] = useState<LogFilter>({})
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRequestLog(filter)
  const rows = data?.pages.flatMap(({ requests }) => requests) ?? []
  const leftOut = data?.pages[0]?.leftOut ?? 0
  return (
    <Card labelledBy={titleId}>
      <div>
        <h2 id={titleId}>{words.log}</h2>
        <p className={layout.muted}>{words.logHelp}</p>
      </div>
      <Filters filter={filter} onFilter={setFilter} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : rows.length === 0 ? (
        <Notice>{Object.keys(filter).length === 0 ? words.none : words.noneFits}</Notice>
      ) : (
        <Rows titleId={titleId} rows={rows} />
      )}
      {leftOut === 0 ? null : <p className={layout.muted}>{words.leftOutCalls(number(leftOut))}</p>}
      {hasNextPage ? (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.older}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}

interface FiltersProps {
  readonly filter: LogFilter
  readonly onFilter: (filter: LogFilter) => void
}

function Filters({ filter, onFilter }: FiltersProps) {
  const words = usePlaygroundWords()
  const { data } = useOperations()
  const names = (data ?? []).filter(({ header }) => header === 'token').map(({ name }) => name)
  const { operation, failed, dashboard, ...rest } = filter
  const change = (part: LogFilter) => {
    const next = { ...filter, ...part }
    onFilter(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== false)))
  }
  return (
    <div className={layout.columns}>
      <SelectField
        label={words.operation}
        value={operation ?? ''}
        onChange={({ target }) => {
          const { operation: _, ...others } = filter
          onFilter(target.value === '' ? others : { ...rest, ...others, operation: target.value })
        }}
      >
        <option value="">{words.allOperations}</option>
        {names.toSorted().map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <div>
        <CheckField
          label={words.onlyFailed}
          checked={failed === true}
          onChange={({ target }) => change({ failed: target.checked })}
        />
        <CheckField
          label={words.withDashboard}
          checked={dashboard === true}
          onChange={({ target }) => change({ dashboard: target.checked })}
        />
      </div>
    </div>
  )
}

function Rows({ titleId, rows }: { readonly titleId: string; readonly rows: readonly Request[] }) {
  const words = usePlaygroundWords()
  const language = useLanguage()
  const number = useNumbers()
  // Only the token of the instance may read their names.
  const { data: keys } = useKeys(mayConnect())
  const getName = (key: string) => keys?.keys.find(({ id }) => id === key)?.name ?? key
  const who = ({ by, key, dashboard }: Request) =>
    [key === null ? words.by[by] : words.keyOf(getName(key)), ...(dashboard ? [words.viaDashboard] : [])].join(', ')
  return (
    <DataTable
      labelledBy={titleId}
      heads={[words.operation, words.outcome, words.duration, words.who, words.client, words.when]}
      rows={rows}
      row={(one) => ({
        key: String(one.position),
        cells: [
          <code key="operation">{one.operation}</code>,
          <span key="outcome" className={`${layout.tag} ${one.status < 400 ? layout.good : layout.bad}`}>
            {one.status} {one.code}
          </span>,
          words.took(number(one.ms)),
          <bdi key="who">{showUnseen(who(one))}</bdi>,
          <bdi key="client">{showUnseen(one.client)}</bdi>,
          <Moment key="when" at={one.at} language={language} />,
        ],
      })}
    />
  )
}
