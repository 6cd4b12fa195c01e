import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { CampaignFolder, CampaignRecipient } from '../../../schemas/generated.js'
import { buildShownCall } from '../api/shown-call.js'
import { Button } from '../components/button.js'
import { Choices } from '../components/choices.js'
import { Confirm } from '../components/confirm.js'
import { DataTable } from '../components/data-table.js'
import { Failure } from '../components/failure.js'
import layout from '../components/layout.module.css'
import { Moment } from '../components/moment.js'
import { Notice } from '../components/notice.js'
import { CourseCard } from '../features/campaigns/course-card.js'
import { DailyCap } from '../features/campaigns/daily-cap.js'
import { ProgressLine } from '../features/campaigns/progress-line.js'
import { readUtcTime } from '../features/campaigns/utc-time.js'
import { saveFile } from '../format/save-file.js'
import { formatExactTime } from '../format/time.js'
import { showUnseen } from '../format/visible.js'
import {
  type RecipientFilter,
  useCampaign,
  useCampaignWrite,
  useLiveCampaigns,
  useRecipients,
  useResults,
} from '../hooks/use-campaigns.js'
import { maySend } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useCourseWords } from '../words/campaign-course.js'
import { useCampaignWords } from '../words/campaigns/index.js'
import { useLanguage, useWords } from '../words/index.js'

const FILTERS = ['all', 'Scheduled', 'Sent', 'Failed', 'Skipped', 'Replied'] as const
const COUNTERS = ['log_failed', 'log_skipped', 'log_parked', 'log_pending'] as const

/** One campaign: how far it is, why it waits, and what became of each recipient. */
export function Campaign() {
  const words = useCampaignWords()
  const common = useWords()
  const { folder } = useParams({ from: '/instances/$id/campaigns/$folder' })
  const { id, credential } = useThisInstance()
  const { data, error, refetch } = useCampaign(id, credential, folder)
  useLiveCampaigns(id)
  return (
    <>
      <p>
        <Link to="/instances/$id/campaigns" params={{ id }}>
          {words.title}
        </Link>
      </p>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <>
          <Head folder={data} />
          <CourseCard folder={data} />
          <Recipients folder={data} />
        </>
      )}
    </>
  )
}

function Head({ folder }: { readonly folder: CampaignFolder }) {
  const words = useCampaignWords()
  const language = useLanguage()
  const { status, reason, hold } = folder
  const until = hold?.until === null || hold === null ? '' : formatExactTime(new Date(hold.until), language)
  return (
    <>
      <div className={layout.head}>
        <h1>
          <bdi>{showUnseen(folder.folder) || words.unnamed}</bdi>
        </h1>
        <Actions folder={folder} />
      </div>
      <p role="status">
        <strong>{words.states[status] ?? status}</strong>
        {status === 'paused' ? `: ${words.reasons[reason] ?? reason}` : ''} <ProgressLine folder={folder} />
      </p>
      {hold === null ? null : (
        <Notice look="busy">{words.holdUntil(words.holds[hold.reason] ?? hold.reason, until)}</Notice>
      )}
      {folder.dailyCap === null ? null : <p>{words.capped(folder.sentToday, folder.dailyCap)}</p>}
      <p className={layout.row}>
        {COUNTERS.filter((counter) => folder[counter] > 0).map((counter) => (
          <span key={counter} className={layout.tag}>
            {folder[counter]} {words.counters[counter]}
          </span>
        ))}
      </p>
    </>
  )
}

function Actions({ folder }: { readonly folder: CampaignFolder }) {
  const words = useCampaignWords()
  const navigate = useNavigate({ from: '/instances/$id/campaigns/$folder' })
  const { id, credential } = useThisInstance()
  const [isAsked, setAsked] = useState(false)
  const edit = useCampaignWrite(id, credential, 'editCampaign')
  const copy = useCampaignWrite(id, credential, 'copyCampaign')
  const results = useResults(credential)
  const { status } = folder
  const isRunning = status === 'sending' || status === 'scheduled'
  const act = (action: 'stop' | 'continue') => edit.mutate({ folder_id: folder.id, action })
  const deleted = () => {
    setAsked(false)
    if (status === 'done') void navigate({ to: '/instances/$id/campaigns', params: { id } })
  }
  const repeat = (recipients: 'failed' | 'all') =>
    copy.mutate(
      { folder_id: folder.id, recipients },
      { onSuccess: ({ folder_id: made }) => void navigate({ params: { id, folder: made } }) },
    )
  const failed = (isAsked ? null : edit.error) ?? copy.error ?? results.error
  return (
    <>
      {maySend() ? (
        <>
          {isRunning ? (
            <Button isBusy={edit.isPending} onClick={() => act('stop')}>
              {words.pause}
            </Button>
          ) : null}
          {status === 'paused' ? (
            <Button look="main" isBusy={edit.isPending} onClick={() => act('continue')}>
              {words.go}
            </Button>
          ) : null}
          {status === 'done' && folder.log_failed > 0 ? (
            <Button isBusy={copy.isPending} onClick={() => repeat('failed')}>
              {words.retry}
            </Button>
          ) : null}
          {status === 'done' ? (
            <Button isBusy={copy.isPending} onClick={() => repeat('all')}>
              {words.copyAll}
            </Button>
          ) : null}
          {isRunning || status === 'paused' ? <DailyCap folder={folder} /> : null}
          {isRunning || status === 'paused' || status === 'done' ? (
            <Button look="danger" onClick={() => setAsked(true)}>
              {words.delete}
            </Button>
          ) : null}
        </>
      ) : null}
      <Button
        isBusy={results.isPending}
        onClick={() => results.mutate(folder.id, { onSuccess: (csv) => saveFile(csv, `campaign-${folder.id}.csv`) })}
      >
        {words.export}
      </Button>
      {failed === null ? null : <Failure error={failed} />}
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={words.deleteTitle}
        action={words.delete}
        isBusy={edit.isPending}
        error={edit.error}
        onConfirm={() => edit.mutate({ folder_id: folder.id, action: 'delete' }, { onSuccess: deleted })}
        call={buildShownCall('editCampaign', { body: { folder_id: folder.id, action: 'delete' } })}
      >
        <p>{status === 'done' ? words.deleteDoneHelp : words.deleteHelp}</p>
      </Confirm>
    </>
  )
}

function Recipients({ folder: campaign }: { readonly folder: CampaignFolder }) {
  const folder = campaign.id
  const words = useCampaignWords()
  const language = useLanguage()
  const titleId = useId()
  const { id, credential } = useThisInstance()
  const { show = 'all' } = useSearch({ from: '/instances/$id/campaigns/$folder' })
  const navigate = useNavigate({ from: '/instances/$id/campaigns/$folder' })
  const filter = show === 'all' ? undefined : (show as RecipientFilter)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useRecipients(
    id,
    credential,
    folder,
    filter,
  )
  const recipients = data?.pages.flatMap(({ messages }) => messages)
  return (
    <>
      <h2 id={titleId}>{words.recipients}</h2>
      <Choices
        label={words.filter}
        options={FILTERS.map((one) => [one, `${words.filters[one] ?? one} (${countMessages(campaign, one)})`] as const)}
        chosen={show}
        onChoose={(next) => void navigate({ search: next === 'all' ? {} : { show: next }, replace: true })}
      />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {recipients?.length === 0 ? <Notice>{words.noRecipients}</Notice> : null}
      {recipients === undefined || recipients.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.person, words.state, words.why, words.when]}
          rows={recipients}
          row={(one) => ({
            key: one.id,
            cells: [
              <bdi key="person">{showUnseen(one.chatid.replace(/@s\.whatsapp\.net$/, ''))}</bdi>,
              words.statuses[one.status] ?? one.status,
              <Why key="why" recipient={one} />,
              <Moment key="when" at={readUtcTime(one.updated)} language={language} />,
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
    </>
  )
}

/** Why a recipient got nothing: a sentence of ours, and what the gateway said in English behind it. */
function Why({ recipient: { reason, error, messageStatus, status } }: { readonly recipient: CampaignRecipient }) {
  const words = useCourseWords()
  const isTold = messageStatus === 'Failed' || messageStatus === 'Skipped' || status === 'parked'
  if (!isTold) return null
  return (
    <>
      {words.sentences[reason ?? ''] ?? words.other}
      {error === undefined || error === '' ? null : (
        <details>
          <summary>{words.details}</summary>
          <bdi>{showUnseen(error)}</bdi>
        </details>
      )}
    </>
  )
}

/** Returns the number of recipients that a filter shows. */
function countMessages(folder: CampaignFolder, filter: (typeof FILTERS)[number]): number {
  switch (filter) {
    case 'all':
      return folder.log_total
    case 'Scheduled':
      return folder.log_pending
    case 'Sent':
      return folder.log_sucess
    case 'Failed':
      return folder.log_failed
    case 'Skipped':
      return folder.log_skipped
    case 'Replied':
      return folder.log_replied
  }
}
