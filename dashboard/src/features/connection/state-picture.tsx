import { useId } from 'react'
import type { StatusReply } from '../../../../schemas/generated.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useConnectionWords } from '../../words/connection/index.js'
import { useLanguage } from '../../words/index.js'
import styles from './connection.module.css'

const STATES = {
  disconnected: { x: 4, y: 80 },
  pairing: { x: 180, y: 10 },
  opening: { x: 180, y: 150 },
  connected: { x: 400, y: 10 },
  waiting: { x: 400, y: 150 },
} as const
type State = keyof typeof STATES

const BOX = { width: 128, height: 40 }

/** Ways between the states, as lines from edge to edge of their boxes. */
const EDGES: readonly { readonly name: string; readonly line: string }[] = [
  { name: 'pair', line: '100,80 180,38' },
  { name: 'open', line: '100,120 180,162' },
  { name: 'paired', line: '244,50 244,150' },
  { name: 'opened', line: '308,158 400,44' },
  { name: 'lost', line: '464,50 464,150' },
  { name: 'again', line: '400,174 308,174' },
  { name: 'ended', line: '464,10 464,0 68,0 68,80' },
]

/** The five states of the connection, the present one marked, the last cause on its way, and the next attempt. */
export function StatePicture({ status }: { readonly status: StatusReply['status'] }) {
  const words = useConnectionWords()
  const language = useLanguage()
  const titleId = useId()
  const state = readState(status.state)
  const edge = findEdge(state, status.cause)
  const cause = showUnseen(status.cause ?? '')
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.picture}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys. */}
      {/* biome-ignore lint/a11y/useSemanticElements: the groups of forms are fieldsets, this is none. */}
      <div className={styles.scroll} tabIndex={0} role="group" aria-labelledby={titleId}>
        <svg
          className={styles.picture}
          viewBox="-4 -12 680 212"
          role="img"
          aria-label={words.described(words.states[state], cause)}
        >
          {EDGES.map(({ name, line }) => (
            <g key={name} className={name === edge ? styles.edgeNow : styles.edge}>
              <polyline points={line} fill="none" />
              <polygon points={drawHead(line)} />
            </g>
          ))}
          {edge === null ? null : (
            <text className={styles.cause} x={edge === 'lost' ? 474 : 476} y={edge === 'lost' ? 106 : 4}>
              {cause}
            </text>
          )}
          {(Object.keys(STATES) as State[]).map((name) => (
            <g key={name} className={name === state ? styles.now : styles.state}>
              <rect {...STATES[name]} {...BOX} rx="8" />
              <text x={STATES[name].x + BOX.width / 2} y={STATES[name].y + 25} textAnchor="middle">
                {words.states[name]}
              </text>
            </g>
          ))}
        </svg>
      </div>
      {status.nextAttemptAt === null ? null : (
        <p>
          <span role="status">{words.next(status.attempt + 1)}</span>{' '}
          <Moment at={status.nextAttemptAt} language={language} />
        </p>
      )}
    </Card>
  )
}

/** The steps of a pairing with a passkey are in the box of the pairing. */
function readState(told: string): State {
  return Object.hasOwn(STATES, told) ? (told as State) : 'pairing'
}

function findEdge(state: State, cause: string | null): string | null {
  if (cause === null) return null
  return state === 'disconnected' ? 'ended' : state === 'connected' ? null : 'lost'
}

/** Returns the arrow at the end of a line. */
function drawHead(line: string): string {
  const points = line.split(' ').map((point) => point.split(',').map(Number))
  const [[fromX = 0, fromY = 0] = [], [x = 0, y = 0] = []] = points.slice(-2)
  const angle = Math.atan2(y - fromY, x - fromX)
  const corner = (turn: number) => `${x - 9 * Math.cos(angle + turn)},${y - 9 * Math.sin(angle + turn)}`
  return `${x},${y} ${corner(0.4)} ${corner(-0.4)}`
}
