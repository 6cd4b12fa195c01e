import { Popover as Parts } from '@base-ui/react/popover'
import { Link } from '@tanstack/react-router'
import { Check, Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react'
import { Failure } from '../../components/failure.js'
import { StatusPill } from '../../components/status-pill.js'
import { showUnseen } from '../../format/visible.js'
import { useSearchedInstances } from '../../hooks/use-fleet.js'
import { useWords } from '../../words/index.js'

const SHOWN_MAX = 20

interface ChooserPopupProps {
  /** The button at which it stands; null: it is closed. */
  readonly anchor: HTMLElement | null
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
  readonly onClose: () => void
}

/** Finds an instance by a part of its name or number. */
export function ChooserPopup({ anchor, chosen, onChoose, onClose }: ChooserPopupProps) {
  const words = useWords()
  const last = useRef(anchor)
  if (anchor !== null) last.current = anchor
  return (
    <Parts.Root open={anchor !== null} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Positioner className="z-20" anchor={last.current} side="bottom" align="start" sideOffset={4}>
          <Parts.Popup
            className="grid max-h-[min(32rem,var(--available-height))] w-[min(20rem,calc(100vw-1rem))] grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden rounded-xl border border-line bg-raised shadow-pop"
            aria-label={words.chooseInstance}
            finalFocus={last}
          >
            <Found chosen={chosen} onChoose={onChoose} />
            <Link
              to="/instances/new"
              className="flex min-h-control items-center gap-2 border-t border-line px-3.5 py-2 text-text no-underline hover:bg-hover"
              onClick={onClose}
            >
              <Plus size={16} aria-hidden />
              {words.instances.create}
            </Link>
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  )
}

function Found({ chosen, onChoose }: Pick<ChooserPopupProps, 'chosen' | 'onChoose'>) {
  const words = useWords()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [place, setPlace] = useState(0)
  const { data, error, refetch } = useSearchedInstances(useDeferredValue(typed.trim()), SHOWN_MAX, true)
  const rows = data?.instances ?? []
  const active = Math.min(place, rows.length - 1)
  const onKey = (event: KeyboardEvent) => {
    const at = rows[active]
    if (event.key === 'ArrowDown') setPlace(Math.min(rows.length - 1, active + 1))
    else if (event.key === 'ArrowUp') setPlace(Math.max(0, active - 1))
    else if (event.key === 'Enter' && at !== undefined) onChoose(at.instance.id)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3.5">
        <Search size={16} aria-hidden className="shrink-0 text-muted" />
        <input
          className="min-h-control w-full bg-transparent py-2 outline-none"
          type="text"
          role="combobox"
          aria-label={words.instances.search}
          placeholder={words.instances.search}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setPlace(0)
          }}
          onKeyDown={onKey}
        />
      </div>
      <div className="overflow-auto p-1.5" role="listbox" id={listId} aria-label={words.instances.title}>
        {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
        {rows.map(({ instance }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of its options.
          <div
            key={instance.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="flex items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover aria-selected:bg-hover"
            onClick={() => onChoose(instance.id)}
          >
            <span className="grid min-w-0 flex-1">
              <bdi className="truncate font-medium">{showUnseen(instance.name) || instance.id}</bdi>
              <span className="truncate text-xs text-muted">
                {instance.owner === '' ? words.instances.notPaired : `+${instance.owner}`}
              </span>
            </span>
            <StatusPill status={instance.status} word={words.status[instance.status]} />
            {instance.id === chosen ? <Check size={16} aria-hidden className="shrink-0 text-accent-text" /> : null}
          </div>
        ))}
      </div>
      <p className="sr-only" role="status">
        {rows.length === 0 ? words.instances.noMatch : words.instances.count(rows.length)}
      </p>
    </>
  )
}
