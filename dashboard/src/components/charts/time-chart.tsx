import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { makeDateFormat } from '../../format/formats.js'
import { useChartWords } from '../../words/charts.js'
import { useLanguage } from '../../words/index.js'
import { DataTable } from '../data-table.js'
import styles from './charts.module.css'
import { drawPath, findNearest, makeTimeMarks, makeValueMarks } from './scale.js'
import { useWidth } from './use-width.js'

export interface Series {
  readonly name: string
  /** Number of its colour, from 1. */
  readonly colour: number
  /** One value for each time; null where there is none. */
  readonly values: readonly (number | null)[]
  /** A line of dashes without an area: an estimate. */
  readonly isEstimate?: boolean
}

interface TimeChartProps {
  /** Names the chart. */
  readonly title: string
  /** Unix milliseconds, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** Writes a value as the reader does. */
  readonly text: (value: number) => string
  /** True for things that have no parts, such as messages. */
  readonly isWhole?: boolean
  readonly look?: 'area' | 'line' | 'bars'
  /** Time that a value stands for: shown as the length of its bar. */
  readonly stepMs?: number
}

const HEIGHT = 220
const PLACE = { top: 12, right: 12, bottom: 26, left: 52 }
/** Width of a mark with its text. */
const MARK_WIDTH = 90
/** Rows of the table that stands for the chart. */
const ROWS_MAX = 300

/** Values over time, with the values below the pointer or at the arrow keys, and the same as a table. */
export function TimeChart(props: TimeChartProps) {
  const { title, times, series, text, look = 'area' } = props
  const words = useChartWords()
  const timeText = useTimeText(times)
  const [frame, width] = useWidth<HTMLDivElement>(600)
  // A time and no place: renewed figures begin later, and what one reads must not move.
  const [chosen, setChosen] = useState<number | null>(null)
  const place = chosen === null || times.length === 0 ? null : findNearest(times, chosen)
  const chart = makeLayout(props, width)
  const shown = (at: number) => series.map(({ name, values }) => `${name} ${formatValue(values[at], text, words.none)}`)

  function onPointer({ clientX, currentTarget }: PointerEvent<HTMLElement>): void {
    const pointer = clientX - currentTarget.getBoundingClientRect().left
    setChosen(times[findNearest(times.map(chart.x), pointer)] ?? null)
  }

  function onKey(event: KeyboardEvent): void {
    const next = findPlaceAfter(event.key, place ?? times.length - 1, times.length)
    if (next === null) return
    event.preventDefault()
    setChosen(times[next] ?? null)
  }

  return (
    <figure className={styles.figure}>
      <Legend series={series} />
      <div
        ref={frame}
        className={styles.frame}
        role="slider"
        tabIndex={0}
        aria-label={words.chartOf(title)}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={place ?? Math.max(0, times.length - 1)}
        aria-valuetext={formatValuesAt(place ?? times.length - 1, times, timeText.exact, shown)}
        onPointerMove={onPointer}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        onKeyDown={onKey}
      >
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" className={styles.svg}>
          <Axes chart={chart} text={text} timeText={timeText.mark} />
          {series.map((one) => (
            <Drawn key={one.name} series={one} times={times} chart={chart} look={look} />
          ))}
          {place === null ? null : <Cursor place={place} times={times} series={series} chart={chart} />}
        </svg>
        {place === null ? null : (
          <div className={styles.tip} style={placeTip(chart.x(times[place] ?? 0), width)} aria-hidden="true">
            <strong>{timeText.exact(times[place] ?? 0)}</strong>
            {series.map(({ name, colour, values }) => (
              <span key={name}>
                <Dot colour={colour} /> {name} <b>{formatValue(values[place], text, words.none)}</b>
              </span>
            ))}
          </div>
        )}
      </div>
      <ChartTable {...props} timeText={timeText.exact} />
    </figure>
  )
}

interface Layout {
  readonly width: number
  readonly marks: readonly number[]
  readonly timeMarks: readonly number[]
  readonly x: (time: number) => number
  readonly y: (value: number) => number
  readonly barWidth: number
}

function makeLayout(
  { times, series, isWhole = false, look = 'area', stepMs = 0 }: TimeChartProps,
  width: number,
): Layout {
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const marks = makeValueMarks(most, isWhole)
  const top = marks.at(-1) ?? 1
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1]
  // A bar begins at its time, and the last one has a length, too.
  const span = Math.max(1, to - from + (look === 'bars' ? stepMs : 0))
  const inner = Math.max(1, width - PLACE.left - PLACE.right)
  return {
    width,
    marks,
    timeMarks: makeTimeMarks(from, to, Math.max(1, Math.floor(inner / MARK_WIDTH))),
    x: (time) => PLACE.left + ((time - from + (look === 'bars' ? stepMs / 2 : 0)) / span) * inner,
    y: (value) => HEIGHT - PLACE.bottom - (value / top) * (HEIGHT - PLACE.top - PLACE.bottom),
    barWidth: Math.max(1, Math.min(48, (stepMs / span) * inner * 0.7)),
  }
}

interface AxesProps {
  readonly chart: Layout
  readonly text: (value: number) => string
  readonly timeText: (time: number) => string
}

function Axes({ chart, text, timeText }: AxesProps) {
  return (
    <g className={styles.axes}>
      {chart.marks.map((mark) => (
        <g key={mark}>
          <line x1={PLACE.left} x2={chart.width - PLACE.right} y1={chart.y(mark)} y2={chart.y(mark)} />
          <text x={PLACE.left - 8} y={chart.y(mark)} dy="0.32em" textAnchor="end">
            {text(mark)}
          </text>
        </g>
      ))}
      {chart.timeMarks.map((mark) => (
        <text key={mark} x={chart.x(mark)} y={HEIGHT - 6} textAnchor="middle">
          {timeText(mark)}
        </text>
      ))}
    </g>
  )
}

interface DrawnProps {
  readonly series: Series
  readonly times: readonly number[]
  readonly chart: Layout
  readonly look: NonNullable<TimeChartProps['look']>
}

function Drawn({ series: { colour, values, isEstimate = false }, times, chart, look }: DrawnProps) {
  const style = { color: `var(--series-${colour})` }
  if (look === 'bars')
    return (
      <g style={style}>
        {times.map((time, place) => {
          const value = values[place] ?? 0
          if (value === 0) return null
          const [x, y] = [chart.x(time) - chart.barWidth / 2, chart.y(value)]
          return (
            <rect key={time} x={x} y={y} width={chart.barWidth} height={chart.y(0) - y} rx={2} fill="currentColor" />
          )
        })}
      </g>
    )
  const points = times.map((time, place) => {
    const value = values[place] ?? null
    return value === null ? null : ([chart.x(time), chart.y(value)] as const)
  })
  return (
    <g style={style}>
      {look === 'area' && !isEstimate ? <path d={drawPath(points, chart.y(0))} className={styles.area} /> : null}
      <path d={drawPath(points)} className={isEstimate ? `${styles.line} ${styles.estimate}` : styles.line} />
    </g>
  )
}

interface CursorProps {
  readonly place: number
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly chart: Layout
}

function Cursor({ place, times, series, chart }: CursorProps) {
  const x = chart.x(times[place] ?? 0)
  return (
    <g>
      <line className={styles.cursor} x1={x} x2={x} y1={PLACE.top} y2={HEIGHT - PLACE.bottom} />
      {series.map(({ name, colour, values }) => {
        const value = values[place] ?? null
        return value === null ? null : (
          <circle
            key={name}
            cx={x}
            cy={chart.y(value)}
            r={4}
            className={styles.point}
            style={{ fill: `var(--series-${colour})` }}
          />
        )
      })}
    </g>
  )
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return series.length < 2 ? null : (
    <ul className={styles.legend}>
      {series.map(({ name, colour }) => (
        <li key={name}>
          <Dot colour={colour} /> {name}
        </li>
      ))}
    </ul>
  )
}

function Dot({ colour }: { readonly colour: number }) {
  return <span className={styles.dot} style={{ background: `var(--series-${colour})` }} aria-hidden="true" />
}

interface ChartTableProps extends TimeChartProps {
  readonly timeText: (time: number) => string
}

/** The values as a table, the newest first, without times at which all are 0. */
function ChartTable({ title, times, series, text, timeText }: ChartTableProps) {
  const words = useChartWords()
  const titleId = useId()
  const [isOpen, setOpen] = useState(false)
  const rows = times
    .map((time, place) => ({ time, place }))
    .filter(({ place }) => series.some(({ values }) => (values[place] ?? 0) !== 0))
    .toReversed()
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.summary} id={titleId}>
        {words.tableOf(title)}
      </summary>
      {isOpen ? (
        <DataTable
          labelledBy={titleId}
          heads={[words.time, ...series.map(({ name }) => name)]}
          rows={rows.slice(0, ROWS_MAX)}
          row={({ time, place }) => ({
            key: String(time),
            cells: [timeText(time), ...series.map(({ values }) => formatValue(values[place], text, words.none))],
          })}
        />
      ) : null}
    </details>
  )
}

function useTimeText(times: readonly number[]) {
  const language = useLanguage()
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 36 * 3_600_000
  const mark = makeDateFormat(
    language,
    isLong ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' },
  )
  const exact = makeDateFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return { mark: (time: number) => mark.format(time), exact: (time: number) => exact.format(time) }
}

function formatValue(value: number | null | undefined, text: (value: number) => string, none: string): string {
  return value === null || value === undefined ? none : text(value)
}

function formatValuesAt(
  place: number,
  times: readonly number[],
  exact: (time: number) => string,
  shown: (place: number) => readonly string[],
): string {
  const time = times[place]
  return time === undefined ? '' : [exact(time), ...shown(place)].join(', ')
}

/** Returns the place to which a key leads; null for other keys. */
function findPlaceAfter(key: string, place: number, count: number): number | null {
  if (count === 0) return null
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    PageUp: place - 10,
    PageDown: place + 10,
    Home: 0,
    End: count - 1,
  }
  const next = places[key]
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next))
}

/** The values stand on the side with more room. */
function placeTip(x: number, width: number): { readonly left?: number; readonly right?: number } {
  return x < width / 2 ? { left: x + 10 } : { right: width - x + 10 }
}
