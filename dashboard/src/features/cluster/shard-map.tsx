import { useId, useState } from 'react'
import type { NodeRecord, ShardsReply } from '../../../../schemas/generated.js'
import { Card } from '../../components/notice.js'
import { visible } from '../../format/visible.js'
import { useFleetWords } from '../../words/fleet/index.js'
import styles from './cluster.module.css'

/** Hue of the first node, and the step to the next: the golden angle keeps neighbours apart. */
const FIRST_HUE = 160
const HUE_STEP = 137.5

interface ShardMapProps {
  readonly shards: ShardsReply['shards']
  readonly nodes: readonly NodeRecord[]
}

/** 256 squares in the colours of their owners. One that moves flashes, unless its reader wants less motion. */
export function ShardMap({ shards, nodes }: ShardMapProps) {
  const words = useFleetWords()
  const titleId = useId()
  // What was there at first does not flash.
  const [firstEpochs] = useState(() => new Map(shards.map(({ shard, epoch }) => [shard, epoch])))
  const names = nodes.map(({ id }) => id)
  const free = shards.filter(({ node }) => node === null).length
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.shardMap}</h2>
      <ul className={styles.legend}>
        {nodes.map(({ id, incarnation, shards: count }) => (
          <li key={`${id} ${incarnation}`}>
            <span className={styles.square} style={{ background: colourOf(names.indexOf(id)) }} />{' '}
            <bdi>{visible(id)}</bdi>: {count}
          </li>
        ))}
        {free === 0 ? null : (
          <li>
            <span className={`${styles.square} ${styles.free}`} /> {words.noOwner}: {free}
          </li>
        )}
      </ul>
      <div className={styles.map} role="img" aria-label={words.mapOf(shards.length - free, free)}>
        {shards.map(({ shard, node, epoch, instances }) => (
          <span
            key={`${shard} ${epoch}`}
            data-shard={shard}
            data-owner={node ?? ''}
            className={[
              styles.square,
              node === null ? styles.free : '',
              firstEpochs.get(shard) === epoch ? '' : styles.moved,
            ].join(' ')}
            style={node === null ? undefined : { background: colourOf(names.indexOf(node)) }}
            title={words.shardTitle(shard, node === null ? words.noOwner : visible(node), instances)}
          />
        ))}
      </div>
    </Card>
  )
}

function colourOf(index: number): string {
  return `hsl(${(FIRST_HUE + Math.max(0, index) * HUE_STEP) % 360} 55% 45%)`
}
