import { useId, useState } from 'react'
import type { NodeRecord } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useDrain } from '../../hooks/use-fleet.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useLanguage, useNumbers } from '../../words/index.js'
import styles from './cluster.module.css'

/** The nodes, and the button that empties one. */
export function Nodes({ nodes }: { readonly nodes: readonly NodeRecord[] }) {
  const words = useFleetWords()
  const language = useLanguage()
  const number = useNumbers()
  const titleId = useId()
  const drain = useDrain()
  const [asked, setAsked] = useState<NodeRecord | null>(null)
  /** Shards of each node when its drain began here. */
  const [before, setBefore] = useState<Readonly<Record<string, number>>>({})
  const others = nodes.filter(({ id, state }) => state === 'active' && id !== asked?.id).length
  const confirm = (node: NodeRecord) =>
    drain.mutate(node.id, {
      onSuccess: () => {
        setBefore((known) => ({ ...known, [node.id]: node.shards }))
        setAsked(null)
      },
    })
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.nodes}</h2>
      <DataTable
        labelledBy={titleId}
        heads={[words.node, words.state, words.version, words.shards, words.instances, words.lastSeen, words.actions]}
        rows={nodes}
        row={(node) => ({
          key: `${node.id} ${node.incarnation}`,
          cells: [
            <bdi key="id">{showUnseen(node.id)}</bdi>,
            words.nodeStates[node.state],
            <bdi key="version">{showUnseen(node.version)}</bdi>,
            number(node.shards),
            number(node.instances),
            node.lastSeen === null ? words.never : <Moment key="seen" at={node.lastSeen} language={language} />,
            node.state === 'active' ? (
              <Button
                key="drain"
                look="danger"
                aria-label={words.drainOf(showUnseen(node.id))}
                onClick={() => setAsked(node)}
              >
                {words.drain}
              </Button>
            ) : node.state === 'draining' ? (
              <Progress key="drain" node={node} before={before[node.id]} />
            ) : (
              ''
            ),
          ],
        })}
      />
      {asked === null ? null : (
        <Confirm
          isOpen
          onClose={() => setAsked(null)}
          title={words.drainOf(showUnseen(asked.id))}
          action={words.drain}
          isBusy={drain.isPending}
          error={drain.error}
          onConfirm={() => confirm(asked)}
          call={buildShownCall('drainNode', { params: { id: asked.id } }, 'admintoken')}
        >
          <p>{words.drainHelp(number(asked.shards), number(asked.instances), others)}</p>
          {others === 0 ? <p>{words.drainAlone}</p> : null}
        </Confirm>
      )}
    </Card>
  )
}

/** How far a drain has come. Without a beginning that was seen here, only what is left. */
function Progress({ node, before }: { readonly node: NodeRecord; readonly before: number | undefined }) {
  const words = useFleetWords()
  const left = words.left(node.shards, node.instances)
  return (
    <div role="status" className={styles.progress}>
      {before === undefined ? null : (
        <progress
          aria-label={words.drainOf(showUnseen(node.id))}
          max={Math.max(1, before)}
          value={before - node.shards}
        />
      )}
      <span>{node.shards === 0 ? words.drained : left}</span>
    </div>
  )
}
