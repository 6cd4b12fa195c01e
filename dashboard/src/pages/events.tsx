import { useNavigate, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../components/button.js'
import { Copyable } from '../components/copyable.js'
import { CheckField, InputField } from '../components/field.js'
import layout from '../components/layout.module.css'
import { Card } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { cutExcerpt, EventLog, type LoggedEvent } from '../features/events/event-log.js'
import { JsonTree } from '../features/events/json-tree.js'
import { readEventSearch, readKinds } from '../features/events/search.js'
import { makeDateFormat } from '../format/formats.js'
import { showUnseen } from '../format/visible.js'
import { INSTANCE_EVENTS, useInstanceEvents } from '../hooks/use-this-instance.js'
import { useTyped } from '../hooks/use-typed.js'
import { useEventWords } from '../words/events/index.js'
import { useLanguage, useWords } from '../words/index.js'

const KINDS = INSTANCE_EVENTS.split(',')
/** Shortest time between two drawings of the list. */
const DRAW_MS = 250
const LINE_PX = 32
/** Characters of an event in its line. */
const LINE_TEXT = 300

/** Events of the instance as they come. */
export function Events() {
  const events = useEventWords()
  const [log] = useState(() => new EventLog())
  const wanted = useSearch({ from: '/instances/$id/events' })
  const navigate = useNavigate({ from: '/instances/$id/events' })
  const change = (next: Readonly<Record<string, unknown>>) =>
    void navigate({ search: (before) => readEventSearch({ ...before, ...next }), replace: true })
  const kinds = new Set<string>(readKinds(wanted))
  const [search, setSearch] = useTyped(wanted.text ?? '', (text) => change({ text }))
  const [isPaused, setPaused] = useState(false)
  const [open, setOpen] = useState<LoggedEvent | undefined>(undefined)
  const redraw = useRedraw()
  useInstanceEvents((event) => {
    if (event === 'open') return
    log.add(event, Date.now())
    redraw()
  })
  const shown = log.find(kinds, search)
  const kindsId = useId()
  return (
    <>
      <PageHeader title={events.title} about={events.help} />
      <fieldset className={layout.group}>
        <legend id={kindsId}>{events.kinds}</legend>
        <div className={layout.checks}>
          {KINDS.map((kind) => (
            <CheckField
              key={kind}
              label={kind}
              checked={kinds.has(kind)}
              onChange={({ target }) => {
                const next = new Set(kinds)
                if (target.checked) next.add(kind)
                else next.delete(kind)
                change({ kinds: [...next].join(',') })
              }}
            />
          ))}
        </div>
      </fieldset>
      <InputField
        label={events.search}
        type="search"
        maxLength={200}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className={layout.row}>
        <Button
          onClick={() => {
            log.pause(!isPaused)
            setPaused(!isPaused)
          }}
        >
          {isPaused ? events.resume : events.pause}
        </Button>
        <Button
          onClick={() => {
            log.clear()
            redraw()
          }}
        >
          {events.clear}
        </Button>
        <span>{events.count(log.count, shown.length)}</span>
        {isPaused ? <span className={`${layout.tag} ${layout.busy}`}>{events.missed(log.missed)}</span> : null}
      </div>
      <div className={layout.columns}>
        <Lines shown={shown} search={search} open={open} onOpen={setOpen} />
        <Opened event={open} />
      </div>
    </>
  )
}

interface LinesProps {
  readonly shown: readonly LoggedEvent[]
  readonly search: string
  readonly open: LoggedEvent | undefined
  readonly onOpen: (event: LoggedEvent) => void
}

/** Draws only the lines in sight. */
function Lines({ shown, search, open, onOpen }: LinesProps) {
  const events = useEventWords()
  const language = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  // The virtualizer computes the place of each line again when this function changes.
  const getKey = useCallback((index: number) => shown[index]?.number ?? index, [shown])
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PX,
    getItemKey: getKey,
    overscan: 10,
  })
  const time = makeDateFormat(language, { timeStyle: 'medium' })
  if (shown.length === 0) return <p>{events.none}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of lines, of which only some are in the document.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
    <div className={layout.log} ref={place} role="group" tabIndex={0} aria-label={events.title}>
      <div style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const event = shown[index]
          return event === undefined ? null : (
            <button
              key={key}
              type="button"
              className={layout.line}
              aria-pressed={open?.number === event.number}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onOpen(event)}
            >
              <span>{time.format(event.atMs)}</span>
              <strong>{showUnseen(event.kind)}</strong>
              <bdi>{showUnseen(cutExcerpt(event.text, search, LINE_TEXT))}</bdi>
            </button>
          )
        })}
      </div>
    </div>
  )
}

function Opened({ event }: { readonly event: LoggedEvent | undefined }) {
  const words = useWords()
  const events = useEventWords()
  const titleId = useId()
  if (event === undefined) return <p>{events.choose}</p>
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{showUnseen(event.kind)}</h2>
      {event.isCut ? (
        <p>{events.cut}</p>
      ) : (
        <JsonTree key={event.number} name={event.kind} value={JSON.parse(event.text)} />
      )}
      <details>
        <summary>{events.raw}</summary>
        <Copyable text={showUnseen(event.text)} copy={words.copy} copied={words.copied} />
      </details>
    </Card>
  )
}

/** Returns a function that draws the component again, at most once in a while, however many events come. */
function useRedraw(): () => void {
  const [, setTurn] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setTurn((turn) => turn + 1)
    }, DRAW_MS)
  }
}
