import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { CheckField, InputField, SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { useNodes } from '../../hooks/use-fleet.js'
import { useTyped } from '../../hooks/use-typed.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useWords } from '../../words/index.js'
import { SavedFilters } from '../saved/saved-filters.js'
import styles from './instances.module.css'
import {
  CAUSES,
  COLUMNS,
  type InstancesSearch,
  readColumns,
  readInstancesSearch,
  SORTS,
  STATUSES,
  type Status,
} from './view.js'

const NO_FILTERS = {
  search: undefined,
  status: undefined,
  missing: undefined,
  cause: undefined,
  node: undefined,
  tag: undefined,
}

interface FiltersProps {
  readonly view: InstancesSearch
  readonly counts: Readonly<Record<Status, number>> | null
  readonly searchPlace: RefObject<HTMLInputElement | null>
}

/** Search, chips, and the filters that are needed less often. All of them are in the address. */
export function Filters({ view, counts, searchPlace }: FiltersProps) {
  const words = useWords()
  const bulk = useBulkWords()
  const change = useChangeView()
  const [typed, setTyped] = useTyped(view.search ?? '', (search) => change({ search: search || undefined }))
  const { columns: _columns, sort: _sort, ...filtered } = view
  const all = counts === null ? null : STATUSES.reduce((sum, one) => sum + counts[one], 0)
  return (
    <search className={styles.filters}>
      <input
        ref={searchPlace}
        className={styles.search}
        type="search"
        aria-label={words.instances.search}
        aria-keyshortcuts="/"
        placeholder={words.instances.search}
        maxLength={100}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className={layout.chips}>
        <Chip
          isChosen={view.status === undefined && view.missing === undefined}
          count={view.missing ? null : all}
          word={words.instances.all}
          onChoose={() => change({ status: undefined, missing: undefined })}
        />
        {STATUSES.map((one) => (
          <Chip
            key={one}
            isChosen={view.status === one}
            count={counts?.[one] ?? null}
            word={words.status[one]}
            onChoose={() => change({ status: one, missing: undefined })}
          />
        ))}
        <Chip
          isChosen={view.missing === true}
          count={null}
          word={bulk.missing}
          onChoose={() => change({ status: undefined, missing: view.missing === true ? undefined : true })}
        />
      </div>
      <SavedFilters
        page="instances"
        current={filtered}
        onChoose={(search) => change({ ...NO_FILTERS, ...readInstancesSearch(search) })}
      />
      <MoreFilters view={view} />
    </search>
  )
}

function MoreFilters({ view }: { readonly view: InstancesSearch }) {
  const words = useBulkWords()
  const change = useChangeView()
  const [isOpen, setOpen] = useState(false)
  const { data: nodes } = useNodes({ isLive: false, isAsked: isOpen || view.node !== undefined })
  const [tag, setTag] = useTyped(view.tag ?? '', (typed) => change({ tag: typed || undefined }))
  const columns = readColumns(view)
  const names = new Set([...(nodes?.nodes.map(({ id }) => id) ?? []), ...(view.node === undefined ? [] : [view.node])])
  return (
    <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.more}</summary>
      <div className={styles.fields}>
        <SelectField
          label={words.cause}
          value={view.cause ?? ''}
          onChange={({ target }) => change({ cause: CAUSES.find((one) => one === target.value) })}
        >
          <option value="">{words.any}</option>
          {CAUSES.map((one) => (
            <option key={one} value={one}>
              {words.causes[one]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={words.node}
          value={view.node ?? ''}
          onChange={({ target }) => change({ node: target.value === '' ? undefined : target.value })}
        >
          <option value="">{words.any}</option>
          {[...names].map((one) => (
            <option key={one} value={one}>
              {showUnseen(one)}
            </option>
          ))}
        </SelectField>
        <InputField
          label={words.tag}
          maxLength={50}
          autoComplete="off"
          value={tag}
          onChange={({ target }) => setTag(target.value)}
        />
        <SelectField
          label={words.sort}
          value={view.sort ?? '-created'}
          onChange={({ target }) => change({ sort: SORTS.find((one) => one === target.value) })}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {words.sorts[one]}
            </option>
          ))}
        </SelectField>
        <fieldset className={styles.columns}>
          <legend>{words.columns}</legend>
          {COLUMNS.map((column) => (
            <CheckField
              key={column}
              label={words.column[column]}
              checked={columns.includes(column)}
              onChange={({ target }) =>
                change({
                  columns:
                    COLUMNS.filter((one) => (one === column ? target.checked : columns.includes(one))).join(',') ||
                    'none',
                })
              }
            />
          ))}
        </fieldset>
      </div>
    </details>
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
    <button type="button" className={layout.chip} aria-pressed={isChosen} onClick={onChoose}>
      {word}
      {count === null ? '' : ` ${count}`}
    </button>
  )
}

type Change = { readonly [Name in keyof InstancesSearch]?: InstancesSearch[Name] | undefined }

/** Returns a function that changes the address. A parameter that is undefined is taken away. */
function useChangeView(): (change: Change) => void {
  const navigate = useNavigate({ from: '/instances' })
  return (change) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
        ) as InstancesSearch,
      replace: true,
    })
}
