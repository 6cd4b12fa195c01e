import { useEffect, useId, useRef, useState } from 'react'
import type { NodeRecord, ShardsReply } from '../../../../schemas/generated.js'
import { Timeline } from '../../components/charts/timeline.js'
import layout from '../../components/layout.module.css'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useClusterWords } from '../../words/cluster.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import styles from './cluster.module.css'
import { findMoves, type Move } from './moves.js'

type Shard = ShardsReply['shards'][number]

interface NodePictureProps {
  readonly shards: readonly Shard[]
  readonly nodes: readonly NodeRecord[]
}

const LOOKS = { active: layout.good, draining: layout.busy, silent: layout.bad, dead: layout.bad }
/** Moves that are remembered while the page is open. */
const MOVES_MAX = 20
/** Colours of a chart, after which they begin again. */
const COLOURS = 8

/** Each node as a box with the accounts that it serves and the parts that it holds; what moves between them is told below. */
export function NodePicture({ shards, nodes }: NodePictureProps) {
  const words = useClusterWords()
  const fleet = useFleetWords()
  const number = useNumbers()
  const titleId = useId()
  const moves = useMoves(shards)
  const [firstEpochs] = useState(() => new Map(shards.map(({ shard, epoch }) => [shard, epoch])))
  const free = shards.filter(({ node }) => node === null)
  const serving = nodes.filter(({ state }) => state === 'active' || state === 'draining').length
  const accounts = shards.reduce((sum, { instances }) => sum + instances, 0)
  const box = (own: readonly Shard[], place: number) => (
    <div className={styles.parts} aria-hidden="true">
      {own.map(({ shard, node, epoch, instances }) => (
        <span
          key={`${shard} ${epoch}`}
          data-shard={shard}
          data-owner={node ?? ''}
          className={[styles.part, firstEpochs.get(shard) === epoch ? '' : styles.moved].join(' ')}
          style={node === null ? undefined : { background: chooseColour(place) }}
          title={fleet.shardTitle(shard, node === null ? fleet.noOwner : showUnseen(node), instances)}
        />
      ))}
    </div>
  )
  return (
    <Card labelledBy={titleId}>
      <div>
        <h2 id={titleId}>{words.title}</h2>
        <p className={layout.muted}>{words.about(serving, number(accounts))}</p>
      </div>
      <ul className={styles.nodes}>
        {nodes.map(({ id, incarnation, state, instances }, place) => {
          const own = shards.filter(({ node }) => node === id)
          return (
            <li key={`${id} ${incarnation}`} className={styles.node} style={{ borderTopColor: chooseColour(place) }}>
              <div className={layout.row}>
                <strong>
                  <bdi>{showUnseen(id)}</bdi>
                </strong>
                <span className={`${layout.tag} ${LOOKS[state]}`}>{fleet.nodeStates[state]}</span>
              </div>
              <p>
                <span className={styles.many}>{number(instances)}</span> {words.accounts(instances)}
              </p>
              <p className={layout.muted}>{words.parts(own.length, shards.length)}</p>
              {box(own, place)}
            </li>
          )
        })}
        {free.length === 0 ? null : (
          <li className={`${styles.node} ${styles.lost}`}>
            <strong>{words.nobody}</strong>
            <p className={layout.muted}>{words.nobodyHelp(free.length)}</p>
            {box(free, 0)}
          </li>
        )}
      </ul>
      <p role="status">{free.length === 0 ? words.allServed : words.notServed(free.length)}</p>
      <Moves moves={moves} />
    </Card>
  )
}

interface SeenMove extends Move {
  readonly key: number
  readonly at: string
}

function Moves({ moves }: { readonly moves: readonly SeenMove[] }) {
  const words = useClusterWords()
  const language = useLanguage()
  if (moves.length === 0) return null
  const name = (node: string | null) => (node === null ? words.noNode : showUnseen(node))
  return (
    <>
      <h3>{words.moves}</h3>
      <Timeline
        items={moves.map(({ key, at, from, to, shards, instances }) => ({
          key: String(key),
          look: to === null ? 'bad' : 'good',
          content: (
            <p className={layout.row}>
              <bdi>{words.move(shards, instances, name(from), name(to))}</bdi> <Moment at={at} language={language} />
            </p>
          ),
        }))}
      />
    </>
  )
}

/** Remembers the moves that were seen since the page was opened, the newest first. */
function useMoves(shards: readonly Shard[]): readonly SeenMove[] {
  const former = useRef(shards)
  const count = useRef(0)
  const [moves, setMoves] = useState<readonly SeenMove[]>([])
  useEffect(() => {
    const seen = findMoves(former.current, shards)
    former.current = shards
    if (seen.length === 0) return
    const at = new Date().toISOString()
    const noted = seen.map((move) => {
      count.current += 1
      return { ...move, at, key: count.current }
    })
    setMoves((before) => [...noted, ...before].slice(0, MOVES_MAX))
  }, [shards])
  return moves
}

function chooseColour(place: number): string {
  return `var(--series-${(place % COLOURS) + 1})`
}
