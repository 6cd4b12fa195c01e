import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { CampaignFolder } from '../../../schemas/generated.js'
import { DataTable } from '../components/data-table.js'
import { Failure } from '../components/failure.js'
import layout from '../components/layout.module.css'
import { Moment } from '../components/moment.js'
import { Notice } from '../components/notice.js'
import { ProgressLine } from '../features/campaigns/progress-line.js'
import { readUtcTime } from '../features/campaigns/utc-time.js'
import { showUnseen } from '../format/visible.js'
import { useCampaigns, useLiveCampaigns } from '../hooks/use-campaigns.js'
import { maySend } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useCampaignWords } from '../words/campaigns/index.js'
import { useLanguage, useWords } from '../words/index.js'

/** Campaigns of an instance, with their progress. */
export function Campaigns() {
  const words = useCampaignWords()
  const common = useWords()
  const titleId = useId()
  const { id, credential } = useThisInstance()
  const { data, error, isPending, refetch } = useCampaigns(id, credential)
  useLiveCampaigns(id)
  return (
    <>
      <div className={layout.head}>
        <h1 id={titleId}>{words.title}</h1>
        <Link to="/instances/$id/opt-outs" params={{ id }}>
          {words.optOuts}
        </Link>
        {maySend() ? (
          <Link to="/instances/$id/campaigns/new" params={{ id }}>
            {words.new}
          </Link>
        ) : null}
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null ? <p role="status">{common.loading}</p> : null}
      {data?.length === 0 ? (
        <Notice>
          <p>{words.none}</p>
          <p>{words.noneHelp}</p>
        </Notice>
      ) : null}
      {data === undefined || data.length === 0 ? null : <List id={id} titleId={titleId} folders={data} />}
    </>
  )
}

interface ListProps {
  readonly id: string
  readonly titleId: string
  readonly folders: readonly CampaignFolder[]
}

function List({ id, titleId, folders }: ListProps) {
  const words = useCampaignWords()
  const language = useLanguage()
  return (
    <DataTable
      labelledBy={titleId}
      heads={[words.name, words.state, words.progress, words.results, words.created]}
      rows={folders}
      row={(folder) => ({
        key: folder.id,
        cells: [
          <Link key="name" to="/instances/$id/campaigns/$folder" params={{ id, folder: folder.id }}>
            <bdi>{showUnseen(folder.folder) || words.unnamed}</bdi>
          </Link>,
          words.states[folder.status] ?? folder.status,
          <ProgressLine key="progress" folder={folder} />,
          `${folder.log_sucess} ${words.counters.log_sucess}, ${folder.log_failed} ${words.counters.log_failed}`,
          <Moment key="created" at={readUtcTime(folder.created)} language={language} />,
        ],
      })}
    />
  )
}
