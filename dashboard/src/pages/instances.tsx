import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FoundInstance, InstanceFilter } from '../../../schemas/generated.js'
import { Button } from '../components/button.js'
import { Failure } from '../components/failure.js'
import { Moment } from '../components/moment.js'
import { Card, Notice } from '../components/notice.js'
import { StatusPill } from '../components/status-pill.js'
import { visible } from '../format/visible.js'
import { useInstances, useLiveInstances } from '../hooks/use-instances.js'
import type { Status } from '../routes.js'
import { useLanguage, useWords } from '../words/index.js'
import styles from './instances.module.css'

const STATUSES = ['connected', 'connecting', 'disconnected'] as const
/** Time without typing after which the search is asked. */
const TYPING_MS = 250
const ROW_PX = 64
/** Rows before the end of the list at which the next page is read. */
const AHEAD = 30

export function Instances() {
  const words = useWords()
  const { search, status } = useSearch({ from: '/instances' })
  const filter = useMemo(
    (): InstanceFilter => ({
      ...(search === undefined ? {} : { search }),
      ...(status === undefined ? {} : { status: [status] }),
    }),
    [search, status],
  )
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInstances(filter)
  useLiveInstances()
  const rows = useMemo(() => data?.pages.flatMap(({ instances }) => instances) ?? [], [data])
  const counts = data?.pages[0]?.counts ?? null
  const isUnfiltered = search === undefined && status === undefined
  return (
    <>
      <div className={styles.head}>
        <h1>{words.instances.title}</h1>
        <Link to="/instances/new" className={styles.create}>
          {words.instances.create}
        </Link>
      </div>
      <Filters search={search} status={status} counts={counts} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null ? <p role="status">{words.loading}</p> : null}
      {data !== undefined && rows.length === 0 ? <Empty isUnfiltered={isUnfiltered} /> : null}
      {rows.length === 0 ? null : (
        <InstanceTable rows={rows} onEnd={() => hasNextPage && !isFetchingNextPage && void fetchNextPage()} />
      )}
    </>
  )
}

interface FiltersProps {
  readonly search: string | undefined
  readonly status: Status | undefined
  readonly counts: Readonly<Record<Status, number>> | null
}

function Filters({ search, status, counts }: FiltersProps) {
  const words = useWords()
  const navigate = useNavigate({ from: '/instances' })
  const [typed, setTyped] = useState(search ?? '')
  useEffect(() => {
    if (typed === (search ?? '')) return undefined
    const timer = setTimeout(
      () =>
        void navigate({
          search: ({ search: _, ...rest }) => (typed === '' ? rest : { ...rest, search: typed }),
          replace: true,
        }),
      TYPING_MS,
    )
    return () => clearTimeout(timer)
  }, [typed, search, navigate])
  const choose = (chosen: Status | undefined) =>
    void navigate({ search: ({ status: _, ...rest }) => (chosen === undefined ? rest : { ...rest, status: chosen }) })
  const all = counts === null ? null : STATUSES.reduce((sum, one) => sum + counts[one], 0)
  return (
    <search className={styles.filters}>
      <input
        className={styles.search}
        type="search"
        aria-label={words.instances.search}
        placeholder={words.instances.search}
        maxLength={100}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className={styles.chips}>
        <Chip
          isChosen={status === undefined}
          count={all}
          word={words.instances.all}
          onChoose={() => choose(undefined)}
        />
        {STATUSES.map((one) => (
          <Chip
            key={one}
            isChosen={status === one}
            count={counts?.[one] ?? null}
            word={words.status[one]}
            onChoose={() => choose(one)}
          />
        ))}
      </div>
    </search>
  )
}

interface ChipProps {
  readonly isChosen: boolean
  readonly count: number | null
  readonly word: string
  readonly onChoose: () => void
}

function Chip({ isChosen, count, word, onChoose }: ChipProps) {
  return (
    <button type="button" className={styles.chip} aria-pressed={isChosen} onClick={onChoose}>
      {word}
      {count === null ? '' : ` ${count}`}
    </button>
  )
}

function Empty({ isUnfiltered }: { readonly isUnfiltered: boolean }) {
  const words = useWords()
  const navigate = useNavigate({ from: '/instances' })
  if (!isUnfiltered)
    return (
      <Notice>
        <p>{words.instances.noMatch}</p>
        <Button onClick={() => void navigate({ search: {} })}>{words.instances.clear}</Button>
      </Notice>
    )
  return (
    <Card>
      <h2>{words.instances.none}</h2>
      <p>{words.instances.noneHelp}</p>
      <p>
        <Link to="/instances/new" className={styles.create}>
          {words.instances.create}
        </Link>
      </p>
    </Card>
  )
}

/** Draws only the rows in sight. */
function InstanceTable({ rows, onEnd }: { readonly rows: readonly FoundInstance[]; readonly onEnd: () => void }) {
  const words = useWords()
  const place = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.instance.id ?? index,
    overscan: 10,
  })
  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)
  const lastIndex = last?.index ?? -1
  useEffect(() => {
    if (lastIndex >= rows.length - AHEAD) onEnd()
  }, [lastIndex, rows.length, onEnd])
  const { name, number, status, node, activity } = words.instances
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
    <section className={styles.list} ref={place} tabIndex={0} aria-label={words.instances.title}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {[name, number, status, node, activity].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space heightPx={shown[0]?.start ?? 0} />
          {shown.map(({ index, key }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <InstanceRow key={key} row={row} index={index} measure={virtualizer.measureElement} />
            )
          })}
          <Space heightPx={virtualizer.getTotalSize() - (last?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

function Space({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus.
    <tr aria-hidden="true" className={styles.space}>
      <td colSpan={5} style={{ height: heightPx }} />
    </tr>
  )
}

interface RowProps {
  readonly row: FoundInstance
  readonly index: number
  readonly measure: (element: Element | null) => void
}

function InstanceRow({ row: { instance, node, paired, lastActivity }, index, measure }: RowProps) {
  const words = useWords()
  const language = useLanguage()
  const { id, name, owner, status, lastDisconnectReason } = instance
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        <Link to="/instances/$id" params={{ id }}>
          <bdi>{visible(name) || id}</bdi>
        </Link>
      </th>
      <td>{paired && owner !== '' ? `+${owner}` : words.instances.notPaired}</td>
      <td>
        <StatusPill status={status} word={words.status[status]} />
        {status !== 'connected' && lastDisconnectReason ? (
          <div className={styles.reason}>
            <bdi>{visible(lastDisconnectReason)}</bdi>
          </div>
        ) : null}
      </td>
      <td>{node}</td>
      <td>{lastActivity === null ? words.instances.never : <Moment at={lastActivity} language={language} />}</td>
    </tr>
  )
}
