import { useId } from 'react'
import { DataTable } from '../../components/data-table.js'
import { Card } from '../../components/notice.js'
import { formatDelay } from '../../format/duration.js'
import { formatSize } from '../../format/size.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useLanguage } from '../../words/index.js'
import styles from './line.module.css'
import { findLastMinute, findLongestStop, listHour, type MinuteFigures, type NodeFigures } from './node-minutes.js'
import { Spark } from './spark.js'

type Name = 'lag' | 'memory' | 'commit' | 'journalWaiting'

interface Figure {
  readonly name: Name
  readonly read: (minute: MinuteFigures) => number
  readonly text: (value: number, language: string) => string
  /** Least value at the top of its line. */
  readonly top: number
}

const FIGURES: readonly Figure[] = [
  { name: 'lag', read: ({ lagSeconds }) => lagSeconds, text: formatDelay, top: 0.1 },
  { name: 'memory', read: ({ memoryBytes }) => memoryBytes, text: formatSize, top: 1 },
  { name: 'commit', read: ({ commitSeconds }) => commitSeconds, text: formatDelay, top: 0.1 },
  { name: 'journalWaiting', read: ({ waitingBytes }) => waitingBytes, text: formatSize, top: 2 ** 20 },
]

/** The last hour of each node: its newest value and a line for each figure. */
export function NodeHours({ nodes }: { readonly nodes: readonly NodeFigures[] }) {
  const words = useFleetWords()
  const titleId = useId()
  const last = findLastMinute(nodes)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.nodeHours}</h2>
      <p>{words.nodeHoursHelp}</p>
      <DataTable
        labelledBy={titleId}
        heads={[words.node, ...FIGURES.map(({ name }) => words.nodeFigures[name])]}
        rows={nodes}
        row={(node) => ({
          key: `${node.id} ${node.incarnation}`,
          cells: [
            <Name key="id" node={node} />,
            ...(node.minutes === null
              ? FIGURES.map(() => words.noReading)
              : FIGURES.map((figure) => (
                  <Hour key={figure.name} figure={figure} node={showUnseen(node.id)} minutes={listHour(node, last)} />
                ))),
          ],
        })}
      />
    </Card>
  )
}

/** The name of a node, with the longest stop of its event loop and what caused it. */
function Name({ node }: { readonly node: NodeFigures }) {
  const words = useFleetWords()
  const language = useLanguage()
  const stopped = findLongestStop(node)
  return (
    <>
      <bdi>{showUnseen(node.id)}</bdi>
      {stopped === undefined ? null : (
        <p>
          {words.longestStop(
            formatDelay(stopped.longestStop.seconds, language),
            formatExactTime(new Date(stopped.at), language),
            describeWork(stopped.longestStop),
            showUnseen(stopped.longestStop.instance),
          )}
        </p>
      )}
    </>
  )
}

/** Names the work of a stop: `command send`, and its feature where that says more. */
function describeWork({ kind, operation, feature = '' }: NonNullable<MinuteFigures['longestStop']>): string {
  const words = [kind, operation].filter((word) => word !== '').join(' ')
  return feature === '' || feature === operation ? words : `${words} (${feature})`
}

interface HourProps {
  readonly figure: Figure
  readonly node: string
  readonly minutes: readonly (MinuteFigures | null)[]
}

function Hour({ figure: { name, read, text, top }, node, minutes }: HourProps) {
  const words = useFleetWords()
  const language = useLanguage()
  const values = minutes.map((minute) => (minute === null ? null : read(minute)))
  const known = values.filter((value) => value !== null)
  const newest = text(known.at(-1) ?? 0, language)
  const most = text(Math.max(0, ...known), language)
  return (
    <div className={styles.hour}>
      <span>{newest}</span>
      <Spark label={words.hourOf(words.nodeFigures[name], node, newest, most)} values={values} top={top} />
    </div>
  )
}
