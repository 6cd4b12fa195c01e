import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import {
  forgetFilter,
  isSameFilter,
  keepFilter,
  NAME_MAX,
  readFilters,
  SAVED_MAX,
  type Store,
} from '../../hooks/saved-filters.js'
import { useSavedWords } from '../../words/saved/index.js'

/** Asks for the store at each use: a browser that forbids it throws then. */
const browserStore: Store = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
}

type Search = Readonly<Record<string, unknown>>

interface SavedFiltersProps {
  /** Page on which the filters are used, with its instance where they belong to one. */
  readonly page: string
  /** The filter of the address; empty if there is none. */
  readonly current: Search
  readonly onChoose: (search: Search) => void
}

/** Keeps the filter of the address under a name, and brings back one that was kept. */
export function SavedFilters({ page, current, onChoose }: SavedFiltersProps) {
  const words = useSavedWords()
  const [saved, setSaved] = useState(() => readFilters(browserStore, page))
  const [isNaming, setNaming] = useState(false)
  const chosen = saved.find(({ search }) => isSameFilter(search, current))
  const isFiltered = Object.values(current).some((value) => value !== undefined)
  if (saved.length === 0 && !isFiltered) return null
  const refresh = () => setSaved(readFilters(browserStore, page))
  return (
    <div className={layout.chips}>
      {saved.length === 0 ? null : (
        <select
          aria-label={words.saved}
          value={chosen?.name ?? ''}
          onChange={({ target }) => {
            const next = saved.find(({ name }) => name === target.value)
            if (next !== undefined) onChoose(next.search)
          }}
        >
          <option value="">{words.choose}</option>
          {saved.map(({ name }) => (
            <option key={name} value={name}>
              {showUnseen(name)}
            </option>
          ))}
        </select>
      )}
      {chosen !== undefined ? (
        <Button
          onClick={() => {
            forgetFilter(browserStore, page, chosen.name)
            refresh()
          }}
        >
          {words.forget}
        </Button>
      ) : isFiltered ? (
        <Button onClick={() => setNaming(true)}>{words.save}</Button>
      ) : null}
      {isNaming ? (
        <Naming page={page} current={current} count={saved.length} onKept={refresh} onClose={() => setNaming(false)} />
      ) : null}
    </div>
  )
}

interface NamingProps extends Pick<SavedFiltersProps, 'page' | 'current'> {
  readonly count: number
  readonly onKept: () => void
  readonly onClose: () => void
}

function Naming({ page, current, count, onKept, onClose }: NamingProps) {
  const words = useSavedWords()
  const [name, setName] = useState('')
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isKept = keepFilter(browserStore, page, { name: name.trim(), search: current })
    setRefused(!isKept)
    if (!isKept) return
    onKept()
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.save}>
      <form className={layout.form} onSubmit={submit}>
        <InputField
          label={words.name}
          help={words.nameHelp}
          required
          pattern=".*\S.*"
          maxLength={NAME_MAX}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {isRefused ? <p role="alert">{count >= SAVED_MAX ? words.full(SAVED_MAX) : words.notKept}</p> : null}
        <div>
          <Button type="submit" look="main">
            {words.keep}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
