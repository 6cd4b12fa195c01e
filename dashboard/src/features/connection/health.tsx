import { type ReactNode, useId } from 'react'
import { Failure } from '../../components/failure.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useHealth } from '../../hooks/use-settings.js'
import { useInstanceEvents } from '../../hooks/use-this-instance.js'
import { useConnectionWords } from '../../words/connection/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import { Facts } from '../settings/facts.js'

/** Health of the connection, as its traffic shows it. */
export function Health() {
  const common = useWords()
  const words = useConnectionWords()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch } = useHealth()
  useInstanceEvents((event) => {
    if (event === 'open' || event.EventType === 'connection') void refetch()
  })
  const moment = (at: string | null): ReactNode =>
    at === null ? words.never : <Moment key={at} at={at} language={language} />
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.health}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <Facts
          facts={[
            [words.since, moment(data.since)],
            [words.wanted, data.desiredState === 'connected' ? words.yes : words.no],
            [words.heard, moment(data.lastReceivedAt)],
            [words.message, moment(data.lastInboundAt)],
            [words.ack, moment(data.lastAckAt)],
            [words.undecrypted, moment(data.lastDecryptErrorAt)],
            [words.unacknowledged, data.unacknowledged],
            [words.held, data.held],
            [words.queued, data.queue.pending],
            [words.parked, data.parked],
            [common.instance.node, <bdi key="node">{showUnseen(data.node)}</bdi>],
          ]}
        />
      )}
    </Card>
  )
}
