import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { FiguresReply } from '../../../schemas/generated.js'
import { gatewayUrl } from '../api/places.js'
import { Failure } from '../components/failure.js'
import { Card } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { AgentCost } from '../features/overview/agent-cost.js'
import { Needs } from '../features/overview/needs.js'
import { NodeHours } from '../features/overview/node-hours.js'
import styles from '../features/overview/overview.module.css'
import { States } from '../features/overview/states.js'
import { TrafficCard } from '../features/overview/traffic-card.js'
import { useFigures } from '../hooks/use-fleet.js'
import { useFleetWords } from '../words/fleet/index.js'
import { useWords } from '../words/index.js'
import { useOverviewWords } from '../words/overview.js'

/** First page of an administrator: what needs a hand, then the traffic. */
export function Overview() {
  const common = useWords()
  const words = useFleetWords()
  const own = useOverviewWords()
  const { data, error, refetch } = useFigures()
  const grafanaUrl = data?.grafanaUrl ?? null
  return (
    <>
      <PageHeader title={common.pages.overview} about={own.about} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <>
          {count(data) === 0 ? <First /> : <Needs figures={data} />}
          <TrafficCard figures={data} />
          <States figures={data} />
          <AgentCost />
          {data.nodes === undefined || data.nodes.length === 0 ? null : <NodeHours nodes={data.nodes} />}
        </>
      )}
      <Card>
        <h2>{words.more}</h2>
        {data?.retentionDays === undefined ? null : <p>{words.kept(data.retentionDays)}</p>}
        <ul className={styles.links}>
          <li>
            <a href={`${gatewayUrl}/docs`}>{common.apiPage}</a>: {words.docsHelp}
          </li>
          <li>
            <Link to="/instances/new">{common.instances.create}</Link>
          </li>
          {grafanaUrl === null ? null : (
            <li>
              <a href={grafanaUrl} target="_blank" rel="noopener noreferrer">
                Grafana
              </a>
              : {words.grafanaHelp}
            </li>
          )}
        </ul>
      </Card>
    </>
  )
}

/** What to do where there is no account yet. */
function First() {
  const common = useWords()
  const titleId = useId()
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{common.instances.none}</h2>
      <p>{common.instances.noneHelp}</p>
      <p>
        <Link to="/instances/new">{common.instances.create}</Link>
      </p>
    </Card>
  )
}

function count({ instances }: FiguresReply): number {
  return instances.connected + instances.connecting + instances.disconnected
}
