import { Link } from '@tanstack/react-router'
import { UserRoundX } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Problem } from '../api/problem.js'
import { buildShownCall } from '../api/shown-call.js'
import { Button, makeButtonLook } from '../components/button.js'
import { Confirm } from '../components/confirm.js'
import { DataTable } from '../components/data-table.js'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { InputField, TextField } from '../components/field.js'
import layout from '../components/layout.module.css'
import { Moment } from '../components/moment.js'
import { Card, Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { ShowCurl } from '../components/show-curl.js'
import { OptOutWords } from '../features/campaigns/opt-out-words.js'
import { showUnseen } from '../format/visible.js'
import { useAddSuppressions, useLiveSuppressed, useRemoveSuppression, useSuppressed } from '../hooks/use-campaigns.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useCampaignWords } from '../words/campaigns/index.js'
import { useLanguage } from '../words/index.js'

/** People to whom campaigns send nothing. */
export function OptOuts() {
  const words = useCampaignWords()
  const language = useLanguage()
  const titleId = useId()
  const { id, credential } = useThisInstance()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useSuppressed(id, credential)
  useLiveSuppressed(id)
  const [removed, setRemoved] = useState<string>()
  const remove = useRemoveSuppression(id, credential)
  const people = data?.pages.flatMap(({ suppressed }) => suppressed)
  return (
    <>
      <PageHeader titleId={titleId} title={words.optOuts} about={words.optOutsHelp}>
        <Link to="/instances/$id/campaigns" params={{ id }} className={makeButtonLook()}>
          {words.title}
        </Link>
      </PageHeader>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {people?.length === 0 ? <EmptyState icon={UserRoundX} title={words.noOptOuts} /> : null}
      {people === undefined || people.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[
            words.person,
            words.reason,
            words.source,
            words.when,
            words.until,
            ...(mayConnect() ? [words.actions] : []),
          ]}
          rows={people}
          row={({ number, reason, source, created, until }) => ({
            key: number,
            cells: [
              <bdi key="person">{showUnseen(number.replace(/@s\.whatsapp\.net$/, ''))}</bdi>,
              <bdi key="reason">{showUnseen(reason)}</bdi>,
              words.sources[source] ?? source,
              <Moment key="when" at={created} language={language} />,
              until === null ? '' : <Moment key="until" at={until} language={language} />,
              ...(mayConnect()
                ? [
                    <Button key="remove" look="danger" onClick={() => setRemoved(number)}>
                      {words.remove}
                    </Button>,
                  ]
                : []),
            ],
          })}
        />
      )}
      {hasNextPage ? (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      ) : null}
      {mayConnect() ? <AddPeople /> : null}
      {mayConnect() ? <OptOutWords scope={{ id, credential }} /> : null}
      {removed === undefined ? null : (
        <Confirm
          isOpen
          onClose={() => setRemoved(undefined)}
          title={words.removeTitle}
          action={words.remove}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(removed, { onSuccess: () => setRemoved(undefined) })}
          call={buildShownCall('removeSuppressions', { body: { numbers: [removed] } })}
        >
          <p>
            <bdi>{showUnseen(removed.replace(/@s\.whatsapp\.net$/, ''))}</bdi>
          </p>
        </Confirm>
      )}
    </>
  )
}

function AddPeople() {
  const words = useCampaignWords()
  const titleId = useId()
  const { id, credential } = useThisInstance()
  const add = useAddSuppressions(id, credential)
  const [numbers, setNumbers] = useState('')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const fields = add.error instanceof Problem ? add.error.fields : {}

  const body = {
    numbers: numbers.split(/[\n,;]+/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    ...(until === '' ? {} : { until: new Date(until).toISOString() }),
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!add.isPending) add.mutate(body, { onSuccess: () => setNumbers('') })
  }

  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.addTitle}</h2>
      <form className={layout.form} onSubmit={submit}>
        <TextField
          label={words.numbers}
          help={words.numbersHelp}
          wrong={fields.numbers}
          rows={4}
          required
          value={numbers}
          onChange={({ target }) => setNumbers(target.value)}
        />
        <div className={layout.columns}>
          <InputField
            label={words.reason}
            wrong={fields.reason}
            maxLength={200}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <InputField
            label={words.until}
            help={words.untilHelp}
            wrong={fields.until}
            type="datetime-local"
            value={until}
            onChange={({ target }) => setUntil(target.value)}
          />
        </div>
        <div className={layout.row}>
          <Button type="submit" look="main" isBusy={add.isPending}>
            {words.add}
          </Button>
          <ShowCurl call={buildShownCall('addSuppressions', { body })} />
        </div>
        {add.error === null ? null : <Failure error={add.error} />}
        {add.data === undefined ? null : <Notice>{words.added(add.data.added, add.data.known)}</Notice>}
      </form>
    </Card>
  )
}
