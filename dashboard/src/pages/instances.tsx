import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Smartphone } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Button, makeButtonLook } from '../components/button.js'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { Skeleton } from '../components/skeleton.js'
import { BulkBar } from '../features/instances/bulk-bar.js'
import { Filters } from '../features/instances/filters.js'
import { ImportInstance } from '../features/instances/import-instance.js'
import { InstanceTable } from '../features/instances/instance-table.js'
import { isFiltered, makeInstanceFilter, readColumns } from '../features/instances/view.js'
import { isAdmin } from '../hooks/use-fleet.js'
import { useInstances, useLiveInstances } from '../hooks/use-instances.js'
import { useFleetWords } from '../words/fleet/index.js'
import { useWords } from '../words/index.js'

/** Selected instances: some, or all that match the filter. */
type Selection = ReadonlySet<string> | 'all'
const NOTHING: ReadonlySet<string> = new Set()
/** Maximum of ids that one call takes. */
const IDS_MAX = 1_000

/** All instances, and what can be done with many of them. */
export function Instances() {
  const words = useWords()
  const fleet = useFleetWords()
  const view = useSearch({ from: '/instances' })
  const filter = useMemo(() => makeInstanceFilter(view), [view])
  const isReady = useLiveInstances(filter, view.sort)
  const list = useInstances(filter, view.sort, isReady)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [selectedFilter, setSelectedFilter] = useState(filter)
  if (selectedFilter !== filter) {
    // Another filter shows other instances: nothing unseen stays selected.
    setSelectedFilter(filter)
    setSelection(NOTHING)
  }
  const searchPlace = useRef<HTMLInputElement>(null)
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list
  const rows = useMemo(() => data?.pages.flatMap(({ instances }) => instances) ?? [], [data])
  const columns = useMemo(() => readColumns(view), [view])
  const counts = data?.pages[0]?.counts ?? null
  const all = counts === null ? null : counts.connected + counts.connecting + counts.disconnected
  const matching = all === null || counts === null ? null : countMatching(filter.status, counts)
  if (!isAdmin()) return <Notice>{fleet.needsAdmin}</Notice>

  const isSelected = (id: string) => selection === 'all' || selection.has(id)
  const select = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(selection === 'all' ? rows.map(({ instance }) => instance.id) : selection)
    for (const id of ids) isChosen ? next.add(id) : next.delete(id)
    setSelection(new Set([...next].slice(0, IDS_MAX)))
  }
  const count = selection === 'all' ? null : selection.size
  return (
    <>
      <PageHeader title={words.instances.title} about={words.abouts.instances}>
        <ImportInstance />
        <NewInstance />
      </PageHeader>
      <Filters view={view} counts={counts} searchPlace={searchPlace} />
      {count === 0 ? null : (
        <BulkBar
          chosen={selection === 'all' ? { filter } : { ids: [...selection] }}
          count={count}
          all={matching}
          onAll={() => setSelection('all')}
          onNone={() => setSelection(NOTHING)}
        />
      )}
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null ? <Skeleton /> : null}
      {data !== undefined && rows.length === 0 ? <Empty isUnfiltered={!isFiltered(view)} /> : null}
      {rows.length === 0 ? null : (
        <InstanceTable
          rows={rows}
          columns={columns}
          isSelected={isSelected}
          onSelect={select}
          onEnd={() => hasNextPage && !isFetchingNextPage && void fetchNextPage()}
          searchPlace={searchPlace}
        />
      )}
    </>
  )
}

type Counts = Readonly<Record<'connected' | 'connecting' | 'disconnected', number>>

/** Returns how many instances match: the counts are of every status, whatever the filter says. */
function countMatching(statuses: readonly (keyof Counts)[] | undefined, counts: Counts): number {
  const counted = statuses ?? (['connected', 'connecting', 'disconnected'] as const)
  return counted.reduce((sum, status) => sum + counts[status], 0)
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
    <EmptyState icon={Smartphone} title={words.instances.none} action={<NewInstance />}>
      {words.instances.noneHelp}
    </EmptyState>
  )
}

function NewInstance() {
  const words = useWords()
  return (
    <Link to="/instances/new" className={makeButtonLook({ look: 'main' })}>
      <Plus size={16} aria-hidden />
      {words.instances.create}
    </Link>
  )
}
