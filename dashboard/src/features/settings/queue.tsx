import { useId, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { Failure } from '../../components/failure.js'
import { Card } from '../../components/notice.js'
import { useClearQueue, useQueue } from '../../hooks/use-settings.js'
import { useInstanceEvents } from '../../hooks/use-this-instance.js'
import { useWords } from '../../words/index.js'
import { useSettingsWords } from '../../words/settings/index.js'
import { Facts } from './facts.js'
import styles from './settings.module.css'

/** The queue of asynchronous sends, and the button that empties it. */
export function Queue() {
  const common = useWords()
  const words = useSettingsWords()
  const titleId = useId()
  const { data, error, refetch, isFetching } = useQueue()
  const clear = useClearQueue()
  const [isAsked, setAsked] = useState(false)
  useInstanceEvents((event) => {
    if (event === 'open') void refetch()
  })
  const pending = data?.queue.pending ?? 0
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.queue}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        <p role="status">{common.loading}</p>
      ) : (
        <Facts
          facts={[
            [words.queuePending, pending],
            [words.queueStatus, words.queueStatuses[data.queue.status] ?? data.queue.status],
          ]}
        />
      )}
      {clear.data === undefined ? null : <p role="status">{words.queueCleared(clear.data.stats.canceled)}</p>}
      <div className={styles.actions}>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {words.readAgain}
        </Button>
        {pending === 0 ? null : (
          <Button look="danger" onClick={() => setAsked(true)}>
            {words.clearQueue}
          </Button>
        )}
      </div>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={words.clearQueue}
        action={words.clearQueue}
        isBusy={clear.isPending}
        error={clear.error}
        onConfirm={() => clear.mutate(undefined, { onSuccess: () => setAsked(false) })}
        call={buildShownCall('clearQueue', {})}
      >
        <p>{words.clearQueueHelp(pending)}</p>
      </Confirm>
    </Card>
  )
}
