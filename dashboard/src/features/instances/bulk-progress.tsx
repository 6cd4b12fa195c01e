import { Link } from '@tanstack/react-router'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { showUnseen } from '../../format/visible.js'
import { useCancelJob, useJob, useOutcomes } from '../../hooks/use-bulk.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useNumbers, useWords } from '../../words/index.js'
import styles from './instances.module.css'

/** How far a job has come, and which instances were not changed. It goes on without the page. */
export function BulkProgress({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const common = useWords()
  const words = useBulkWords()
  const number = useNumbers()
  const { data, error, refetch } = useJob(id)
  const cancel = useCancelJob(id)
  const job = data?.jobs[0]
  return (
    <div className={styles.form}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {job === undefined ? (
        <p role="status">{common.loading}</p>
      ) : (
        <>
          <progress
            className={styles.progress}
            aria-label={words.progress}
            max={Math.max(1, job.count)}
            value={job.done + job.skipped + job.failed}
          />
          <p role="status">
            {words.states[job.state]}{' '}
            {words.outcome(number(job.done), number(job.count), number(job.skipped), number(job.failed))}
          </p>
          <Outcomes id={id} outcome="failed" count={job.failed} />
          <Outcomes id={id} outcome="skipped" count={job.skipped} />
        </>
      )}
      {cancel.error === null ? null : <Failure error={cancel.error} />}
      <div className={styles.actions}>
        {job?.state === 'running' ? (
          <Button look="danger" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.stop}
          </Button>
        ) : null}
        <Button onClick={onClose}>{job?.state === 'running' ? words.hide : common.close}</Button>
      </div>
    </div>
  )
}

interface OutcomesProps {
  readonly id: string
  readonly outcome: 'failed' | 'skipped'
  readonly count: number
}

function Outcomes({ id, outcome, count }: OutcomesProps) {
  const words = useBulkWords()
  const { data } = useOutcomes(id, outcome, count)
  if (count === 0 || data === undefined) return null
  return (
    <>
      <h3>{words.lists[outcome]}</h3>
      <ul className={styles.sample}>
        {data.map(({ instance, name, code, reason }) => (
          <li key={instance}>
            <Link to="/instances/$id" params={{ id: instance }}>
              <bdi>{showUnseen(name)}</bdi>
            </Link>
            : <bdi>{showUnseen(reason || code)}</bdi>
          </li>
        ))}
        {count > data.length ? <li>{words.andMore(String(count - data.length))}</li> : null}
      </ul>
    </>
  )
}
