import { type FormEvent, useEffect, useState } from 'react'
import type { ChangeInstancesReply, ChangeInstancesRequest } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { useChangeInstances, useDryRun } from '../../hooks/use-bulk.js'
import { useNames } from '../../hooks/use-instances.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useNumbers, useWords } from '../../words/index.js'
import type { Action, Chosen } from './bulk-bar.js'
import { BulkProgress } from './bulk-progress.js'
import styles from './instances.module.css'
import { SelectionChanged } from './selection-changed.js'

const SAMPLE_MAX = 10
/** Actions that end something: the number of instances must be typed. */
const TYPED: ReadonlySet<Action> = new Set(['disconnect', 'delete'])

interface BulkDialogProps {
  readonly action: Action
  readonly chosen: Chosen
  readonly onClose: () => void
  /** Called when a job was begun and its window is closed. */
  readonly onDone: () => void
}

/** A dry run that says how many and which, the question, then the progress. */
export function BulkDialog({ action, chosen, onClose, onDone }: BulkDialogProps) {
  const words = useBulkWords()
  const dryRun = useDryRun()
  const change = useChangeInstances()
  const [tags, setTags] = useState({ add: '', remove: '' })
  const { mutate } = dryRun
  const asked: ChangeInstancesRequest = {
    action,
    ...('ids' in chosen ? { ids: [...chosen.ids] } : { filter: chosen.filter }),
    ...(action === 'tag' ? { add: splitTags(tags.add), remove: splitTags(tags.remove) } : {}),
  }
  const [first] = useState(asked)
  useEffect(() => {
    if (first.action !== 'tag') mutate(first)
  }, [first, mutate])
  const job = change.data?.job ?? null
  const [former, setFormer] = useState<ChangeInstancesReply>()
  const run = (digest: string) =>
    change.mutate(
      { ...asked, digest },
      {
        onError(error) {
          if (!isChanged(error)) return
          setFormer(dryRun.data)
          mutate(asked)
        },
      },
    )
  const count = () => {
    change.reset()
    setFormer(undefined)
    mutate(asked)
  }
  return (
    <Dialog isOpen onClose={job === null ? onClose : onDone} title={words.actions[action]}>
      {job !== null ? (
        <BulkProgress id={job.id} onClose={onDone} />
      ) : (
        <>
          <p>{words.helps[action]}</p>
          {action === 'tag' ? (
            <TagFields tags={tags} onChange={setTags} isBusy={dryRun.isPending} onAsk={count} />
          ) : null}
          {dryRun.error === null ? null : <Failure error={dryRun.error} onRetry={count} />}
          {dryRun.isPending ? <p role="status">{words.counting}</p> : null}
          {former === undefined || dryRun.data === undefined || dryRun.isPending ? null : (
            <SelectionChanged before={former} now={dryRun.data} />
          )}
          {dryRun.data === undefined || dryRun.isPending ? null : (
            <Preview
              preview={dryRun.data}
              action={action}
              asked={asked}
              isBusy={change.isPending}
              onRun={run}
              onClose={onClose}
            />
          )}
          {change.error === null || isChanged(change.error) ? null : <Failure error={change.error} />}
        </>
      )}
    </Dialog>
  )
}

function isChanged(error: Error): boolean {
  return error instanceof Problem && error.code === 'SELECTION_CHANGED'
}

interface TagFieldsProps {
  readonly tags: { readonly add: string; readonly remove: string }
  readonly onChange: (tags: { add: string; remove: string }) => void
  readonly isBusy: boolean
  readonly onAsk: () => void
}

function TagFields({ tags, onChange, isBusy, onAsk }: TagFieldsProps) {
  const words = useBulkWords()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && (tags.add.trim() !== '' || tags.remove.trim() !== '')) onAsk()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <InputField
        label={words.addTags}
        help={words.tagsHelp}
        autoComplete="off"
        value={tags.add}
        onChange={({ target }) => onChange({ ...tags, add: target.value })}
      />
      <InputField
        label={words.removeTags}
        autoComplete="off"
        value={tags.remove}
        onChange={({ target }) => onChange({ ...tags, remove: target.value })}
      />
      <div>
        <Button type="submit" isBusy={isBusy}>
          {words.count}
        </Button>
      </div>
    </form>
  )
}

interface PreviewProps {
  readonly preview: ChangeInstancesReply
  readonly action: Action
  readonly asked: ChangeInstancesRequest
  readonly isBusy: boolean
  readonly onRun: (digest: string) => void
  readonly onClose: () => void
}

function Preview({
  preview: { count, counts, ids, unknown, digest },
  action,
  asked,
  isBusy,
  onRun,
  onClose,
}: PreviewProps) {
  const common = useWords()
  const words = useBulkWords()
  const number = useNumbers()
  const names = useNames(ids.slice(0, SAMPLE_MAX))
  const [typed, setTyped] = useState('')
  const needsTyping = TYPED.has(action)
  const isReady = count > 0 && (!needsTyping || typed === String(count))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isBusy) onRun(digest)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>
        <strong>{words.would(number(count))}</strong>{' '}
        {words.ofThem(number(counts.connected), number(counts.connecting), number(counts.disconnected))}
      </p>
      {ids.length === 0 ? null : (
        <ul className={styles.sample}>
          {ids.slice(0, SAMPLE_MAX).map((id) => (
            <li key={id}>
              <bdi>{showUnseen(names[id] ?? id)}</bdi>
            </li>
          ))}
          {count > SAMPLE_MAX ? <li>{words.andMore(number(count - SAMPLE_MAX))}</li> : null}
        </ul>
      )}
      {unknown.length === 0 ? null : <p>{words.unknown(unknown.length)}</p>}
      {needsTyping && count > 0 ? (
        <InputField
          label={common.typeToConfirm(String(count))}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      ) : null}
      <div className={styles.actions}>
        <ShowCurl call={buildShownCall('changeInstances', { body: { ...asked, digest } }, 'admintoken')} />
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look={needsTyping ? 'danger' : 'main'} isBusy={isBusy} disabled={!isReady}>
          {words.actions[action]}
        </Button>
      </div>
    </form>
  )
}

function splitTags(typed: string): string[] {
  return [...new Set(typed.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}
